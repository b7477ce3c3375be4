package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// SignatureExtension is added to a report's name for its signature, which
// package trust makes and judges.
const SignatureExtension = ".sig"

// ErrNotSigned says that a report is written, and its signature is not.
var ErrNotSigned = errors.New("it is not signed")

// NotSigned is the [ErrNotSigned] of a report, with what has gone wrong.
func NotSigned(file string, err error) error {
	return fmt.Errorf("%s is written, but %w: %w", file, ErrNotSigned, err)
}

// WriteSigned puts the bytes of a report into its place together with those of
// its signature, nil if it has none.
//
// Both files are written and synced under other names first. Then the old
// signature goes, the report comes, and its signature last, so that whoever
// looks in between, or after a crash, finds a report that is not signed: never
// one beside the signature of another.
func WriteSigned(file string, data, signature []byte) error {
	body, err := newDraft(file, data)
	if err != nil {
		return err
	}
	defer body.discard()
	seal := &draft{}
	if signature != nil {
		if seal, err = newDraft(file+SignatureExtension, signature); err != nil {
			return err
		}
		defer seal.discard()
	}
	if err := os.Remove(file + SignatureExtension); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := body.commit(); err != nil || signature == nil {
		return err
	}
	if err := seal.commit(); err != nil {
		return NotSigned(file, err)
	}
	return nil
}

// A draft is a file that lies whole beside the one it will replace.
type draft struct{ tmp, file string }

func newDraft(file string, data []byte) (*draft, error) {
	tmp, err := beside(file)
	if err != nil {
		return nil, err
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Sync(), tmp.Close())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s was not written: %w", file, err), os.Remove(tmp.Name()))
	}
	return &draft{tmp.Name(), file}, nil
}

func (d *draft) commit() error { return os.Rename(d.tmp, d.file) }

// discard removes what has not been put into its place.
func (d *draft) discard() { _ = os.Remove(d.tmp) }
