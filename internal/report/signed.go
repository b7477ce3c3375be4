package report

import (
	"errors"
	"io/fs"
	"os"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/text"
)

// SignatureExtension is added to a report's name for its signature, which
// package trust makes and judges.
const SignatureExtension = ".sig"

// mode is that of a report and its signature.
const mode = 0o644

// ErrNotSigned says that a report is written, and its signature is not.
var ErrNotSigned = text.Say("report.written-unsigned")

// NotSigned is the [ErrNotSigned] of a report, with what has gone wrong.
func NotSigned(file string, err error) error {
	return text.Say("report.written-unsigned", "file", file, "why", err)
}

// WriteSigned puts the bytes of a report into its place together with those of
// its signature, nil if it has none.
//
// Both files are written and synced under other names first. Then the old
// signature goes, the report comes, and its signature last, so that whoever
// looks in between, or after a crash, finds a report that is not signed: never
// one beside the signature of another.
func WriteSigned(file string, data, signature []byte) error {
	body, err := atomicfile.Prepare(file, data, mode)
	if err != nil {
		return err
	}
	defer body.Discard()
	var seal *atomicfile.Pending
	if signature != nil {
		if seal, err = atomicfile.Prepare(file+SignatureExtension, signature, mode); err != nil {
			return err
		}
		defer seal.Discard()
	}
	if err := os.Remove(file + SignatureExtension); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := body.Commit(); err != nil || signature == nil {
		return err
	}
	if err := seal.Commit(); err != nil {
		return NotSigned(file, err)
	}
	return nil
}
