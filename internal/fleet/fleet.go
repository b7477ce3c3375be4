// Package fleet runs gpudocs verify on other machines, through the user's own
// OpenSSH client: their configuration, agent, known hosts and jump hosts hold.
//
//	results, err := fleet.Run(ctx, fleet.Options{Hosts: hosts, Site: fsys, Files: files, ...})
//
// # One machine
//
// One ssh connection does all of it. The login shell there, whichever it is, is
// given a command of a few harmless characters that starts sh, and sh reads
// bootstrap.sh from the connection. That makes a private folder, says which
// system it is on, takes a gpudocs built for that system, and runs it with a
// hidden command, [Serve]: it takes the site and the machine's report of before,
// runs verify, and gives its lines and the new report back. At last sh removes
// the folder. Nothing has to be installed there but sh and the likes of head and gzip,
// and nothing is left there: no program is kept for the next time, since it is sent
// in a second or two on a lab's network, and a cache would have to be trusted.
//
// # Ends
//
// The connection's own end is the only signal. A machine that hears the end of
// its input, or nothing for a while (we make a sign of life every few seconds),
// stops its run, gives back what was finished if anyone still listens, and
// removes the folder. So Ctrl-C, a killed ssh, a killed gpudocs and a cut cable
// are one case. For Ctrl-C we wait a little for that report.
//
// # Trust
//
// What a machine says is untrusted: lines without the connection's random mark
// are noise (of a .bashrc, for example) and dropped, lines are bounded and
// shown without control characters, and a report is taken only whole, within
// its bound, valid, and under the label of its machine. How long each part of
// the conversation takes, and how much is said in all, is bounded too: see limits.
//
// Snippets there run with the rights of the user who logs in. The agent and X11
// are not forwarded to them.
package fleet

import (
	"context"
	"errors"
	"io/fs"
	"os/exec"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
)

// Options for [Run].
type Options struct {
	Hosts []Host
	// Programs are the gpudocs that can be sent; the first that was built for a
	// machine's system is taken.
	Programs []*Program
	// Site is the site's folder, Files are those of it that are sent.
	Site  fs.FS
	Files []string
	// Args are flags and paths of verify, as on the command line.
	Args []string
	// Previous are the files of the reports that the runs continue, by label.
	Previous map[string][]byte
	// Patience is how long a machine may take to answer at first, Longest how long
	// its run may take in all, if it is not zero.
	Patience, Longest time.Duration
	// Said is told the lines of a machine's run, Gathered its report, as soon as
	// each is there. Both are called from several goroutines.
	Said     func(h Host, line string)
	Gathered func(h Host, r *report.Report) error
}

// A Result is how it went on one machine.
type Result struct {
	Host Host
	// Report is what was gathered, also where the run did not come to its end;
	// nil where nothing was.
	Report *report.Report
	// Omitted is how much of the run's output was not shown.
	Omitted struct {
		Lines int
		Bytes int64
	}
	// Code is the exit code of verify there, if Err is nil.
	Code int
	// Err says why the run did not come to its end: a [*Fault], or the error of
	// the context.
	Err error
}

// Command is the hidden command of gpudocs that runs [Serve].
const Command = "internal-host"

// A Fault is why a machine gave no report: what happened, the words of the
// machine or of ssh, and what may help.
type Fault struct{ Message, Said, Hint string }

func (f *Fault) Error() string { return f.Message }

// ErrNoSSH tells that there is no ssh program.
var ErrNoSSH = errors.New("there is no ssh program")

// Run runs verify on all hosts at once. None waits for another.
func Run(ctx context.Context, o Options) ([]Result, error) {
	ssh, err := exec.LookPath("ssh")
	if err != nil {
		return nil, ErrNoSSH
	}
	for _, p := range o.Programs {
		go func() { _, _ = p.packed() }() // while the connections are made; whoever sends it sees the error
	}
	results := make([]Result, len(o.Hosts))
	var all sync.WaitGroup
	for i, h := range o.Hosts {
		all.Go(func() {
			c := newCall(&o, ssh, h)
			c.result.Err = c.run(ctx)
			results[i] = c.result
		})
	}
	all.Wait()
	return results, nil
}
