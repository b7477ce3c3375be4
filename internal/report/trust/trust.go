// Package trust signs reports and determines who signed them.
//
// A signature is a file beside its report, results/<machine>.json.sig, in the format
// of OpenSSH (sshsig), so it can be made and checked without gpudocs:
//
//	ssh-keygen -Y sign -n gpudocs-report -f KEY results/deepnine.json
//	ssh-keygen -Y verify -n gpudocs-report -f allowed_signers -I deepnine \
//	    -s results/deepnine.json.sig < results/deepnine.json
//
// The accepted keys are in the file that [trust] allowed_signers of gpudocs.toml
// names, in OpenSSH format; its principals are the machines that a key signs
// for. See [ParseSigners]. Every byte of the report is
// signed: a [Verdict] is always about the bytes that were parsed, never
// about a file that is read a second time.
//
// A signature proves who wrote the report. It does not prove that the snippets were
// harmless, or the machine honest.
package trust

import (
	"bytes"
	"errors"
	"io/fs"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Namespace distinguishes signatures of reports from those of mail, commits and other
// files with the same key.
const Namespace = "gpudocs-report"

// MaxSignature limits a signature file, in bytes. That of the longest RSA key has 6 KiB.
const MaxSignature = 64 << 10

// A Status is the result of checking a signature.
type Status int

const (
	// NotSigned: there is no signature.
	NotSigned Status = iota
	// Signed: every byte is as a signer of the site signed it.
	Signed
	// Unknown: every byte is as it was signed, but not by a signer of the site.
	Unknown
	// OtherMachine: every byte is as it was signed, by a signer of the site whose
	// key may not sign for this machine.
	OtherMachine
	// Mismatch: this is not what was signed, or no signature of a report.
	Mismatch
)

// A Verdict is who signed a report.
type Verdict struct {
	Status Status
	// By names the signer. If the status is Signed, they are the principals of its
	// line that are no patterns, or the machine; if it is OtherMachine, all of them.
	By string
	// Key is the fingerprint of the key that signed, if it could be read.
	Key string
	// Reason is why the status is Unknown, OtherMachine or Mismatch, Hint the remedy.
	Reason, Hint diag.Text
}

// Check returns who signed a report, given the content of its signature file, which is nil
// if there is none. Without Signers no key is known.
//
// A signature has no time, so a key's valid-after and valid-before are compared with the
// newest result of the report.
func (s *Signers) Check(f report.File, signature []byte) Verdict {
	if signature == nil {
		return Verdict{}
	}
	sig, err := unarmor(signature)
	if err != nil {
		return Verdict{Status: Mismatch, Reason: diag.Say("report.signature-unreadable", "why", err), Hint: againHint(f)}
	}
	v := Verdict{Key: ssh.FingerprintSHA256(sig.PublicKey)}
	if sig.Namespace != Namespace {
		v.Status, v.Hint = Mismatch, againHint(f)
		v.Reason = diag.Say("report.signature-namespace-wrong", "namespace", sig.Namespace, "name", Namespace)
		return v
	}
	if err := matches(f.Data, sig); err != nil {
		v.Status, v.Reason, v.Hint = Mismatch, diag.Say("report.changed-since-signed"), againHint(f)
		if lf := bytes.ReplaceAll(f.Data, []byte("\r\n"), []byte("\n")); len(lf) < len(f.Data) && matches(lf, sig) == nil {
			v.Reason = diag.Say("report.line-ends-changed")
			v.Hint = diag.Say("report.line-ends-changed-hint")
		}
		return v
	}
	found := s.find(sig.PublicKey, f.Report.Machine.Name, f.Report.Newest())
	found.Key = v.Key
	return found
}

func againHint(f report.File) diag.Text {
	return diag.Say("report.changed-since-signed-hint", "name", f.Report.Machine.Name)
}

// Diagnostic returns a diagnostic about the report of that name for a bad verdict.
func (v Verdict) Diagnostic(severity diag.Severity, name string) diag.Diagnostic {
	d := diag.About(severity, name, v.Reason.WithHint(v.Hint))
	switch v.Status {
	case NotSigned:
		d.Message = diag.Say("report.not-signed")
		d.Hint = diag.Say("report.sign-new-report-hint", "namespace", Namespace, "name", name)
	case Mismatch:
		d.Message = diag.Say("report.signature-mismatch", "reason", v.Reason)
	case Unknown, OtherMachine:
		d.Message = diag.Say("report.signature-not-counting", "reason", v.Reason)
	}
	return d
}

// unarmor reads a signature file, as strictly as ssh-keygen does.
func unarmor(data []byte) (*sshsig.Signature, error) {
	switch {
	case len(data) > MaxSignature:
		return nil, diag.Say("import.file-too-large", "most", MaxSignature>>10)
	case !bytes.HasPrefix(data, []byte("-----BEGIN "+sshsig.PEMType+"-----")):
		return nil, diag.Say("report.signature-invalid")
	}
	return sshsig.Unarmor(data)
}

// matches reports whether the bytes are those that were signed.
func matches(data []byte, sig *sshsig.Signature) error {
	return sshsig.Verify(bytes.NewReader(data), sig, sig.PublicKey, sig.HashAlgorithm, Namespace)
}

// ReadSignature reads the signature file of a report. It returns nil if there is none. A file
// that is too large is cut, so that [Signers.Check] refuses it.
func ReadSignature(fsys fs.FS, reportName string) ([]byte, error) {
	data, err := report.ReadRegular(fsys, reportName+report.SignatureExtension, MaxSignature)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}
