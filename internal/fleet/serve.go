package fleet

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Verify runs gpudocs with arguments and returns its exit code.
type Verify func(ctx context.Context, args []string, stdout, stderr io.Writer) int

// Serve is the side on the machine: it takes the work from in, runs it below
// the folder, and says on out how it goes. The run ends when in does, or when
// nothing comes from it for a while. It returns the exit code.
func Serve(ctx context.Context, in io.Reader, out io.Writer, mark, folder string, verify Verify) (int, error) {
	m := &mouth{w: out, mark: mark}
	m.say(wordReady, "")
	r := bufio.NewReader(in)
	j, err := takeWork(r, folder)
	if err != nil {
		m.say(wordFault, "the site did not arrive: "+err.Error())
		return 0, err
	}
	file := filepath.Join(folder, reportFile)
	before, err := readIfThere(file)
	if err != nil {
		return 0, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go untilSilence(r, defaultLimits.silence, stop)
	defer pulse(func() { m.say(wordAlive, "") })()

	voice := func(word string) *lines {
		return &lines{say: func(line string) {
			if line != "wrote "+file { // it is written where it was asked for
				m.say(word, withoutFolder(line, folder, j.Label))
			}
		}}
	}
	stdout, stderr := voice(wordOut), voice(wordErr)
	code := verify(ctx, append([]string{
		"verify", "--site", filepath.Join(folder, siteDir), "--machine", j.Label, "--report", file}, j.Args...), stdout, stderr)
	stdout.end()
	stderr.end()
	after, err := readIfThere(file)
	if err != nil {
		return 0, err
	}
	// A run that failed before it wrote has left the report of before.
	if after != nil && (code <= 1 || !bytes.Equal(before, after)) {
		m.report(after)
	}
	return code, nil
}

func readIfThere(file string) ([]byte, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// untilSilence calls stop when the input ends, or when nothing has come from it
// for the limit.
func untilSilence(r io.Reader, limit time.Duration, stop func()) {
	t := time.AfterFunc(limit, stop)
	defer t.Stop()
	for b := make([]byte, 64); ; {
		if _, err := r.Read(b); err != nil {
			stop()
			return
		}
		t.Reset(limit)
	}
}
