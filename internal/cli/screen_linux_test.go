package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// openTerminal opens a pseudo terminal of that size and returns its two ends.
func openTerminal(t *testing.T, columns, rows uint16) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	fd := int(master.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: columns, Row: rows})
	}
	if err == nil {
		slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return master, slave
}

// onTerminal runs gpudocs on a terminal and returns what was written to it.
func onTerminal(t *testing.T, columns uint16, env []string, args ...string) string {
	t.Helper()
	master, slave := openTerminal(t, columns, 24)
	defer master.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// Under this name the test binary is gpudocs, see TestMain.
	gpudocs := filepath.Join(t.TempDir(), "gpudocs")
	if err := os.Symlink(self, gpudocs); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), gpudocs, args...)
	c.Stdout, c.Stderr = slave, slave
	c.Env = append(append(os.Environ(), "TERM=xterm", "LC_ALL=", "LC_MESSAGES=", "LANGUAGE=", "COLUMNS=", "NO_COLOR=", "CLICOLOR_FORCE=", "GITHUB_ACTIONS=", "GOGC=off",
		"PATH="+directPath(os.Getenv("PATH"), pythonFolder(t))), env...)
	var out strings.Builder
	read := make(chan struct{})
	go func() {
		defer close(read)
		buffer := make([]byte, 4096)
		for {
			n, err := master.Read(buffer)
			out.Write(buffer[:n])
			if err != nil { // the other end is closed
				return
			}
		}
	}()
	_ = c.Run() // the exit code does not matter here
	slave.Close()
	<-read
	return out.String()
}

var colour = regexp.MustCompile("\x1b\\[[0-9;]*m")

// screen returns what a terminal shows at the end. It fails if a line was ever wider than the
// terminal, or if anything but the live line moves the cursor.
func screen(t *testing.T, output string, columns int) string {
	t.Helper()
	text := strings.ReplaceAll(colour.ReplaceAllString(output, ""), "\r\n", "\n")
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		shown := ""
		for i, part := range strings.Split(line, "\r") {
			rest, erased := strings.CutPrefix(part, "\x1b[K")
			kept, clears := strings.CutSuffix(rest, "\x1b[K")
			if strings.Contains(kept, "\x1b[K") { // the end of the line is erased, and text follows
				t.Fatalf("a live line is not followed by a return: %q", line)
			}
			switch {
			case strings.ContainsRune(kept, '\x1b'):
				t.Fatalf("the cursor is moved: %q", line)
			case i > 0 && !erased && !clears:
				t.Fatalf("a live line is not erased: %q", line)
			case terminal.Columns(kept) > columns:
				t.Errorf("wider than %d: %q", columns, kept)
			}
			shown = kept
		}
		lines = append(lines, shown)
	}
	return strings.Join(lines, "\n")
}

// TestScreen: on terminals of 60, 80 and 120 columns no line is too long in any language, and
// at the end only the results are shown.
func TestScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	site := t.TempDir()
	page := "# A page\n\n```bash {run name=first}\nsleep 0.5\n```\n\n```bash {run name=a-name-that-is-so-long-that-it-takes-half-of-a-line}\nexit 3\n```\n\n" +
		"```bash {run name=third needs=\"gpus >= 1000\"}\ntrue\n```\n\n[nowhere](not-there-at-all-and-with-a-long-name-so-that-the-message-is-long.md)\n"
	file := "content/pt/a-folder-with-a-long-name/a-page-with-a-long-name.md"
	for name, text := range map[string]string{"gpudocs.toml": "[languages.pt]\n", file: page} {
		name = filepath.Join(site, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	first := true
	for language, widths := range map[string][]uint16{"en_US.UTF-8": {120}, "pt_BR.UTF-8": {80}, "es_ES.UTF-8": {60}} {
		for _, columns := range widths {
			env := []string{"LANG=" + language}
			out := onTerminal(t, columns, env, "verify", "--site", site, "--machine", "lab")
			if first && !strings.Contains(out, "[1/3] ") {
				t.Errorf("no progress: %q", out)
			}
			first = false
			if lab, err := os.ReadFile(filepath.Join(site, "results", "lab.json")); err != nil || strings.Contains(string(lab), `"probe-`) {
				t.Errorf("gpudocs could not start itself: %v\n%s", err, lab)
			}
			if end := screen(t, out, int(columns)); strings.Contains(end, "/3]") || strings.Count(end, "third") != 1 || !strings.Contains(end, "lab.json") {
				t.Errorf("%s, %d: got at the end\n%s", language, columns, end)
			}
			for _, args := range [][]string{{"build"}, {"check"}, {"report", "show"}, {"translations"}, {"verify", "--plan"}, {"doctor"}} {
				end := screen(t, onTerminal(t, columns, env, append(args, "--site", site)...), int(columns))
				if strings.Contains(end, " ...\n") && args[0] != "doctor" || strings.TrimSpace(end) == "" {
					t.Errorf("%s, %d, %v: got at the end\n%s", language, columns, args, end)
				}
			}
		}
	}
}

// TestScreenDumb: a dumb terminal gets neither colour nor a live line.
func TestScreenDumb(t *testing.T) {
	out := onTerminal(t, 80, []string{"TERM=dumb", "LANG=C"}, "doctor", "--site", t.TempDir())
	if strings.ContainsRune(out, '\x1b') || strings.Contains(strings.ReplaceAll(out, "\r\n", ""), "\r") {
		t.Errorf("%q", out)
	}
}
