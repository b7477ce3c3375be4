package config

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// launchFile is the table [launch] of gpudocs.toml.
type launchFile struct {
	Repository string   `toml:"repository" doc:"Repository on GitHub that holds the built notebooks. Default: that of the site."`
	Branch     string   `toml:"branch" doc:"Branch that holds them. Default: notebooks."`
	Folder     string   `toml:"folder" doc:"Folder of that branch that holds them. Default: its top."`
	Services   []string `toml:"services" doc:"Services that open notebooks: colab, kaggle, binder."`
	Outputs    string   `toml:"outputs" doc:"Machine whose results are stored in the notebooks. Default: none."`
}

var (
	onGitHub = lazyregexp.New(`^https://github\.com/([A-Za-z0-9-]+/\.*[A-Za-z0-9_-][A-Za-z0-9._-]*?)(?:\.git)?/?$`)
	// inRepository matches the name of a branch, and a folder.
	inRepository = lazyregexp.New(`^[A-Za-z0-9_]+(?:[./-][A-Za-z0-9_]+)*$`)
)

// launch reads how readers get notebooks. Services open what lies on GitHub. What is wrong costs the links to them.
func (c *checker) launch(file *launchFile, config *site.Config) {
	if file == nil {
		return
	}
	l := &site.Launch{
		Branch:  cmp.Or(file.Branch, "notebooks"),
		Folder:  strings.Trim(file.Folder, "/"),
		Outputs: file.Outputs,
		At:      c.place(`outputs\s*=`, file.Outputs),
	}
	config.Launch = l
	broken := false
	warn := func(key, value string, message diag.Text) {
		d := c.place(key+`\s*=[^\]]*`, value)
		d.Severity, d.Message, d.Hint = diag.Warning, message, message.Hint()
		c.diags.Add(d)
		broken = true
	}
	known := slices.Sorted(maps.Keys(site.Services))
	for _, name := range file.Services {
		if site.Services[name] == "" {
			hint := diag.Suggest(name, known, diag.Say("config.launch-services-hint", "names", strings.Join(known, ", ")))
			warn("services", name, diag.Say("config.launch-service-unknown", "name", name).WithHint(hint))
		}
	}
	if m := onGitHub.FindStringSubmatch(cmp.Or(file.Repository, config.Repository)); m != nil {
		l.Repository = m[1]
	} else if file.Repository != "" {
		warn("repository", file.Repository, diag.Say("config.launch-repository-invalid", "address", file.Repository).
			WithHint(diag.Say("config.launch-repository-hint")))
	} else if len(file.Services) > 0 {
		warn("services", file.Services[0], diag.Say("config.launch-repository-missing").WithHint(diag.Say("config.launch-repository-hint")))
	}
	for _, part := range [][2]string{{"branch", l.Branch}, {"folder", l.Folder}} {
		if part[1] != "" && !inRepository.MatchString(part[1]) {
			warn(part[0], part[1], diag.Say("config.launch-part-invalid", "name", part[1]).WithHint(diag.Say("config.launch-part-hint")))
		}
	}
	if !broken {
		l.Services = file.Services
	}
}
