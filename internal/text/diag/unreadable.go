package diag

import (
	"errors"
	"io/fs"
	"strings"
)

// Unreadable returns the diagnostic for an error from reading a file.
func Unreadable(name string, err error) Diagnostic {
	if d, ok := errors.AsType[Diagnostic](err); ok {
		return d
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	why, hint := Plain(err), Say("diag.not-regular-hint")
	switch {
	case errors.Is(err, fs.ErrPermission):
		hint = Say("diag.permission-hint")
	case strings.Contains(err.Error(), "escapes"):
		why, hint = Say("diag.symlink-leaves-site"), Say("diag.copy-into-site-hint")
	}
	return About(Error, name, Say("diag.cannot-read", "why", why).WithHint(hint))
}
