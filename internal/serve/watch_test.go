package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// ways are both ways of watching, which must report the same changes.
var ways = map[string]time.Duration{"notify": 0, "poll": 5 * time.Millisecond}

func (p *project) watched(t *testing.T, poll time.Duration) *running {
	o := p.options()
	o.Poll = poll
	o.Ignore = func(path string, dir bool) bool { return dir && path == "public" }
	r := start(t, o)
	if first, _ := receive(t, p.changes); first != nil {
		t.Fatalf("the first build got the changed paths %q, want none", first)
	}
	return r
}

// until waits until the builds have got all the paths, and returns all paths that they have got.
func (p *project) until(t *testing.T, paths ...string) (reported []string) {
	t.Helper()
	for {
		changed, _ := receive(t, p.changes)
		reported = append(reported, changed...)
		if !slices.ContainsFunc(paths, func(p string) bool { return !slices.Contains(reported, p) }) {
			return reported
		}
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	for way, interval := range ways {
		for name, c := range map[string]struct {
			change func(p *project)
			want   []string
		}{
			"edit":             {func(p *project) { p.write("pt/a.md", "longer than before") }, []string{"pt/a.md"}},
			"new file":         {func(p *project) { p.write("pt/new.md", "") }, []string{"pt/new.md"}},
			"deleted file":     {func(p *project) { os.Remove(p.path("pt/a.md")) }, []string{"pt/a.md"}},
			"rename":           {func(p *project) { p.rename("pt/a.md", "pt/b.md") }, []string{"pt/a.md", "pt/b.md"}},
			"deleted folder":   {func(p *project) { os.RemoveAll(p.path("pt")) }, []string{"pt"}},
			"new folders":      {func(p *project) { p.write("es/x/y/z.md", "") }, []string{"es", "es/x", "es/x/y", "es/x/y/z.md"}},
			"moved folder":     {func(p *project) { p.rename("pt", "es") }, []string{"pt", "es", "es/deep/c.md"}},
			"folder over file": {func(p *project) { os.Remove(p.path("pt/a.md")); p.write("pt/a.md/b", "") }, []string{"pt/a.md", "pt/a.md/b"}},
			"rename over": {func(p *project) {
				p.write("pt/a.md~", "saved")
				p.rename("pt/a.md~", "pt/a.md")
			}, []string{"pt/a.md"}},
			"save with a backup": {func(p *project) {
				p.write("pt/4913", "")
				os.Remove(p.path("pt/4913"))
				p.rename("pt/a.md", "pt/a.md~")
				p.write("pt/a.md", "saved")
				os.Remove(p.path("pt/a.md~"))
			}, []string{"pt/a.md"}},
		} {
			t.Run(way+"/"+name, func(t *testing.T) {
				p := newProject(t, files{"pt/a.md": "a", "pt/deep/c.md": "c"})
				p.watched(t, interval)
				c.change(p)
				reported := p.until(t, c.want...)
				// Files below a new or deleted folder may be reported too.
				known := func(name string) bool {
					return slices.ContainsFunc(c.want, func(w string) bool { return name == w || strings.HasPrefix(name, w+"/") })
				}
				for _, name := range reported {
					if !known(name) {
						t.Errorf("unexpected change %q", name)
					}
				}
			})
		}
	}
}

// The folder that comes after a deletion or a move is watched like the first.
func TestWatchGoesOn(t *testing.T) {
	t.Parallel()
	for way, interval := range ways {
		t.Run(way, func(t *testing.T) {
			p := newProject(t, files{"pt/deep/a.md": "a"})
			p.watched(t, interval)

			p.rename("pt", "es")
			p.until(t, "pt", "es")
			p.write("es/deep/a.md", "edited after the move")
			if reported := p.until(t, "es/deep/a.md"); slices.Contains(reported, "pt/deep/a.md") {
				t.Errorf("changes with the old name: %q", reported)
			}
			p.write("pt/deep/b.md", "b")
			p.until(t, "pt/deep/b.md")
			p.write("pt/deep/b.md", "edited where the first folder was")
			p.until(t, "pt/deep/b.md")

			os.RemoveAll(p.path("pt"))
			p.until(t, "pt")
			p.write("pt/deep/c.md", "c")
			p.until(t, "pt/deep/c.md")
			p.write("pt/deep/c.md", "edited after the deletion")
			p.until(t, "pt/deep/c.md")
		})
	}
}

// That an event is not reported cannot be waited for: so a relevant change comes last, and must be
// the only one reported.
func TestWatchIgnores(t *testing.T) {
	t.Parallel()
	for way, interval := range ways {
		t.Run(way, func(t *testing.T) {
			p := newProject(t, files{"a.md": "a", "public/index.html": "x", "pt/b.md": "b"})
			p.watched(t, interval)
			p.write("public/index.html", "built again")
			p.write("public/new/index.html", "built")
			for _, name := range []string{"4913", "a.md~", ".#a.md", "#a.md#", ".a.md.swp", ".goutputstream-X1", "a.md___jb_tmp___"} {
				p.write("pt/"+name, "x")
			}
			os.Chmod(p.path("pt/b.md"), 0o600)
			os.RemoveAll(p.path("public"))
			p.write("a.md", "edited at the end")
			if reported := p.until(t, "a.md"); slices.ContainsFunc(reported, func(n string) bool { return n != "a.md" }) {
				t.Errorf("changes %q", reported)
			}
		})
	}
}

func TestTemporary(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a.md", "4914", "swp", "a.swp", ".swap", ".gitignore", "#1", "C#", "~a", "index.html"} {
		if temporary(name) {
			t.Errorf("%q is taken for an editor's temporary file", name)
		}
	}
}

