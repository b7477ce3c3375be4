package content

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// siteFile is [site] of gpudocs.toml: what pages say of themselves beside their text.
type siteFile struct {
	Edit string `toml:"edit"`
}

// pathMark stands for the file of a page in [site] edit.
const pathMark = "{path}"

var editHint = diag.Say(`write it as edit = "https://github.com/OWNER/REPOSITORY/edit/main/{path}"`)

var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

func (c *configChecker) site(file siteFile, config *Config) {
	config.Edit = file.Edit
	if config.Edit == "" {
		return
	}
	var fault diag.Text
	for _, mark := range placeholder.FindAllString(config.Edit, -1) {
		if mark != pathMark {
			fault = diag.Say("the address of [site] edit knows {path} alone, not %s", mark)
		}
	}
	u, err := url.Parse(strings.ReplaceAll(config.Edit, pathMark, "path"))
	switch {
	case !fault.IsZero():
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		fault = diag.Say("%q is not an absolute http or https address", config.Edit)
	case strings.Count(config.Edit, pathMark) != 1:
		fault = diag.Say("the address of [site] edit must have {path} once, where the page's file stands")
	}
	if !fault.IsZero() {
		c.fault(`edit\s*=`, config.Edit, fault, editHint)
		config.Edit = ""
	}
}

// EditURL is where a file of the site can be edited, or empty. file is a slash path
// below the site's folder.
func (c *Config) EditURL(file string) string {
	before, after, ok := strings.Cut(c.Edit, pathMark)
	if !ok {
		return ""
	}
	if strings.ContainsAny(before, "?#") {
		return before + url.QueryEscape(file) + after
	}
	return before + (&url.URL{Path: file}).EscapedPath() + after
}
