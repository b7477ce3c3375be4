// Package ssh runs gpudocs verify on other machines through the user's own
// OpenSSH client, with their configuration, agent, known hosts and jump hosts.
//
// # One machine
//
// There is one ssh connection. The login shell of the machine gets a short command
// without special characters that starts sh, and sh reads bootstrap.sh from the
// connection. The script creates a private folder, reports the system, receives a
// gpudocs built for that system, and runs it with a hidden command, [Serve]. This
// receives the site and the machine's previous report, runs verify, and sends its lines
// and the new report back. At the end sh removes the folder. The machine needs sh and a
// few tools such as head and gzip. Nothing stays on it: sending the program takes a
// second or two on a local network, and a cache on the machine would have to be
// trusted.
//
// # Ends
//
// The end of the connection is the only signal. A machine whose input ends, or that
// receives nothing for a while (there is a heartbeat every few seconds), stops its run,
// sends finished results if anyone still listens, and removes the folder. So Ctrl-C, a
// killed ssh, a killed gpudocs and a broken network are handled alike. After Ctrl-C
// this side waits a short time for the report.
//
// # Trust
//
// What a machine sends is untrusted. Lines without the connection's random token are
// noise (of a .bashrc, for example) and dropped. Lines are limited in length and shown
// without control characters. A report is accepted only if it is complete, not too
// large, valid, and under the label of its machine. The time of each stage and the
// total number of bytes are limited too: see limits.
//
// Snippets run with the permissions of the user who logs in. The agent and X11 are not
// forwarded to them.
package ssh

import (
	"context"
	"os/exec"
	"time"

	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
)

// Command is the hidden command of gpudocs that runs [Serve].
const Command = "internal-host"

// ErrNoSSH is returned if there is no ssh program.
var ErrNoSSH = text.Say("verify.ssh-missing")

// Targets returns a target for each host. Of the programs, the first one for the system of a machine is sent.
// answerTime is how long a machine may take for its first answer.
func Targets(hosts []Host, programs []*Program, answerTime time.Duration) ([]remote.Target, error) {
	client, err := exec.LookPath("ssh")
	if err != nil {
		return nil, ErrNoSSH
	}
	var targets []remote.Target
	for _, h := range hosts {
		targets = append(targets, target{h, client, programs, answerTime})
	}
	return targets, nil
}

// A target is a host and how to reach it.
type target struct {
	Host
	client     string // the ssh program
	programs   []*Program
	answerTime time.Duration
}

func (t target) Run(ctx context.Context, r *remote.Request, o remote.Observer) []remote.Result {
	for _, p := range t.programs {
		go func() { _, _ = p.packed() }() // while the connection is made; if it fails, sending it returns the error
	}
	c := newConnection(t, r, o)
	if c.result.Err = c.run(ctx); c.result.Err != nil {
		c.result.Code = remote.ExitBroken
	}
	return []remote.Result{c.result}
}
