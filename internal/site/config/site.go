package config

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// siteFile is the table [site] of gpudocs.toml.
type siteFile struct {
	Author      string `toml:"author" doc:"Who wrote the site, for PDF."`
	Edit        string `toml:"edit" doc:"Address at which a page can be edited, with {path} for its file."`
	Repository  string `toml:"repository" doc:"Address of the repository."`
	ReportURL   string `toml:"report_url" doc:"Form of the addresses at which readers report a wrong result. Default: the form of GitHub or GitLab."`
	ReadingTime bool   `toml:"reading_time" doc:"Show how long a page takes to read."`
	Image       string `toml:"image" doc:"Image below content/ that other sites show beside links to pages."`
	Edition     any    `toml:"edition" form:"text|localized" doc:"Name of the current edition: a text, or one for each language."`
}

var placeholder = regexp.MustCompile(`\{[^{}]*\}|[{}]`)

func (c *checker) site(file siteFile, config *site.Config) {
	if file.Edition != nil {
		config.Edition = c.localized(file.Edition, diag.Diagnostic{File: c.file.Name})
	}
	config.ReadingTime, config.Author = file.ReadingTime, site.OneLine(file.Author)
	if file.Image != "" {
		config.Image.Path, config.Image.At = file.Image, c.place(`image\s*=`, file.Image)
	}
	config.Repository = strings.TrimSuffix(strings.TrimSuffix(c.address("repository", file.Repository, nil,
		diag.Say("config.repository-hint")), "/"), ".git")
	config.Report = cmp.Or(c.address("report_url", file.ReportURL, site.ReportMarks,
		diag.Say("config.report-url-hint", "example", "https://git.example/new?title={title}&body={body}",
			"marks", strings.Join(site.ReportMarks, " "))), reportForm(config.Repository))
	hint := diag.Say("config.edit-hint")
	if config.Edit = c.address("edit", file.Edit, []string{site.PathMark}, hint); config.Edit != "" &&
		strings.Count(config.Edit, site.PathMark) != 1 {
		c.fault(`edit\s*=`, config.Edit, diag.Say("config.edit-path-missing").WithHint(hint))
		config.Edit = ""
	}
}

// address returns an address with placeholders, or "" if it is invalid.
func (c *checker) address(key, address string, marks []string, hint diag.Text) string {
	if address == "" {
		return ""
	}
	var fault diag.Text
	found := placeholder.FindAllString(address, -1)
	if u, err := url.Parse(placeholder.ReplaceAllString(address, "x")); err == nil && u.User != nil { // everybody could read the password
		found = append(found, u.User.Username()+"@")
	}
	if at := strings.IndexAny(address, "?#"); at >= 0 && marks == nil { // a page of it is not a repository
		found = append(found, address[at:])
	}
	for _, mark := range found {
		if !slices.Contains(marks, mark) {
			fault = diag.Say("config.address-placeholder-unknown", "key", key, "mark", mark)
		}
	}
	if fault.IsZero() && !isAbsolute(placeholder.ReplaceAllString(address, "x")) {
		fault = diag.Say("config.address-not-absolute", "address", address)
	}
	if fault.IsZero() {
		return address
	}
	c.fault(key+`\s*=`, address, fault.WithHint(hint))
	return ""
}

// reportForms are the forms in which servers open an issue that is filled in, by a part of their name.
var reportForms = [][2]string{
	{"gitlab", "/-/issues/new?issue[title]={title}&issue[description]={body}"},
	{"github", "/issues/new?title={title}&body={body}"},
	{"codeberg", "/issues/new?title={title}&body={body}"},
	{"gitea", "/issues/new?title={title}&body={body}"},
	{"forgejo", "/issues/new?title={title}&body={body}"},
}

// reportForm returns the address at which an issue of a repository is opened, or "" if the server is not known.
func reportForm(repository string) string {
	u, err := url.Parse(repository)
	for _, form := range reportForms {
		if err == nil && strings.Contains(u.Hostname(), form[0]) {
			return repository + form[1]
		}
	}
	return ""
}

// publishFile is the table [publish] of gpudocs.toml. Everything is published unless it is set to
// false, but for PDF.
type publishFile struct {
	Search   *bool `toml:"search" doc:"Full-text index, and the button for it."`
	Print    *bool `toml:"print" doc:"All pages of a section on one page."`
	Markdown *bool `toml:"markdown" doc:"Each page as Markdown, and the lists of these files."`
	Feeds    *bool `toml:"feeds" doc:"Results as JSON and changes as Atom."`
	Badges   *bool `toml:"badges" doc:"Images of results for other sites."`
	Images   *bool `toml:"images" doc:"Smaller versions of wide images, for phones."`
	PDF      bool  `toml:"pdf" doc:"PDF of sections and of languages, by build. Default: false."`
	// SolutionsAfter is a date with or without quotation marks.
	SolutionsAfter any `toml:"solutions_after" form:"date" doc:"Day from which on solutions of exercises are published: 2026-12-01. Default: at once."`
}

// day returns the date of a key, or zero if it is missing or invalid.
func (c *checker) day(key string, value any) (day time.Time) {
	if value == nil {
		return day
	}
	written := fmt.Sprint(value)
	day, err := time.Parse(time.DateOnly, written)
	if err != nil || day.IsZero() {
		c.fault(key+`\s*=`, written, diag.Say("frontmatter.day-invalid", "day", written))
	}
	return day
}

func (p publishFile) leftOut() site.Outputs {
	off := func(key *bool) bool { return key != nil && !*key }
	return site.Outputs{
		Search:   off(p.Search),
		Print:    off(p.Print),
		Markdown: off(p.Markdown),
		Feeds:    off(p.Feeds),
		Badges:   off(p.Badges),
		Images:   off(p.Images),
	}
}
