//go:build unix

package session

import "testing"

// The tests here and those named TestSurvives in other files are the list of what a session
// survives: see # Ends in the package comment.

func TestSurvivesReadingStdin(t *testing.T) {
	t.Parallel()
	s := start(t, options(t, Bash))
	want{code: "cat; read x || echo eof", out: "eof\n"}.check(t, run(t, s, Step{Code: "cat; read x || echo eof"}))
	want{code: "echo on", out: "on\n"}.check(t, run(t, s, Step{Code: "echo on"}))

	s = start(t, options(t, Python))
	code := "import sys, subprocess\nprint(repr(sys.stdin.read()))\nsubprocess.run(['cat']).returncode"
	want{code: code, out: "''\n0\n"}.check(t, run(t, s, Step{Code: code}))
	want{code: "1", out: "1\n"}.check(t, run(t, s, Step{Code: "1"}))
}

func TestSurvivesOsExit(t *testing.T) {
	for _, o := range confinements(t, Python) {
		s := start(t, o)
		code := "import os\nprint('said', flush=True)\nos._exit(0)"
		want{code: code, out: "said\n", status: Crashed, ended: true}.check(t, run(t, s, Step{Code: code}))
	}
}

func TestSurvivesSignalToTheInterpreter(t *testing.T) {
	for _, o := range confinements(t, Bash) {
		for _, c := range []struct {
			code, signal string
			exit         int
		}{
			{"echo a; kill -KILL $BASHPID; sleep 60", "SIGKILL", 137},
			{"echo a; kill -SEGV $BASHPID; sleep 60", "SIGSEGV", 139},
		} {
			s := start(t, o)
			want{code: c.code, out: "a\n", exit: c.exit, status: Crashed, signal: c.signal, ended: true}.check(t, run(t, s, Step{Code: c.code}))
			o.Scratch = t.TempDir()
		}
	}
}

func TestSurvivesBytesThatAreNotUTF8(t *testing.T) {
	t.Parallel()
	for interpreter, code := range map[string]string{
		Bash:   `printf 'a\377\000b\xc3'; printf '\xed\xa0\x80' >&2`,
		Python: "import sys\nsys.stdout.buffer.write(b'a\\xff\\x00b\\xc3');sys.stderr.buffer.write(b'\\xed\\xa0\\x80');",
	} {
		s := start(t, options(t, interpreter))
		want{code: code, out: "a\xff\x00b\xc3", err: "\xed\xa0\x80"}.check(t, run(t, s, Step{Code: code}))
	}
}
