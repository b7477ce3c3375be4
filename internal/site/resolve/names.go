package resolve

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

const (
	// maxName bounds a name in an address, in bytes, as file systems do.
	maxName = 255
	// maxAddress bounds a whole address. Systems accept 4,096 bytes including the folder before it,
	// and servers less of the encoded form, such as %C3%A3.
	maxAddress = 2000
)

// checkNames reports names that cannot be published.
func checkNames(s *site.Site) (diags diag.List) {
	for _, p := range s.Pages {
		if fault := unpublishableReason(p.URL + "index.html"); !fault.IsZero() {
			diags.Add(diag.Diagnostic{File: p.Source.Name, Line: 1, Column: 1, Message: fault, Hint: diag.Say("diag.rename-hint"), Source: p.Source.Text(1)})
		}
	}
	twins := make(map[string]string, len(s.Assets))
	for _, a := range s.Assets {
		file, one := path.Join(sitefile.ContentFolder, a), norm.NFC.String(a)
		if fault := unpublishableReason(one); !fault.IsZero() {
			diags.Add(diag.Diagnostic{File: file, Message: fault, Hint: diag.Say("diag.rename-hint")})
		}
		other, taken := twins[strings.ToLower(one)]
		switch {
		case taken && norm.NFC.String(other) == one:
			diags.Add(diag.Diagnostic{File: file, Message: diag.Say("links.name-normalisation"),
				Hint: diag.Say("links.name-normalisation-hint")})
		case taken:
			diags.Add(diag.Diagnostic{Severity: diag.Warning, File: file, Message: diag.Say("links.name-case", "root", path.Join(sitefile.ContentFolder, other)),
				Hint: diag.Say("links.name-case-hint")})
		}
		twins[strings.ToLower(one)] = a
	}
	return diags
}

// unpublishableReason returns why a file with that path cannot be published, if so.
func unpublishableReason(file string) diag.Text {
	if len(file) > maxAddress {
		return diag.Say("links.address-too-long", "file", len(file), "most", maxAddress)
	}
	parts := strings.Split(file, "/")
	for _, part := range parts {
		if len(part) > maxName {
			return diag.Say("links.name-too-long", "part", len(part), "most", maxName)
		}
	}
	for _, part := range parts[:len(parts)-1] {
		if slices.Contains([]string{"index.html", "index.html.md"}, strings.ToLower(part)) {
			return diag.Say("links.address-folder-is-page", "part", part)
		}
	}
	return diag.Text{}
}
