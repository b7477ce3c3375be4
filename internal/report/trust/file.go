package trust

import (
	"golang.org/x/crypto/ssh"

	"github.com/gpudocs/gpudocs/internal/report"
)

// Write writes a report with its signature, or without one if key is nil; see
// [report.WriteSigned]. If only the signing fails, the report is written nevertheless, and
// the error is [report.ErrNotSigned].
func Write(file string, r *report.Report, key ssh.Signer) error {
	if key == nil {
		return report.Write(file, r)
	}
	data, err := report.Encode(r)
	if err != nil {
		return err
	}
	signature, unsigned := Sign(data, key)
	if err := report.WriteSigned(file, data, signature); err != nil {
		return err
	}
	if unsigned != nil {
		return report.NotSigned(file, unsigned)
	}
	return nil
}
