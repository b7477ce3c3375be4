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
	why, hint := Plain(err), Say("diag.not-regular-hint")
	switch {
	case errors.Is(err, fs.ErrPermission):
		hint = Say("diag.permission-hint")
	case strings.Contains(err.Error(), "escapes"):
		why, hint = Say("diag.symlink-leaves-site"), Say("diag.copy-into-site-hint")
	}
	return Diagnostic{File: name, Message: Say("diag.cannot-read", "why", why), Hint: hint}
}
