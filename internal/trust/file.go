package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/crypto/ssh"

	"github.com/gpudocs/gpudocs/internal/report"
)

// ErrNotSigned says that the report is written, and its signature is not.
var ErrNotSigned = errors.New("it is not signed")

// Write puts a report into its place together with its signature. Without a key
// it has none, and that of the report it replaces goes: removed tells so.
//
// Both files are written and synced under other names first. Then the old
// signature goes, the report comes, and its signature last, so that whoever
// looks in between, or after a crash, finds a report that is not signed: never
// one beside the signature of another. Where only the signing fails, the report
// is kept and the error is [ErrNotSigned].
func Write(file string, r *report.Report, key ssh.Signer) (removed bool, err error) {
	data, err := report.Encode(r)
	if err != nil {
		return false, err
	}
	body, err := report.NewDraft(file, data)
	if err != nil {
		return false, err
	}
	defer body.Discard()
	signature, unsigned := draftSignature(file, data, key)
	if signature != nil {
		defer signature.Discard()
	}
	switch err := os.Remove(file + Extension); {
	case err == nil:
		removed = signature == nil
	case !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	if err := body.Commit(); err != nil {
		return removed, err
	}
	if signature != nil {
		unsigned = signature.Commit()
	}
	if unsigned != nil {
		return removed, fmt.Errorf("%s is written, but %w: %w", file, ErrNotSigned, unsigned)
	}
	return removed, nil
}

// draftSignature returns nil where there is no key.
func draftSignature(file string, data []byte, key ssh.Signer) (*report.Draft, error) {
	if key == nil {
		return nil, nil
	}
	signature, err := Sign(data, key)
	if err != nil {
		return nil, err
	}
	return report.NewDraft(file+Extension, signature)
}
