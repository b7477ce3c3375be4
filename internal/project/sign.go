package project

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/trust"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Signer signs reports, if it has a key.
type Signer struct {
	file    string // --sign
	key     ssh.Signer
	signers *trust.Signers
	list    string // the file of the signers
	// had is set if the report that this run replaces is signed.
	had bool
}

// NewSigner opens the key in a file, or none if the file is "". Commands call it before anything is run, so that a wrong
// key does not cost the results of a long run. ask asks for a password; it may be nil. The diagnostics are those of
// the file of signers.
func (p *Project) NewSigner(config *site.Config, file string, ask func(diag.Text) ([]byte, error)) (*Signer, diag.List, error) {
	signers, diags := p.signers(config)
	s := &Signer{file: file, signers: signers, list: config.AllowedSigners}
	if file == "" || diags.HasErrors() {
		return s, diags, nil
	}
	var err error
	s.key, err = trust.Open(file, ask)
	if fault, ok := errors.AsType[*trust.KeyError](err); ok {
		err = diag.Wrong(diag.Say("report.sign-failed", "file", fault.File, "why", fault.Message).WithHint(fault.Hint))
	}
	return s, diags, err
}

// MayCount returns an error if the signature of a machine's report would not count.
func (s *Signer) MayCount(machine string) error {
	if s.key == nil || s.signers == nil {
		return nil
	}
	if why := s.signers.Refuses(s.key.PublicKey(), machine, time.Now()); !why.IsZero() {
		hint := diag.Say("report.sign-not-counting-hint", "file", s.list, "line", trust.Line(machine, s.key.PublicKey()))
		return diag.Wrong(diag.Say("report.sign-not-counting", "file", s.file, "why", why).WithHint(hint))
	}
	return nil
}

// MayContinue returns an error if a report was changed after it was signed. With a key it also returns one
// if the report is not signed with that key or by a signer of the site, because the results that a run
// keeps are signed together with the new ones.
func (s *Signer) MayContinue(file string, previous report.File) error {
	if previous.Report == nil {
		return nil
	}
	signature, err := trust.ReadSignature(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		message := diag.Say("diag.cause-at", "place", file+report.SignatureExtension, "why", err)
		return diag.Wrong(message.WithHint(diag.Say("verify.report-unusable-hint")))
	}
	s.had = signature != nil
	v := s.signers.Check(previous, signature)
	switch {
	case v.Status == trust.Mismatch:
		return diag.Wrong(diag.Say("report.continue-signature-mismatch", "file", file, "why", v.Reason))
	case s.key == nil, v.Status == trust.Signed, v.Key == ssh.FingerprintSHA256(s.key.PublicKey()):
		return nil
	}
	what := diag.Say("report.not-signed")
	if v.Status != trust.NotSigned {
		what = diag.Say("report.signed-by-other")
	}
	hint := diag.Say("report.continue-unsigned-hint", "namespace", trust.Namespace, "file", s.file, "name", file)
	return diag.Wrong(diag.Say("report.continue-unsigned", "file", file, "what", what).WithHint(hint))
}

// Write writes a report, and its signature if there is a key. unsigned is a message if the report was signed before and
// now is not. If only the signature cannot be made, the error is [report.ErrNotSigned], and ByHand the way out.
func (s *Signer) Write(file string, r *report.Report) (unsigned diag.Text, err error) {
	err = trust.Write(file, r, s.key)
	if s.had && (errors.Is(err, report.ErrNotSigned) || err == nil && s.key == nil) {
		unsigned = diag.Say("cli.unsigned_now", "file", file, "signature", file+report.SignatureExtension)
	}
	return unsigned, err
}

// ByHand returns how to sign a report without gpudocs.
func (s *Signer) ByHand(file string) diag.Text {
	return diag.Say("report.sign-by-hand-hint", "namespace", trust.Namespace, "file", s.file, "name", file)
}

// Checkpoint writes the report of an unfinished run. It is signed too, so that the next run may
// continue it, unless each signature needs a touch of the key.
func (s *Signer) Checkpoint(file string, r *report.Report) error {
	if s.key != nil && strings.HasPrefix(s.key.PublicKey().Type(), "sk-") {
		return report.Write(file, r)
	}
	return trust.Write(file, r, s.key)
}

// Wrote returns the message that a report, and its signature, are written.
func (s *Signer) Wrote(file string) diag.Text {
	if s.key == nil {
		return diag.Say("cli.wrote", "file", file)
	}
	return diag.Say("cli.wrote_signed", "file", file)
}
