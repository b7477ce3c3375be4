package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/term"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/trust"
)

// A seal is how verify signs its report; without a key it does not.
type seal struct {
	file    string // --sign
	key     ssh.Signer
	signers *trust.Signers
	list    string // the file of the signers
	// had is set where the report that this run replaces has a signature.
	had bool
}

// newSeal opens the key of --sign before anything is run: a wrong key must not
// cost the results of a long run. See [seal.mayCount] for the right one.
func (a *app) newSeal(ctx context.Context, fsys fs.FS, config *content.Config, file string) (*seal, error) {
	signers, diags := readSigners(fsys, config)
	if diags.HasErrors() {
		a.print(diags)
		return nil, a.broken(diags, "nothing_run")
	}
	s := &seal{file: file, signers: signers, list: config.AllowedSigners}
	if file == "" {
		return s, nil
	}
	var ask func(string) ([]byte, error)
	if a.terminal(a.stdin) {
		ask = func(question string) ([]byte, error) { return a.askSecret(ctx, question) }
	}
	var err error
	var fault *trust.KeyError
	if s.key, err = trust.Open(file, ask); errors.As(err, &fault) {
		return nil, usage(fault.Hint, "--sign %s: %s", fault.File, fault.Message)
	} else if err != nil {
		return nil, err
	}
	return s, nil
}

// mayCount refuses to sign a machine's report if the signature would not count
// at once.
func (s *seal) mayCount(machine string) error {
	if s.key == nil || s.signers == nil {
		return nil
	}
	if why := s.signers.Refuses(s.key.PublicKey(), machine, time.Now()); !why.IsZero() {
		return usage("to list it, add to "+s.list+": "+trust.Line(machine, s.key.PublicKey()),
			"--sign %s: the signature would not count: %s", s.file, why)
	}
	return nil
}

// mayContinue refuses to go on from a report that has been changed since it was
// signed, and to sign what nobody has vouched for: the results that a run keeps
// are signed with the new ones.
func (s *seal) mayContinue(file string, previous report.File) error {
	if previous.Report == nil {
		return nil
	}
	signature, err := trust.ReadSignature(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		return usage("move it away, or name another report with --report", "%s: %v", file+report.SignatureExtension, err)
	}
	s.had = signature != nil
	v := s.signers.Check(previous, signature)
	switch {
	case v.Status == trust.Mismatch:
		return usage("move it and its signature away, or take them as they were signed", "%s cannot be continued: the signature does not match: %s", file, v.Reason)
	case s.key == nil, v.Status == trust.Signed, v.Key == ssh.FingerprintSHA256(s.key.PublicKey()):
		return nil
	}
	what := diag.Say("not signed")
	if v.Status != trust.NotSigned {
		what = diag.Say("signed by somebody else")
	}
	return usage(fmt.Sprintf("move it away, or vouch for what it holds: ssh-keygen -Y sign -n %s -f %s %s", trust.Namespace, s.file, file),
		"%s is %s, and its results would be signed with those of this run", file, what)
}

// write puts the report into its place, signed or not.
func (a *app) write(file string, r *report.Report, s *seal) error {
	err := trust.Write(file, r, s.key)
	failed := errors.Is(err, report.ErrNotSigned)
	if s.had && (failed || err == nil && s.key == nil) {
		fmt.Fprintln(a.stdout, a.w.Get("unsigned_now", "file", file, "signature", file+report.SignatureExtension))
	}
	if failed {
		return endWith(exitBroken, err, fmt.Sprintf("sign it: ssh-keygen -Y sign -n %s -f %s %s", trust.Namespace, s.file, file))
	}
	return err
}

// checkpoint puts the report of an unfinished run into its place. It is signed
// too, so that the next run may continue it, but not where each signature asks
// for a touch of the key.
func (s *seal) checkpoint(file string, r *report.Report) error {
	if s.key != nil && strings.HasPrefix(s.key.PublicKey().Type(), "sk-") {
		return report.Write(file, r)
	}
	return trust.Write(file, r, s.key)
}

// wrote says that the report is there, and its signature.
func (s *seal) wrote(w words, file string) string {
	if s.key == nil {
		return w.Get("wrote", "file", file)
	}
	return w.Get("wrote_signed", "file", file)
}

// askSecret puts a question on the terminal whose answer is not shown. A read
// cannot be interrupted, so when ctx ends it is left behind.
func (a *app) askSecret(ctx context.Context, question string) ([]byte, error) {
	fd := int(a.stdin.(*os.File).Fd())
	shown, err := term.GetState(fd)
	if err != nil {
		return nil, err
	}
	fmt.Fprint(a.stderr, a.w.own(question))
	type answer struct {
		text []byte
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		text, err := term.ReadPassword(fd)
		done <- answer{text, err}
	}()
	defer fmt.Fprintln(a.stderr)
	select {
	case r := <-done:
		return r.text, r.err
	case <-ctx.Done():
		_ = term.Restore(fd, shown) // the line is shown again in the shell that follows
		return nil, ctx.Err()
	}
}