// Polling compares several properties of a file. Each of them alone is enough to detect a change.
func TestDifferences(t *testing.T) {
	t.Parallel()
	then := time.Now().Add(-time.Hour).Truncate(time.Second)
	p := newProject(t, files{"time": "x", "size": "x", "identity": "x", "none": "x", "other": "x"})
	dated := func(when time.Time, names ...string) {
		for _, name := range names {
			if err := os.Chtimes(p.path(name), when, when); err != nil {
				t.Fatal(err)
			}
		}
	}
	tr, err := newTree(p.root, nil)
	if err != nil {
		t.Fatal(err)
	}
	dated(then, "time", "size", "identity", "none", "other")
	before, err := tr.list()
	if err != nil {
		t.Fatal(err)
	}
	dated(then.Add(time.Second), "time")
	p.write("size", "xx")
	dated(then, "size")
	p.rename("other", "identity")
	now, err := tr.list()
	if err != nil {
		t.Fatal(err)
	}
	got := differences(before, now)
	slices.Sort(got)
	if !slices.Equal(got, []string{"identity", "other", "size", "time"}) {
		t.Errorf("%q", got)
	}
}

func TestReloadAfterEdit(t *testing.T) {
	t.Parallel()
	p := newProject(t, files{"index.html": "one"})
	r := p.watched(t, 0)
	events, _ := r.follow("")
	next(t, events)
	p.write("new/index.html", "two")
	// The folder may have been seen before the file in it.
	for next(t, events); r.get("/new/").StatusCode != 200; next(t, events) {
	}
	p.write("next", "three")
	p.rename("next", "index.html")
	for next(t, events); !strings.HasPrefix(r.get("/").body, "three"); next(t, events) {
	}
}

func TestChangeDuringBuild(t *testing.T) {
	t.Parallel()
	p := newProject(t, files{"a.md": "a"})
	building, finish := make(chan []string), make(chan struct{})
	var busy sync.Mutex
	o := p.options()
	o.Build = func(ctx context.Context, changed []string) (Snapshot, diag.List) {
		if !busy.TryLock() {
			t.Error("two builds at once")
		}
		defer busy.Unlock()
		building <- changed
		select {
		case <-finish:
		case <-ctx.Done():
			t.Error("the build is cancelled by a change")
		}
		return example, nil
	}
	r := start(t, o)
	receive(t, building)
	p.write("a.md", "edited during the first build")
	p.write("b.md", "b")
	finish <- struct{}{}
	var reported []string
	for !slices.Contains(reported, "a.md") || !slices.Contains(reported, "b.md") {
		changed, _ := receive(t, building)
		reported = append(reported, changed...)
		finish <- struct{}{}
	}

	r.Rebuild("results/deepnine.json")
	if changed, _ := receive(t, building); !slices.Equal(changed, []string{"results/deepnine.json"}) {
		t.Errorf("requested one path, got %q", changed)
	}
	finish <- struct{}{}
	r.Rebuild()
	if changed, _ := receive(t, building); changed != nil {
		t.Errorf("requested everything, got %q", changed)
	}
	finish <- struct{}{}
}

func TestShutdownCancelsBuild(t *testing.T) {
	t.Parallel()
	building, ended := make(chan struct{}), false
	r := start(t, Preview{Build: func(ctx context.Context, _ []string) (Snapshot, diag.List) {
		close(building)
		<-ctx.Done()
		ended = true
		return nil, nil
	}})
	receive(t, building)
	if err := r.stop(); err != nil || !ended {
		t.Errorf("Serve returned %v, the build had ended: %v", err, ended)
	}
}

