package site

import (
	"cmp"
	"io/fs"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// MaxEditions is the largest number of editions of a site: every page leads to all of them.
const MaxEditions = 50

// An Edition is an earlier state of the site, which is published beside the current one, in a folder of its name.
type Edition struct {
	Name string
	// Label is what readers see. The default is the name.
	Label Localized
	// Ref is the tag, branch or commit of the site's repository that has its content.
	Ref string
	// Built is a folder in it whose files are published as they are. If it is empty, the edition is built.
	Built string
	// At is its place in gpudocs.toml, without a message.
	At diag.Diagnostic
}

var (
	editionName = Pattern{Regexp: lazyregexp.New(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`), Max: 64}
	// refName is the form of the names of tags and branches, without git's marks for other commits: ~ ^ : @{ ..
	refName = Pattern{Regexp: lazyregexp.New(`^[\p{L}\p{N}_][\p{L}\p{N}_.,/+@#=-]*$`), Max: 200}
)

// Complete sets the default of Ref. If a value is invalid, it returns the value and what is wrong with it.
func (e *Edition) Complete() (key, value string, message diag.Text) {
	if e.Ref == "" && e.Built != "" {
		e.Ref = "HEAD"
	}
	e.Ref = cmp.Or(e.Ref, e.Name)
	switch {
	case !editionName.MatchString(e.Name):
		return "name", e.Name, diag.Say("config.edition-name-invalid", "name", e.Name)
	case !refName.MatchString(e.Ref) || strings.Contains(e.Ref, ".."):
		return "ref", e.Ref, diag.Say("config.edition-ref-invalid", "ref", e.Ref)
	case e.Built != "" && !fs.ValidPath(e.Built):
		return "built", e.Built, diag.Say("config.file-outside-site", "name", e.Built).WithHint(diag.Say("config.edition-built-hint"))
	}
	return "", "", diag.Text{}
}
