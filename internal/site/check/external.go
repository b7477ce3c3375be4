package check

import (
	"context"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A use is a place where a page, or a work of the bibliography, names an address.
type use struct {
	file       *diag.File
	start, end int
	fragment   string
}

// Counts are the numbers of addresses that were to be checked, that the cache knew, and that were ignored.
type Counts struct {
	Addresses int `json:"addresses"`
	Cached    int `json:"cached"`
	Ignored   int `json:"ignored"`
}

// maxAsking bounds the simultaneous requests to all hosts.
const maxAsking = 16

// External requests the external addresses of the pages, and of the works that they cite. Only http
// and https are requested, except what an ignore pattern of gpudocs.toml matches. If the context
// ends, its error is returned.
func External(ctx context.Context, s *site.Site, pages []*site.Page, ignore []string, a *Asker) (diag.List, Counts, error) {
	uses, counts := addresses(s, pages, ignore)
	answers := map[string]Answer{}
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	slots := make(chan struct{}, maxAsking)
	for address, places := range uses {
		g.Go(func() error {
			answer, cached, err := a.ask(ctx, slots, address, fragments(places))
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			answers[address] = answer
			if cached {
				counts.Cached++
			}
			if a.Progress != nil {
				a.Progress(len(answers), len(uses))
			}
			return nil
		})
	}
	err := g.Wait()
	var diags diag.List
	for address, answer := range answers {
		for _, u := range uses[address] {
			diags.Add(findings(u, address, answer)...)
		}
	}
	return diags.Sorted(), counts, err
}

// addresses collects the addresses to request, each once without its fragment.
func addresses(s *site.Site, pages []*site.Page, ignore []string) (map[string][]use, Counts) {
	uses, ignored, isIgnored := map[string][]use{}, map[string]bool{}, newMatcher(ignore)
	add := func(address string, at use) {
		if strings.HasPrefix(address, "//") {
			address = "https:" + address
		}
		u, err := url.Parse(address)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			return
		}
		at.fragment = u.Fragment
		u.Fragment, u.RawFragment = "", ""
		if isIgnored(address) {
			ignored[u.String()] = true
			return
		}
		uses[u.String()] = append(uses[u.String()], at)
	}
	cited := map[string]bool{}
	for _, p := range pages {
		links := s.Links(p)
		for _, l := range links.All {
			add(l.Target.External, use{file: p.Source, start: l.Start, end: l.End})
		}
		for _, key := range links.Cited {
			if work := s.Bibliography.Works[key]; work != nil && !cited[key] { // as its list of references shows it
				cited[key] = true
				add(work.Address(), use{file: s.Bibliography.FileOf[work], start: work.Start, end: work.End})
			}
		}
	}
	return uses, Counts{Addresses: len(uses), Ignored: len(ignored)}
}

// newMatcher returns a function that reports whether an address matches one of the patterns, in which
// * is any text.
func newMatcher(patterns []string) func(address string) bool {
	var forms []*regexp.Regexp
	for _, p := range patterns {
		forms = append(forms, regexp.MustCompile(`(?s)^`+strings.ReplaceAll(regexp.QuoteMeta(strings.ToValidUTF8(p, "\ufffd")), `\*`, ".*")+`$`))
	}
	return func(address string) bool {
		return slices.ContainsFunc(forms, func(form *regexp.Regexp) bool { return form.MatchString(address) })
	}
}

// route matches fragments that are not anchors but read by a script: #/path, #!path, #a=b, and text
// to mark.
var route = regexp.MustCompile(`^[/!]|[=/]|^:~:`)

func fragments(places []use) (out []string) {
	for _, u := range places {
		if u.fragment != "" && !strings.EqualFold(u.fragment, "top") && !route.MatchString(u.fragment) {
			out = append(out, u.fragment)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// findings returns what the answer means for a place that names the address.
func findings(u use, address string, a Answer) (diags diag.List) {
	say := func(s diag.Severity, rule string, message diag.Text) {
		diags.Add(u.file.At(s, u.start, u.end, message).WithRule(rule))
	}
	ignore := diag.Say("links.address-ignore-hint")
	host := address
	if u, err := url.Parse(address); err == nil {
		host = u.Host
	}
	switch {
	case a.Private:
		say(diag.Warning, RuleExternal, diag.Say("links.address-private", "host", host))
	case a.Status == 0 && a.Gone:
		say(diag.Error, RuleExternal, diag.Say("links.host-unknown", "host", host).WithHint(ignore))
	case a.Status == 0:
		say(diag.Warning, RuleExternal, diag.Say("links.server-silent", "host", host, "fault", a.Fault, "ignore", ignore))
	case a.Status == 401, a.Status == 403, a.Status == 407, a.Status == 429, a.Status == 999:
		say(diag.Notice, RuleExternal, diag.Say("links.server-refuses", "host", host, "status", status(a.Status), "ignore", ignore))
	case a.Status >= 500:
		say(diag.Warning, RuleExternal, diag.Say("links.server-error", "host", host, "status", status(a.Status)).
			WithHint(diag.Say("links.server-silent-hint", "ignore", ignore)))
	case a.Status >= 400:
		say(diag.Error, RuleExternal, diag.Say("links.server-error", "host", host, "status", status(a.Status), "ignore", ignore))
	case a.Status >= 300:
		say(diag.Error, RuleExternal, diag.Say("links.redirect-loop", "host", host, "status", status(a.Status)).WithHint(ignore))
	}
	if a.Status < 200 || a.Status >= 300 {
		return diags
	}
	if a.Moved != "" {
		to := a.Moved
		if u.fragment != "" && !strings.Contains(to, "#") {
			to += "#" + (&url.URL{Fragment: u.fragment}).EscapedFragment()
		}
		say(diag.Warning, RuleMoved, diag.Say("links.address-moved").WithHint(diag.Say("markdown.container-kind-hint", "kind", to)))
	}
	if exists, known := a.Fragments[u.fragment]; known && !exists {
		say(diag.Warning, RuleExternal, diag.Say("links.anchor-missing", "address", path.Base(strings.TrimSuffix(address, "/")),
			"fragment", u.fragment))
	}
	return diags
}
