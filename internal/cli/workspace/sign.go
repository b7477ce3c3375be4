package workspace

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

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/trust"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A ReportSigner signs the report of verify, if it has a key.
type ReportSigner struct {
	file    string // --sign
	key     ssh.Signer
	signers *trust.Signers
	list    string // the file of the signers
	// had is set if the report that this run replaces is signed.
	had bool
}

// NewReportSigner opens the key of --sign. Commands call it before anything is run, so that a wrong key does
// not cost the results of a long run.
func NewReportSigner(ctx context.Context, a *env.Env, fsys fs.FS, config *site.Config, file string) (*ReportSigner, error) {
	signers, diags := readSigners(fsys, config)
	if diags.HasErrors() {
		a.Print(diags)
		return nil, a.Broken(diags, "nothing_run")
	}
	s := &ReportSigner{file: file, signers: signers, list: config.AllowedSigners}
	if file == "" {
		return s, nil
	}
	var ask func(diag.Text) ([]byte, error)
	if a.Terminal(a.Stdin) {
		ask = func(question diag.Text) ([]byte, error) { return askSecret(ctx, a, question) }
	}
	var err error
	s.key, err = trust.Open(file, ask)
	if fault, ok := errors.AsType[*trust.KeyError](err); ok {
		return nil, env.Usage(fault.Hint, diag.Say("report.sign-failed", "file", fault.File, "why", fault.Message))
	}
	return s, err
}

// MayCount returns an error if the signature of a machine's report would not count.
func (s *ReportSigner) MayCount(machine string) error {
	if s.key == nil || s.signers == nil {
		return nil
	}
	if why := s.signers.Refuses(s.key.PublicKey(), machine, time.Now()); !why.IsZero() {
		return env.Usage(diag.Say("report.sign-not-counting-hint", "file", s.list, "line", trust.Line(machine, s.key.PublicKey())),
			diag.Say("report.sign-not-counting", "file", s.file, "why", why))
	}
	return nil
}

// MayContinue returns an error if a report was changed after it was signed. With a key it also returns one
// if the report is not signed with that key or by a signer of the site, because the results that a run
// keeps are signed together with the new ones.
func (s *ReportSigner) MayContinue(file string, previous report.File) error {
	if previous.Report == nil {
		return nil
	}
	signature, err := trust.ReadSignature(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		return env.Usage(diag.Say("verify.report-unusable-hint"), diag.Say("diag.cause-at", "place", file+report.SignatureExtension, "why", err))
	}
	s.had = signature != nil
	v := s.signers.Check(previous, signature)
	switch {
	case v.Status == trust.Mismatch:
		return env.Usage(diag.Say("report.continue-signature-mismatch-hint"), diag.Say("report.continue-signature-mismatch", "file", file, "why", v.Reason))
	case s.key == nil, v.Status == trust.Signed, v.Key == ssh.FingerprintSHA256(s.key.PublicKey()):
		return nil
	}
	what := diag.Say("report.not-signed")
	if v.Status != trust.NotSigned {
		what = diag.Say("report.signed-by-other")
	}
	return env.Usage(diag.Say("report.continue-unsigned-hint", "namespace", trust.Namespace, "file", s.file, "name", file),
		diag.Say("report.continue-unsigned", "file", file, "what", what))
}

// Write writes the report, and its signature if there is a key.
func Write(a *env.Env, file string, r *report.Report, s *ReportSigner) error {
	err := trust.Write(file, r, s.key)
	failed := errors.Is(err, report.ErrNotSigned)
	if s.had && (failed || err == nil && s.key == nil) {
		fmt.Fprintln(a.Stdout, a.Text.Get("unsigned_now", "file", file, "signature", file+report.SignatureExtension))
	}
	if failed {
		return env.EndWith(env.ExitBroken, err, diag.Say("report.sign-by-hand-hint", "namespace", trust.Namespace, "file", s.file, "name", file))
	}
	return err
}

// Checkpoint writes the report of an unfinished run. It is signed too, so that the next run may
// continue it, unless each signature needs a touch of the key.
func (s *ReportSigner) Checkpoint(file string, r *report.Report) error {
	if s.key != nil && strings.HasPrefix(s.key.PublicKey().Type(), "sk-") {
		return report.Write(file, r)
	}
	return trust.Write(file, r, s.key)
}

// Wrote returns the message that the report, and its signature, are written.
func (s *ReportSigner) Wrote(t env.Catalog, file string) string {
	if s.key == nil {
		return t.Get("wrote", "file", file)
	}
	return t.Get("wrote_signed", "file", file)
}

// askSecret asks a question on the terminal without echo. A read cannot be interrupted, so it is
// abandoned if ctx ends.
func askSecret(ctx context.Context, a *env.Env, question diag.Text) ([]byte, error) {
	fd := int(a.Stdin.(*os.File).Fd())
	shown, err := term.GetState(fd)
	if err != nil {
		return nil, err
	}
	fmt.Fprint(a.Stderr, question.In(a.Text.Catalog))
	type answer struct {
		text []byte
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		text, err := term.ReadPassword(fd)
		done <- answer{text, err}
	}()
	defer fmt.Fprintln(a.Stderr)
	select {
	case r := <-done:
		return r.text, r.err
	case <-ctx.Done():
		_ = term.Restore(fd, shown) // so that the shell echoes again
		return nil, ctx.Err()
	}
}
