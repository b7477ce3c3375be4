package ssh

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/verify/remote"
)

// Verify runs gpudocs with arguments and returns its exit code.
type Verify func(ctx context.Context, args []string, stdout, stderr io.Writer) int

// Serve runs on the machine: it reads the work from in, runs it below the folder, and
// sends messages to out. The run ends if in ends, or if nothing arrives for a while.
// Serve returns the exit code of verify.
func Serve(ctx context.Context, in io.Reader, out io.Writer, token, folder string, verify Verify) (int, error) {
	s := &sender{w: out, token: token}
	s.send(wordReady, "")
	r := bufio.NewReader(in)
	w, err := receiveWork(r, folder)
	if err != nil {
		s.send(wordFault, "the site did not arrive: "+err.Error())
		return 0, err
	}
	file := filepath.Join(folder, reportFile)
	previous, err := readIfThere(file)
	if err != nil {
		return 0, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go stopOnSilence(r, defaultLimits.silence, stop)
	defer heartbeat(func() { s.send(wordAlive, "") })()

	output := func(word string) *remote.LineWriter {
		return &remote.LineWriter{Line: func(line string) {
			if line != "wrote "+file { // the report has another path here
				line = strings.ReplaceAll(line, filepath.Join(folder, reportFile), "results/"+w.Label+".json") // the folder is temporary
				s.send(word, strings.ReplaceAll(line, filepath.Join(folder, siteDir)+string(filepath.Separator), ""))
			}
		}}
	}
	stdout, stderr := output(wordOut), output(wordErr)
	code := verify(ctx, append([]string{
		"verify", "--site", filepath.Join(folder, siteDir), "--machine", w.Label, "--report", file}, w.Args...), stdout, stderr)
	stdout.Flush()
	stderr.Flush()
	after, err := readIfThere(file)
	if err != nil {
		return 0, err
	}
	// If a run failed before it wrote a report, this is the previous one.
	if after != nil && (code <= remote.ExitFailed || !bytes.Equal(previous, after)) {
		s.report(after)
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

// stopOnSilence calls stop if the input ends, or if nothing comes from it for the
// limit.
func stopOnSilence(r io.Reader, limit time.Duration, stop func()) {
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
