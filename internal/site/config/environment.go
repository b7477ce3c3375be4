package config

import (
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// locked checks the files from which an environment is made.
func (c *checker) locked(tool, file, lock string) {
	key := tool + `\s*=`
	switch {
	case !fs.ValidPath(file) || file == ".":
		c.fault(key, file, diag.Say("config.file-outside-site", "name", file).WithHint(lockedHints[tool]))
	case lock == "":
		c.fault(key, file, diag.Say("config.locked-unknown", "tool", tool, "name", file).WithHint(lockedHints[tool]))
	case !c.isFile(file):
		c.fault(key, file, diag.Say("config.locked-missing", "name", file).WithHint(lockedHints[tool]))
	case !c.isFile(lock):
		c.fault(key, file, diag.Say("config.locked-missing", "name", lock).
			WithHint(diag.Say("config.lock-missing-hint", "command", tool+" lock")))
	}
}

var lockedHints = map[string]diag.Text{
	"uv": diag.Say("config.locked-uv-hint"), "pixi": diag.Say("config.locked-pixi-hint"), "conda": diag.Say("config.locked-conda-hint"),
}

// inVars is what comes before the name of a variable: vars = {A = "1", B="2"}, vars.A = "1", or the
// lines of [env.NAME.vars].
const inVars = `(?:vars\s*=[^}]*?|vars\.|vars\][^\n]*\n(?:[^\[\n]*\n)*?)`

// isFile reports whether a file of the site exists.
func (c *checker) isFile(name string) bool {
	info, err := fs.Stat(c.fsys, name)
	return err == nil && info.Mode().IsRegular()
}

// environment checks an environment of gpudocs.toml.
func (c *checker) environment(name string, e site.Environment) {
	sources := slices.DeleteFunc([]string{e.Python, e.Conda, e.UV, e.Pixi}, func(s string) bool { return s == "" })
	switch {
	case len(sources) > 1:
		c.fault(`env\s*\.`, name, diag.Say("config.environment-ambiguous", "name", name))
	case e.Container != "" && len(sources) > 0 && e.Python == "":
		c.fault(`env\s*\.`, name, diag.Say("config.container-ambiguous", "name", name))
	case e.Container != "" && (!site.ImageName.MatchString(e.Container) || strings.Contains(e.Container, "://-")):
		c.fault(`container\s*=`, e.Container, diag.Say("config.container-invalid", "name", e.Container))
	case len(sources) == 0 && e.Container == "" && len(e.Modules) == 0 && e.Setup == "" && len(e.Vars) == 0:
		c.fault(`env\s*\.`, name, diag.Say("config.environment-empty", "name", name))
	}
	c.packages(e.Packages)
	if tool, file, lock := e.Locked(); tool != "" && len(sources) == 1 {
		c.locked(tool, file, lock)
	}
	for _, m := range e.Modules {
		if !site.ModuleName.MatchString(m) {
			c.fault(`modules\s*=[^\]]*`, m, diag.Say("config.module-name-invalid", "name", m))
		}
	}
	if len(e.Modules) > site.MaxModules {
		c.fault(`modules\s*=[^\]]*`, e.Modules[site.MaxModules], diag.Say("config.modules-too-many", "most", site.MaxModules))
	}
	size := len(e.Setup)
	for _, v := range slices.Sorted(maps.Keys(e.Vars)) {
		switch {
		case !site.VariableName.MatchString(v):
			c.fault(inVars, v, diag.Say("config.variable-name-invalid", "name", v))
		case v == "PATH":
			c.fault(inVars, v, diag.Say("config.variable-ours", "name", v).WithHint(diag.Say("config.variable-path-hint")))
		case slices.Contains(site.ReservedVariables, v), strings.HasPrefix(v, "GPUDOCS_"):
			c.fault(inVars, v, diag.Say("config.variable-ours", "name", v))
		}
		size += len(v) + len(e.Vars[v])
	}
	if size > site.MaxSetup {
		c.fault(`env\s*\.`, name, diag.Say("config.setup-too-long", "name", name, "most", site.MaxSetup>>10))
	}
}
