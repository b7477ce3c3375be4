package docs

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv/pyenvtest"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// runsSnippets skips a test if the documentation shows what this machine does not: one that runs snippets and has no GPU.
func runsSnippets(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("snippets do not run on Windows")
	}
	programtest.Need(t, "python3", "bash")
	for _, sign := range []string{"/proc/driver/nvidia", "/dev/nvidiactl", "/dev/dxg"} {
		if _, err := os.Stat(sign); err == nil {
			t.Skip("the documentation shows a machine without a GPU")
		}
	}
}

// built is the folder of gpudocs once a test has built it; TestMain removes it.
var built string

// program builds gpudocs once for all tests and returns its folder.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "gpudocs-docs-")
	if err != nil {
		return "", err
	}
	built = dir
	build := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", filepath.Join(dir, "gpudocs"), "./cmd/gpudocs")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	pyenvtest.Unwrap()
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}

// run runs a shell command with gpudocs in PATH, and returns all that it printed.
func run(t *testing.T, bin, dir, command string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	for _, v := range os.Environ() {
		switch name, _, _ := strings.Cut(v, "="); name {
		case "LANGUAGE", "GPUDOCS_MACHINE", "GITHUB_ACTIONS", "CLICOLOR_FORCE":
		default:
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "LC_ALL=C.UTF-8", "XDG_CACHE_HOME="+t.TempDir())
	out, _ := cmd.CombinedOutput() // the exit code of a failed check is 1
	return string(out)
}

// block returns the text of a block of code.
func block(n *ast.FencedCodeBlock, src []byte) string {
	var b bytes.Buffer
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(src))
	}
	return b.String()
}

var (
	// instruction is the comment before a block that goes into a file.
	instruction = regexp.MustCompile(`^<!-- (file|append|replace): (\S+) -->`)
	seconds     = regexp.MustCompile(`\b\d+\.\d\ds\b`)
	took        = regexp.MustCompile(` in [0-9.]+m?s\b`)
	machine     = regexp.MustCompile(`(?m)^machine (\w+): [^;]*;`)
)

// steady replaces the parts of an output that differ between machines and runs.
func steady(out string) string {
	out = seconds.ReplaceAllString(out, "0.00s")
	out = took.ReplaceAllString(out, " in 1ms")
	return machine.ReplaceAllString(out, "machine $1: this;")
}

// follow does what a block of the documentation says, in dir: it writes its file, or runs its commands and
// compares what they print.
func follow(t *testing.T, bin string, dir *string, n ast.Node, src []byte) (files, commands int) {
	t.Helper()
	fence, ok := n.(*ast.FencedCodeBlock)
	if !ok {
		return 0, 0
	}
	text := block(fence, src)
	if html, ok := fence.PreviousSibling().(*ast.HTMLBlock); ok {
		line := html.Lines().At(0)
		if m := instruction.FindSubmatch(line.Value(src)); m != nil {
			put(t, filepath.Join(*dir, string(m[2])), text, string(m[1]))
			return 1, 0
		}
	}
	if string(fence.Language(src)) != "console" {
		return 0, 0
	}
	for _, part := range strings.Split("\n"+text, "\n$ ")[1:] {
		command, want, _ := strings.Cut(strings.TrimSuffix(part, "\n"), "\n")
		commands++
		if to, ok := strings.CutPrefix(command, "cd "); ok {
			*dir = filepath.Join(*dir, to)
			continue
		}
		got := strings.TrimSuffix(run(t, bin, *dir, command), "\n")
		if steady(got) != steady(want) {
			t.Fatalf("$ %s\n%s\nthe page shows\n%s", command, got, want)
		}
	}
	return 0, commands
}

// put writes a file that is new, or extends or replaces one.
func put(t *testing.T, name, text, how string) {
	t.Helper()
	flags := map[string]int{"file": os.O_CREATE | os.O_EXCL, "append": os.O_APPEND, "replace": os.O_TRUNC}[how]
	f, err := os.OpenFile(name, os.O_WRONLY|flags, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
