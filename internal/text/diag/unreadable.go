package diag

import (
	"errors"
	"io/fs"
	"strings"
)

// Unreadable turns an error from reading a file into a diagnostic.
func Unreadable(name string, err error) Diagnostic {
	var d Diagnostic
	if errors.As(err, &d) {
		return d
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	why, hint := Plain(err), Say("diag.make-plain-file")
	switch {
	case errors.Is(err, fs.ErrPermission):
		hint = Say("diag.let-user-runs")
	case strings.Contains(err.Error(), "escapes"):
		why, hint = Say("diag.symbolic-link-leads"), Say("diag.copy-file-into-site")
	}
	return Diagnostic{File: name, Message: Say("diag.cannot-read", "why", why), Hint: hint}
}