func TestFallsBackToPolling(t *testing.T) {
	t.Parallel()
	failures := map[string]func(context.Context, tree, *inbox) error{
		"at the start": func(context.Context, tree, *inbox) error { return syscall.ENOSPC },
		"later": func(ctx context.Context, tr tree, in *inbox) error {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			return errors.Join(notify(ctx, tr, in), os.NewSyscallError("inotify_add_watch", syscall.ENOSPC))
		},
	}
	for name, failing := range failures {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, files{"a.md": "a"})
			o, log := p.options(), &lockedBuffer{}
			o.Tell = func(m diag.Text) { fmt.Fprintln(log, m) }
			s := listen(t, &o)
			s.notify = failing
			r := run(t, s)
			events, _ := r.follow("")
			next(t, events)
			for _, text := range []string{"edited once", "edited once more"} {
				p.write("a.md", text)
				for next(t, events); r.get("/a.md").body != text; next(t, events) {
				}
			}
			r.stop()
			got := log.String()
			if strings.Count(got, "\n") != 1 || !strings.Contains(got, "max_user_watches") || !strings.Contains(got, p.root) {
				t.Errorf("the log: %q", got)
			}
		})
	}
}

// If a watch cannot be added, watching by events fails; the folder is not silently skipped.
func TestNotifyReportsFailure(t *testing.T) {
	t.Parallel()
	n := newNotifier(t, newProject(t, files{"a/b.md": ""}).root)
	n.watcher.Close()
	if err := n.rescan(); !errors.Is(err, fsnotify.ErrClosed) {
		t.Errorf("err = %v", err)
	}
}

func newNotifier(t *testing.T, root string) *notifier {
	t.Helper()
	tr, err := newTree(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return &notifier{tr, newInbox(), w, map[string]bool{}}
}

func TestLostEvents(t *testing.T) {
	t.Parallel()
	p := newProject(t, files{"pt/a.md": "a"})
	n := newNotifier(t, p.root) // watches nothing yet, as if the events of pt were lost
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- n.follow(ctx) }()
	n.watcher.Errors <- fsnotify.ErrEventOverflow
	if changed, ok := n.inbox.take(ctx, time.Millisecond); changed != nil || !ok {
		t.Errorf("after lost events: changes %q", changed)
	}
	p.write("pt/a.md", "edited")
	if changed, _ := n.inbox.take(ctx, time.Millisecond); !slices.Equal(changed, []string{"pt/a.md"}) {
		t.Errorf("then: changes %q", changed)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestFileIsNoRoot checks that a file is not taken for the root folder, even with the same inode number.
func TestFileIsNoRoot(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "site")
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := (tree{given: name, root: name, info: info}).gone(nil); !errors.Is(err, errGone) {
		t.Errorf("%v", err)
	}
}

// TestRootGone checks that when the root folder disappears, a build runs and reports it, the last good
// pages stay, and everything is watched again once the folder or another one is in its place.
func TestRootGone(t *testing.T) {
	for way, interval := range ways {
		for name, leave := range map[string]func(p *project){
			"deleted":  func(p *project) { os.RemoveAll(p.root) },
			"moved":    func(p *project) { os.Rename(p.root, p.root+"-moved") },
			"replaced": func(p *project) { os.Rename(p.root, p.root+"-moved"); p.write("pt/b.md", "at once") },
			"a file":   func(p *project) { os.RemoveAll(p.root); os.WriteFile(p.root, nil, 0o666) },
		} {
			t.Run(way+"/"+name, func(t *testing.T) {
				t.Parallel()
				p := newProject(t, files{"index.html": "first", "pt/b.md": "b"})
				p.root = filepath.Join(p.root, "site")
				p.write("index.html", "first")
				p.write("pt/b.md", "b")
				o, log := p.options(), &lockedBuffer{}
				o.Poll, o.Tell = interval, func(m diag.Text) { fmt.Fprintln(log, m) }
				r := start(t, o)
				receive(t, p.changes)
				leave(p)
				if name != "replaced" {
					// A folder is deleted file by file. On a busy machine a build may run in between and
					// publish the half of the site that it finds.
					half := false
					for changed, _ := receive(t, p.changes); changed != nil; changed, _ = receive(t, p.changes) {
						half = true
					}
					if got := r.get("/"); !half && (got.StatusCode != 200 || !strings.HasPrefix(got.body, "first")) {
						t.Errorf("%s, %q", got.Status, got.body)
					}
					os.Remove(p.root) // a file
				}
				p.write("index.html", "second")
				p.shows(t, r, "/", "second")
				p.write("pt/b.md", "edited when it was back")
				p.shows(t, r, "/pt/b.md", "edited when it was back")
				if log.String() != "" {
					t.Errorf("the log: %q", log)
				}
			})
		}
	}
}

// shows waits until a page begins with a text.
func (p *project) shows(t *testing.T, r *running, page, text string) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		got := r.get(page)
		if strings.HasPrefix(got.body, text) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s is %q, and not %q", page, got.body, text)
		}
	}
}

