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

// mode is the file mode of a report and its signature.
const mode = 0o644

// ErrNotSigned is the error if a report was written and its signature was not.
var ErrNotSigned = text.Say("report.written-unsigned")

// NotSigned returns an [ErrNotSigned] for a report, with its cause.
func NotSigned(file string, err error) error {
	return text.Say("report.written-unsigned", "file", file, "why", err)
}

// WriteSigned writes a report and its signature, which is nil if there is none.
//
// Both files are first written and synced under other names. Then the old signature is
// removed, and the report and its signature are renamed, in this order. So a reader, even
// after a crash, may find a report without a signature, but never one with the signature
// of another.
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
