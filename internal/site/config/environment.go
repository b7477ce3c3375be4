package config

import (
	"maps"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// environment checks an environment of gpudocs.toml.
func (c *checker) environment(name string, e site.Environment) {
	sources := slices.DeleteFunc([]string{e.Python, e.Conda}, func(s string) bool { return s == "" })
	switch {
	case len(sources) > 1:
		c.fault(`env\s*\.`, name, diag.Say("config.environment-ambiguous", "name", name), diag.Say("config.environment-ambiguous-hint"))
	case len(sources) == 0 && len(e.Modules) == 0 && e.Setup == "" && len(e.Vars) == 0:
		c.fault(`env\s*\.`, name, diag.Say("config.environment-empty", "name", name), diag.Say("config.environment-empty-hint"))
	}
	c.packages(e.Packages)
	for _, m := range e.Modules {
		if !site.ModuleName.MatchString(m) {
			c.fault(`modules\s*=[^\]]*`, m, diag.Say("config.module-name-invalid", "name", m), diag.Say("config.module-name-invalid-hint"))
		}
	}
	if len(e.Modules) > site.MaxModules {
		c.fault(`modules\s*=[^\]]*`, e.Modules[site.MaxModules], diag.Say("config.modules-too-many", "most", site.MaxModules), diag.Say("config.modules-too-many-hint"))
	}
	if len(e.Setup) > site.MaxSetup {
		c.fault(`env\s*\.`, name, diag.Say("config.setup-too-long", "name", name, "most", site.MaxSetup>>10), diag.Say("config.setup-too-long-hint"))
	}
	if len(e.Vars) > site.MaxVars {
		c.fault(`env\s*\.`, name, diag.Say("config.variables-too-many", "name", name, "most", site.MaxVars), diag.Say("config.setup-too-long-hint"))
	}
	for _, v := range slices.Sorted(maps.Keys(e.Vars)) {
		switch {
		case !site.VariableName.MatchString(v):
			c.fault(`(?:vars\s*=[^}]*?|vars\.)`, v, diag.Say("config.variable-name-invalid", "name", v), diag.Say("config.variable-name-invalid-hint"))
		case v == "PATH":
			c.fault(`(?:vars\s*=[^}]*?|vars\.)`, v, diag.Say("config.variable-ours", "name", v), diag.Say("config.variable-path-hint"))
		case slices.Contains(site.OwnVariables, v), strings.HasPrefix(v, "GPUDOCS_"):
			c.fault(`(?:vars\s*=[^}]*?|vars\.)`, v, diag.Say("config.variable-ours", "name", v), diag.Say("config.variable-ours-hint"))
		case len(e.Vars[v]) > site.MaxVar:
			c.fault(`(?:vars\s*=[^}]*?|vars\.)`, v, diag.Say("config.variable-too-long", "name", v, "most", site.MaxVar>>10), diag.Say("config.setup-too-long-hint"))
		}
	}
}
