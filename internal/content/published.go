package content

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/unseen"
)

const (
	// maxName bounds a name in an address, in bytes, as file systems do.
	maxName = 255
	// maxAddress bounds a whole one: systems take 4,096 bytes at most, with the
	// folder before it, and servers less, of what is written %C3%A3 besides.
	maxAddress = 2000
)

// misnamed tells of a file whose name nothing can lead to: in an address, a control
// character is refused or cut, and browsers make a slash of a backslash.
func misnamed(file string) (d diag.Diagnostic, bad bool) {
	d = diag.Diagnostic{File: file, Hint: diag.Say("rename it")}
	switch name := path.Base(file); {
	case !utf8.ValidString(name):
		d.Message = diag.Say("the name %q is no text in UTF-8", name)
	case strings.ContainsFunc(name, unicode.IsControl):
		d.Message = diag.Say("the name %q has a control character", name)
	case len(unseen.In(name, true)) > 0:
		d.Message = diag.Say("the name %q has a character that nobody sees", name)
	case strings.Contains(name, `\`):
		d.Message = diag.Say("the name %q has a backslash, which browsers take for a slash", name)
	default:
		return d, false
	}
	return d, true
}

// checkNames finds the names that cannot be published, before anything is written.
func (s *Site) checkNames() (diags diag.List) {
	for _, p := range s.Pages {
		if fault := unpublishable(p.URL + "index.html"); !fault.IsZero() {
			diags.Add(diag.Diagnostic{File: p.Source.Name, Line: 1, Column: 1, Message: fault, Hint: diag.Say("rename it"), Source: p.Source.Text(1)})
		}
	}
	twins := make(map[string]string, len(s.Assets))
	for _, a := range s.Assets {
		file, one := path.Join(root, a), norm.NFC.String(a)
		if fault := unpublishable(one); !fault.IsZero() {
			diags.Add(diag.Diagnostic{File: file, Message: fault, Hint: diag.Say("rename it")})
		}
		other, taken := twins[strings.ToLower(one)]
		switch {
		case taken && norm.NFC.String(other) == one:
			diags.Add(diag.Diagnostic{File: file, Message: diag.Say("this file and another have the same name, written with accents in two ways"),
				Hint: diag.Say("remove one of the two; a reader sees no difference between them")})
		case taken:
			diags.Add(diag.Diagnostic{Severity: diag.Warning, File: file, Message: diag.Say("this file and %s differ in nothing but upper and lower case", path.Join(root, other)),
				Hint: diag.Say("rename one of the two; Windows, macOS and some hosts keep only one")})
		}
		twins[strings.ToLower(one)] = a
	}
	return diags
}

// unpublishable tells why there can be no file of that path, if so.
func unpublishable(file string) diag.Text {
	if len(file) > maxAddress {
		return diag.Say("its address has %d bytes, and %d is the most that can be published", len(file), maxAddress)
	}
	parts := strings.Split(file, "/")
	for _, part := range parts {
		if len(part) > maxName {
			return diag.Say("a name in its address has %d bytes, and %d is the most that file systems take", len(part), maxName)
		}
	}
	for _, part := range parts[:len(parts)-1] {
		if slices.Contains([]string{"index.html", "index.html.md"}, strings.ToLower(part)) {
			return diag.Say("its address has a folder %s, and that is a page's file", part)
		}
	}
	return diag.Text{}
}