// TestRootLink checks that a root link that is changed to another folder is noticed.
func TestRootLink(t *testing.T) {
	for way, interval := range ways {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, files{"one/index.html": "one", "two/index.html": "two"})
			base := p.root
			p.root = filepath.Join(base, "current")
			lead := func(to string) {
				if err := errors.Join(os.Symlink(to, filepath.Join(base, "next")), os.Rename(filepath.Join(base, "next"), p.root)); err != nil {
					t.Skip(err)
				}
			}
			lead("one")
			o := p.options()
			o.Poll = interval
			real := p.root
			o.Build = func(ctx context.Context, changed []string) (Snapshot, diag.List) {
				p := *p
				p.root, _ = filepath.EvalSymlinks(real)
				return p.build(ctx, changed)
			}
			r := start(t, o)
			p.shows(t, r, "/", "one")
			lead("two")
			p.shows(t, r, "/", "two")
			p.write("index.html", "edited")
			p.shows(t, r, "/", "edited")
		})
	}
}

// TestFoldersComeAndGo checks that a folder that is deleted and created again, many times and at
// different speeds, is watched in the end.
func TestFoldersComeAndGo(t *testing.T) {
	for way, interval := range ways {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, files{"index.html": "x", "pt/deep/a.md": "a"})
			go func() {
				for range p.changes { // discard them
				}
			}()
			o := p.options()
			o.Poll = interval
			r := start(t, o)
			for i := range 60 {
				switch i % 3 {
				case 0:
					os.RemoveAll(p.path("pt"))
				case 1:
					p.rename("pt", fmt.Sprintf("old%d", i))
				case 2:
					os.RemoveAll(p.path("pt/deep"))
				}
				if i%7 == 0 {
					time.Sleep(time.Duration(i%5) * 3 * time.Millisecond)
				}
				p.write("pt/deep/a.md", fmt.Sprint("round ", i))
				if i%10 == 9 {
					text := fmt.Sprint("edited in round ", i)
					time.Sleep(time.Duration(i%4) * 20 * time.Millisecond)
					p.write("pt/deep/a.md", text)
					p.shows(t, r, "/pt/deep/a.md", text)
				}
			}
		})
	}
}

func TestNoRoot(t *testing.T) {
	t.Parallel()
	p := newProject(t, files{"file": ""})
	for _, root := range []string{"none", "file"} {
		o := Preview{Root: p.path(root)}
		if err := listen(t, &o).Serve(t.Context()); err == nil || !strings.Contains(err.Error(), root) {
			t.Errorf("%s: err = %v", root, err)
		}
		if _, err := o.Listener.Accept(); err == nil {
			t.Errorf("%s: the listener is still open", root)
		}
	}
}

// Links are not followed, as they may be circular; only the root itself may be a link.
func TestLinks(t *testing.T) {
	t.Parallel()
	p := newProject(t, files{"real/a.md": "a"})
	if err := errors.Join(os.Symlink(p.root, p.path("real/loop")), os.Symlink(p.path("real"), p.path("link"))); err != nil {
		t.Skip(err)
	}
	tr, err := newTree(p.path("link"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	err = tr.walk(".", func(rel string, _ fs.DirEntry) error {
		found = append(found, rel)
		return nil
	})
	if err != nil || !slices.Equal(found, []string{".", "a.md", "loop"}) {
		t.Errorf("%q, %v", found, err)
	}
}

// lockedBuffer is a log that several goroutines use.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestGoneWhileOpen checks that the deletion of the root folder is noticed although gpudocs holds it
// open, which suppresses the event.
func TestGoneWhileOpen(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "site")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	tree, err := newTree(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- notify(t.Context(), tree, newInbox()) }()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err == nil {
			t.Error("no error after the folder was deleted")
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the deletion of the folder was not noticed")
	}
}
