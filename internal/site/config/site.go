package config

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// siteFile is the table [site] of gpudocs.toml.
type siteFile struct {
	Edit string `toml:"edit"`
}

var editHint = diag.Say("config.edit-hint")

var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

func (c *checker) site(file siteFile, config *site.Config) {
	config.Edit = file.Edit
	if config.Edit == "" {
		return
	}
	var fault diag.Text
	for _, mark := range placeholder.FindAllString(config.Edit, -1) {
		if mark != site.PathMark {
			fault = diag.Say("config.edit-placeholder-unknown", "mark", mark)
		}
	}
	u, err := url.Parse(strings.ReplaceAll(config.Edit, site.PathMark, "path"))
	switch {
	case !fault.IsZero():
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		fault = diag.Say("config.edit-not-absolute", "edit", config.Edit)
	case strings.Count(config.Edit, site.PathMark) != 1:
		fault = diag.Say("config.edit-path-missing")
	}
	if !fault.IsZero() {
		c.fault(`edit\s*=`, config.Edit, fault, editHint)
		config.Edit = ""
	}
}

// publishFile is the table [publish] of gpudocs.toml. Everything is published unless it is set to
// false.
type publishFile struct {
	Search   *bool `toml:"search"`
	Print    *bool `toml:"print"`
	Markdown *bool `toml:"markdown"`
	Cards    *bool `toml:"cards"`
	Feeds    *bool `toml:"feeds"`
	Badges   *bool `toml:"badges"`
}

func (p publishFile) leftOut() site.Outputs {
	off := func(key *bool) bool { return key != nil && !*key }
	return site.Outputs{Search: off(p.Search), Print: off(p.Print), Markdown: off(p.Markdown), Cards: off(p.Cards), Feeds: off(p.Feeds), Badges: off(p.Badges)}
}
