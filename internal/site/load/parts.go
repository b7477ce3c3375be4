package load

import (
	"path"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// partName matches a path of a picture or film from a folder that begins with _.
var partName = lazyregexp.New(`_[^\s"'()<>\[\]|` + "`" + `]*\.[A-Za-z0-9]+`)

// shownParts returns the pictures, films and sounds in folders that begin with _ that pages name, so that
// they are published: Sphinx keeps them in _static and _images.
func shownParts(pages []*site.Page, parts []string) (shown []string) {
	bySuffix := map[string][]string{}
	for _, f := range parts {
		if strings.HasPrefix(path.Base(f), "_") || markdown.MediumOf(f) == markdown.NoteMedium {
			continue
		}
		at := strings.Index("/"+f, "/_")
		if at == 0 { // beside the languages: a file there could replace one of the theme
			continue
		}
		bySuffix[f[at:]] = append(bySuffix[f[at:]], f)
	}
	if len(bySuffix) == 0 {
		return nil
	}
	for _, p := range pages {
		for _, name := range partName.FindAllString(string(p.Source.Data), -1) {
			if at := strings.Index(name, "/_"); bySuffix[name] == nil && at >= 0 {
				name = name[at+1:]
			}
			shown = append(shown, bySuffix[name]...)
			delete(bySuffix, name)
		}
	}
	return shown
}

// unusedParts reports the parts that look like pages but that no page includes.
func unusedParts(s *site.Site, parts []string) (diags diag.List) {
	if len(parts) == 0 {
		return nil
	}
	included := map[string]bool{}
	for _, p := range s.Pages {
		for _, name := range p.Includes {
			included[name] = true
		}
	}
	for _, f := range parts {
		name := path.Join(sitefile.ContentFolder, f)
		if !sitefile.IsPage(f) || included[name] {
			continue
		}
		diags.Add(diag.About(diag.Notice, name, diag.Say("page.underscore-page")))
	}
	return diags
}
