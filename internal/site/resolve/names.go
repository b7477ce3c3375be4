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

// leaveOut removes from a site the pages and files that cannot be published: their name cannot be an
// address, or another page or file has their address or key already.
func leaveOut(s *site.Site) (diags diag.List) {
	type language struct{ key, code string }
	keys, urls := map[language]*site.Page{}, map[string]string{} // by address in lower case: Netlify and Windows ignore case
	s.Pages = slices.DeleteFunc(slices.Clone(s.Pages), func(p *site.Page) bool {
		d := diag.Diagnostic{File: p.Source.Name, Line: 1, Column: 1, Source: p.Source.Text(1), Hint: diag.Say("diag.rename-one-of-two-hint")}
		claim, key := strings.ToLower(p.URL), language{p.Key, p.Language.Code}
		if fault := unpublishableReason(p.URL + "index.html"); !fault.IsZero() {
			d.Message, d.Hint = fault, diag.Say("diag.rename-hint")
		} else if other := urls[claim]; other != "" {
			d.Message = diag.Say("links.page-address-taken", "other", other, "url", p.URL)
		} else if other := keys[key]; other != nil {
			d.Message = diag.Say("links.translation-key-duplicate", "name", other.Source.Name, "key", p.Key)
			d.Source, d.Hint = "", diag.Say("links.translation-key-duplicate-hint")
		} else {
			urls[claim], keys[key] = p.Source.Name, p
			return false
		}
		diags.Add(d)
		s.LeftOut[p.File.Name] = true
		return true
	})
	twins := make(map[string]string, len(s.Assets))
	s.Assets = slices.DeleteFunc(slices.Clone(s.Assets), func(a string) bool {
		one := norm.NFC.String(a)
		other, taken := twins[strings.ToLower(one)]
		d := diag.Diagnostic{File: path.Join(sitefile.ContentFolder, a), Hint: diag.Say("diag.rename-one-of-two-hint")}
		if fault := unpublishableReason(one); !fault.IsZero() {
			d.Message, d.Hint = fault, diag.Say("diag.rename-hint")
		} else if page := urls[strings.ToLower(strings.TrimSuffix(a, "index.html"))]; page != "" && path.Base(a) == "index.html" {
			d.Message = diag.Say("links.file-address-taken", "page", page)
		} else if taken && norm.NFC.String(other) == one {
			d.Message, d.Hint = diag.Say("links.name-normalisation"), diag.Say("links.name-normalisation-hint")
		} else {
			if taken {
				d.Severity, d.Message = diag.Warning, diag.Say("links.name-case", "root", path.Join(sitefile.ContentFolder, other))
				d.Hint = diag.Say("links.name-case-hint")
				diags.Add(d)
			}
			twins[strings.ToLower(one)] = a
			return false
		}
		diags.Add(d)
		return true
	})
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
