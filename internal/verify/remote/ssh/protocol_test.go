package ssh

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

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
)

func messages(t *testing.T, output string) (out []message) {
	t.Helper()
	e := newReceiver(strings.NewReader(output), "TOKEN", 1<<20)
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
	got := messages(t, "Welcome\nno newlineTOKEN at Linux x86_64\nTOKENED out no\n"+long+"\nTOKEN out \x1b[31mred\x07 \u202eback \xff\r\nTOKEN\nTOKEN ready\nTOKEN out "+long+"\nTOKEN end 0\nTOKEN out not whole")
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
	if r, err := newReceiver(strings.NewReader(good), "M", 1<<20).report("107", "lab", func() {}); err != nil || r.Machine.Name != "lab" {
		t.Errorf("%v, %v (%d bytes)", r, err, len(good))
	}
	for _, c := range []struct{ size, label string }{
		{"107", "other"}, {"106", "lab"}, {"200", "lab"}, {"-1", "lab"}, {"", "lab"}, {"67108865", "lab"}, {"99999999999999999999", "lab"}, {"1e3", "lab"},
	} {
		if r, err := newReceiver(strings.NewReader(good), "M", 1<<20).report(c.size, c.label, func() {}); err == nil {
			t.Errorf("%v: %v", c, r)
		}
	}
}

// TestOneReport: only one report of a machine is accepted.
func TestOneReport(t *testing.T) {
	t.Parallel()
	data := emptyReport(t)
	output := fmt.Sprintf("TOKEN report %d\n%s\n", len(data), data)
	gathered := 0
	c := lone()
	c.observer.Report = func(string, *report.Report) error { gathered++; return nil }
	err := c.listen(newReceiver(strings.NewReader(output+output+"TOKEN end 0\n"), "TOKEN", c.limits.received))
	if fault := (*remote.Error)(nil); !errors.As(err, &fault) || gathered != 1 {
		t.Errorf("%d reports were taken: %v", gathered, err)
	}
}

// FuzzReceiver: whatever a machine sends, the part that is shown is limited and harmless.
func FuzzReceiver(f *testing.F) {
	f.Add([]byte("TOKEN at Linux x86_64\nTOKEN ready\nTOKEN out passed\nTOKEN report 3\n{}\nTOKEN end 0\n"))
	f.Add([]byte("noise\x00TOKEN out \x1b]0;title\x07\n"))
	f.Fuzz(func(t *testing.T, output []byte) {
		e := newReceiver(bytes.NewReader(output), "TOKEN", 1<<20)
		for {
			m, err := e.next()
			if err != nil {
				return
			}
			if len(m.rest) > 3*maxLine || m.rest != printable(m.rest) {
				t.Errorf("%q", m.rest)
			}
			if m.word == wordReport {
				if r, err := e.report(m.rest, "lab", func() {}); err == nil && r.Machine.Name != "lab" {
					t.Errorf("a report of %q", r.Machine.Name)
				}
			}
		}
	})
}

// TestSilence: the run there ends when we end it, and when our signs of life stop.
func TestSilence(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	stopped := make(chan struct{})
	go stopOnSilence(r, time.Hour, func() { close(stopped) })
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
	go stopOnSilence(r, time.Millisecond, func() { close(stopped) })
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
	r := &remote.Request{Site: os.DirFS(site), Files: names, Args: []string{"--run=a", "--", "x y"}, Previous: map[string]report.File{"lab": {Data: []byte("{}"), Report: &report.Report{}}}}
	if err := sendWork(&sent, r, "lab"); err != nil {
		t.Fatal(err)
	}
	sent.WriteString("\n\n")
	j, err := receiveWork(&sent, there)
	if err != nil || !cmp.Equal(j, work{"lab", r.Args}) {
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
		_ = sendWork(&sent, &remote.Request{Site: os.DirFS(f.TempDir())}, "lab")
		f.Add(sent.Bytes(), name)
	}
	f.Fuzz(func(t *testing.T, sent []byte, name string) {
		outer := t.TempDir()
		folder := filepath.Join(outer, "folder")
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		_, _ = receiveWork(bytes.NewReader(sent), folder)
		root, err := os.OpenRoot(folder)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		_ = unpack(root, name, 0o600, strings.NewReader("x"))
		if entries, err := os.ReadDir(outer); err != nil || len(entries) != 1 {
			t.Errorf("%q wrote %v, %v", name, entries, err)
		}
	})
}

func TestTail(t *testing.T) {
	t.Parallel()
	output := subprocess.Tail{Limit: maxLine}
	for range 1000 {
		io.WriteString(&output, "many lines that nobody needs to read once more\n")
	}
	io.WriteString(&output, "@@@@@@@@\n\n  last \x1b[2J\r\n")
	lines := strings.Split(lastLines(&output), "\n")
	if len(lines) != maxErrorLines || lines[maxErrorLines-1] != "last \ufffd[2J" || lines[maxErrorLines-2] != "many lines that nobody needs to read once more" {
		t.Errorf("%d lines: %q", len(lines), lines)
	}
}
