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
	message, hint := err.Error(), ""
	var pe *fs.PathError
	if errors.As(err, &pe) {
		message = pe.Err.Error()
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		hint = "let the user who runs gpudocs read it: chmod u+r, and u+x for a folder"
	case strings.Contains(message, "escapes"):
		message, hint = "a symbolic link that leads out of the site", "copy the file into the site"
	}
	if hint == "" {
		hint = "make it a plain file that can be read, or remove it"
	}
	return Diagnostic{File: name, Message: "cannot be read: " + message, Hint: hint}
}
