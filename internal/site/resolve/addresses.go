package resolve

import (
	"net/mail"
	"net/url"
	"strings"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// checkExternal checks an external address without requesting it.
func (l *pageLinks) checkExternal(destination string, pos int) {
	lower := strings.ToLower(destination)
	switch {
	case strings.HasPrefix(lower, "mailto:"):
		if fault := mailFault(destination[len("mailto:"):]); !fault.IsZero() {
			l.missing(site.RuleLink, destination, pos, fault.WithHint(diag.Say("links.mail-address-hint")))
		}
	case strings.HasPrefix(lower, "http:"), strings.HasPrefix(lower, "https:"), strings.HasPrefix(lower, "//"):
		u, err := url.Parse(destination)
		if err != nil || u.Host == "" {
			l.missing(site.RuleLink, destination, pos, diag.Say("links.address-invalid", "destination", destination))
			return
		}
		l.checkSiteAddress(u, destination, pos)
	}
}

// mailFault describes what is wrong with the text after mailto:, RFC 6068. The address may be
// missing: mailto:?subject=x.
func mailFault(rest string) diag.Text {
	to, _, _ := strings.Cut(rest, "?")
	for one := range strings.SplitSeq(to, ",") {
		name, err := url.PathUnescape(one)
		if _, bad := mail.ParseAddress(name); err != nil || (bad != nil && to != "") {
			return diag.Say("links.mail-address-invalid", "one", one)
		}
	}
	return diag.Text{}
}

// checkSiteAddress looks up an absolute address below the site's base URL as a file. Only addresses
// in a language's folder are checked: another program may serve the rest.
func (l *pageLinks) checkSiteAddress(u *url.URL, destination string, pos int) {
	base, err := url.Parse(l.baseURL)
	if err != nil || base.Host == "" || !strings.EqualFold(u.Host, base.Host) {
		return
	}
	below, ok := strings.CutPrefix(u.Path, strings.TrimSuffix(base.Path, "/")+"/")
	if code, _, _ := strings.Cut(below, "/"); !ok || !l.isLanguage(code) {
		return
	}
	t, ok := l.find("/"+below, pos)
	if !ok {
		t, ok = l.findGenerated("/"+below, pos)
	}
	if !ok && l.isLeftOut("/"+below, pos) {
		return
	}
	if !ok {
		l.missing(site.RuleLink, destination, pos, diag.Say("links.site-page-missing", "below", below).WithHint(l.missingHint("/"+below, pos)))
		return
	}
	t.Suffix = "#" + u.EscapedFragment()
	l.checkAnchor(&t, destination, pos)
}
