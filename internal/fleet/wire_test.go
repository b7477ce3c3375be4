package fleet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/child"
	"github.com/gpudocs/gpudocs/internal/report"
)

func hear(t *testing.T, said string) (out []message) {
	t.Helper()
	e := newEar(strings.NewReader(said), "MARK", 1<<20)
	for {
		m, err := e.next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m)
	}
}

func TestNoise(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3*maxLine)
	got := hear(t, "Welcome\nno newlineMARK at Linux x86_64\nMARKED out no\n"+long+"\nMARK out \x1b[31mred\x07 \u202eback \xff\r\nMARK\nMARK ready\nMARK out "+long+"\nMARK end 0\nMARK out not whole")
	for i, m := range got {
		if len(m.rest) > maxLine {
			t.Errorf("a line of %d bytes", len(m.rest))
			continue
		}
		if strings.HasPrefix(m.rest, "xxx") {
			got[i].rest = "xxx"
		}
	}
	want := []message{{"at", "Linux x86_64"}, {"out", "\ufffd[31mred\ufffd \ufffdback \ufffd"}, {"ready", ""}, {"out", "xxx"}, {"end", "0"}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(message{})); d != "" {
		t.Error(d)
	}
}

func TestReportsRefused(t *testing.T) {
	t.Parallel()
	const good = `{"schema":1,"generator":"g","machine":{"name":"lab","os":"","arch":"","gpu":{"status":"none"}},"checks":[]}`
	if r, err := newEar(strings.NewReader(good), "M", 1<<20).report("107", "lab", nil); err != nil || r.Machine.Name != "lab" {
		t.Errorf("%v, %v (%d bytes)", r, err, len(good))
	}
	for _, c := range []struct{ size, label string }{
		{"107", "other"}, {"106", "lab"}, {"200", "lab"}, {"-1", "lab"}, {"", "lab"}, {"67108865", "lab"}, {"99999999999999999999", "lab"}, {"1e3", "lab"},
	} {
		if r, err := newEar(strings.NewReader(good), "M", 1<<20).report(c.size, c.label, nil); err == nil {
			t.Errorf("%v: %v", c, r)
		}
	}
}

// TestOneReport: a machine gives one report, however often it says so.
func TestOneReport(t *testing.T) {
	t.Parallel()
	data := emptyReport(t)
	said := fmt.Sprintf("MARK report %d\n%s\n", len(data), data)
	gathered := 0
	c := newCall(&Options{Gathered: func(Host, *report.Report) error { gathered++; return nil }}, "", Host{Label: "lab"})
	err := c.listen(newEar(strings.NewReader(said+said+"MARK end 0\n"), "MARK", c.limits.heard))
	if fault := (*Fault)(nil); !errors.As(err, &fault) || gathered != 1 {
		t.Errorf("%d reports were taken: %v", gathered, err)
	}
}

// FuzzEar: whatever a machine says, what is shown of it is bounded and harmless.
func FuzzEar(f *testing.F) {
	f.Add([]byte("MARK at Linux x86_64\nMARK ready\nMARK out passed\nMARK report 3\n{}\nMARK end 0\n"))
	f.Add([]byte("noise\x00MARK out \x1b]0;title\x07\n"))
	f.Fuzz(func(t *testing.T, said []byte) {
		e := newEar(bytes.NewReader(said), "MARK", 1<<20)
		for {
			m, err := e.next()
			if err != nil {
				return
			}
			if len(m.rest) > 3*maxLine || m.rest != printable(m.rest) {
				t.Errorf("%q", m.rest)
			}
			if m.word == wordReport {
				if r, err := e.report(m.rest, "lab", nil); err == nil && r.Machine.Name != "lab" {
					t.Errorf("a report of %q", r.Machine.Name)
				}
			}
		}
	})
}

// TestSilence: the run there ends when we do, and when we are not heard any more.
func TestSilence(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	stopped := make(chan struct{})
	go untilSilence(r, time.Hour, func() { close(stopped) })
	io.WriteString(w, "\n\n")
	select {
	case <-stopped:
		t.Error("stopped by a sign of life")
	default:
	}
	w.Close()
	<-stopped

	r, _ = io.Pipe()
	stopped = make(chan struct{})
	go untilSilence(r, time.Millisecond, func() { close(stopped) })
	<-stopped
}

func TestWork(t *testing.T) {
	t.Parallel()
	site, there := t.TempDir(), t.TempDir()
	files := map[string]string{"gpudocs.toml": "title = 'x'\n", "content/pt/um dois/ação $(id) 'x'\n.md": "# A\n", "content/pt/leer.md": ""}
	var names []string
	for name, text := range files {
		full := filepath.Join(site, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	var sent bytes.Buffer
	o := &Options{Site: os.DirFS(site), Files: names, Args: []string{"--run=a", "--", "x y"}, Previous: map[string][]byte{"lab": []byte("{}")}}
	if err := sendWork(&sent, o, Host{Label: "lab"}); err != nil {
		t.Fatal(err)
	}
	sent.WriteString("\n\n")
	j, err := takeWork(&sent, there)
	if err != nil || !cmp.Equal(j, job{"lab", o.Args}) {
		t.Fatalf("%v, %v", j, err)
	}
	if sent.String() != "\n\n" {
		t.Errorf("%q is left of the signs of life", sent.String())
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(there, "site", name)); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	if before, err := readIfThere(filepath.Join(there, reportFile)); err != nil || string(before) != "{}" {
		t.Errorf("%q, %v", before, err)
	}
}

// FuzzWork: whatever arrives, nothing is written outside of the folder.
func FuzzWork(f *testing.F) {
	for _, name := range []string{"content/pt/a.md", "../../escaped", "/escaped", "site/../../escaped", ""} {
		var sent bytes.Buffer
		o := &Options{Site: os.DirFS(f.TempDir())}
		_ = sendWork(&sent, o, Host{Label: "lab"})
		f.Add(sent.Bytes(), name)
	}
	f.Fuzz(func(t *testing.T, sent []byte, name string) {
		outer := t.TempDir()
		folder := filepath.Join(outer, "folder")
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		_, _ = takeWork(bytes.NewReader(sent), folder)
		root, err := os.OpenRoot(folder)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		_ = unpack(root, name, strings.NewReader("x"))
		if entries, err := os.ReadDir(outer); err != nil || len(entries) != 1 {
			t.Errorf("%q wrote %v, %v", name, entries, err)
		}
	})
}

func TestTail(t *testing.T) {
	t.Parallel()
	said := child.Tail{Limit: maxLine}
	for range 1000 {
		io.WriteString(&said, "many lines that nobody needs to read once more\n")
	}
	io.WriteString(&said, "@@@@@@@@\n\n  last \x1b[2J\r\n")
	lines := strings.Split(lastLines(&said), "\n")
	if len(lines) != maxSaid || lines[maxSaid-1] != "last \ufffd[2J" || lines[maxSaid-2] != "many lines that nobody needs to read once more" {
		t.Errorf("%d lines: %q", len(lines), lines)
	}
}
