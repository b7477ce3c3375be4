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
	why, hint := Say("%s", err), Say("make it a plain file that can be read, or remove it")
	switch {
	case errors.Is(err, fs.ErrPermission):
		hint = Say("let the user who runs gpudocs read it: chmod u+r, and u+x for a folder")
	case strings.Contains(err.Error(), "escapes"):
		why, hint = Say("a symbolic link that leads out of the site"), Say("copy the file into the site")
	}
	return Diagnostic{File: name, Message: Say("cannot be read: %s", why), Hint: hint}
}
