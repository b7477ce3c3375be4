package machinecmd

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/cli/verifycmd"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/config"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/session"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

type envFlags struct{ json, sync bool }

// NewEnv returns the command env.
func NewEnv(a *env.Env) *cobra.Command {
	f := &envFlags{}
	c := &cobra.Command{
		Use: "env [NAME...]",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return slices.Sorted(maps.Keys(environments(a))), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, names []string) error { return runEnv(c.Context(), a, f, names) },
	}
	c.Flags().BoolVar(&f.json, "json", false, "")
	c.Flags().BoolVar(&f.sync, "sync", false, "")
	return c
}

func runEnv(ctx context.Context, a *env.Env, f *envFlags, names []string) error {
	p, err := a.Open()
	if err != nil {
		return err
	}
	c, diags := config.Read(p.FS)
	if diags.HasErrors() {
		a.Print(diags)
		return exit.Content(diags, "nothing_run")
	}
	known := slices.Sorted(maps.Keys(c.Env))
	for _, name := range names {
		if !slices.Contains(known, name) {
			hint := diag.Suggest(name, known, diag.Say("blocks.environment-add-hint", "env", name))
			return diag.Wrong(diag.Say("blocks.environment-unknown", "env", name).WithHint(hint))
		}
	}
	if len(names) == 0 {
		names = known
	}
	var failed error
	if f.sync {
		if failed = verifycmd.Sync(ctx, a, c.Env, names); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	list := listEnvironments(ctx, a.Site, c.Env, names)
	if err := ctx.Err(); err != nil {
		return err
	}
	if f.json {
		return errors.Join(env.WriteJSON(a.Stdout, list), failed)
	}
	if len(list) == 0 {
		a.Indented(0, a.Text.Get("env_none"))
	}
	for _, e := range list {
		e.print(a)
	}
	return failed
}

// An environment is what this machine has of an environment of the site. Its JSON is a contract,
// see docs/content/en/configuration.md.
type environment struct {
	Name string `json:"name"`
	// Asks are the keys of gpudocs.toml, in words.
	Asks string `json:"asks"`
	// Available reports whether blocks can run in it, Missing says why not, and Mend is the command
	// that helps.
	Available bool   `json:"available"`
	Missing   string `json:"missing,omitempty"`
	Mend      string `json:"mend,omitempty"`
	report.Environment

	lacks *report.Reason
}

func listEnvironments(ctx context.Context, root string, all map[string]site.Environment, names []string) []environment {
	var keys []tools.Key
	for _, name := range names {
		keys = append(keys, tools.Key{Interpreter: session.Python, Env: name})
	}
	found := tools.Finder{Root: root, Env: all}.Find(ctx, keys)
	redact := verify.Redactor(root)
	list := []environment{}
	for _, k := range keys {
		t, spec := found[k], tools.SpecOf(k.Env, all[k.Env])
		e := environment{Name: k.Env, Asks: asks(tools.OnThisMachine(k.Env, all[k.Env])), Environment: t.Environment(k.Env)}
		if t.Missing != nil && (t.Env.Unavailable != nil || spec.NamesPython()) {
			e.lacks = t.Missing.Redacted(redact)
			e.Missing = reason.Lack(words.English(), e.lacks)
		}
		if e.Frameworks == nil {
			e.Frameworks = []report.Framework{} // a list in JSON
		}
		if e.Available = e.Missing == ""; t.Env.Unmade {
			e.Mend = "gpudocs env --sync " + k.Env
		}
		list = append(list, e)
	}
	return list
}

// asks returns what gpudocs.toml says of an environment.
func asks(e site.Environment) string {
	var words []string
	for _, key := range [][2]string{
		{"python", e.Python}, {"conda", e.Conda}, {"uv", e.UV}, {"pixi", e.Pixi}, {"container", e.Container},
		{"modules", strings.Join(e.Modules, " ")},
	} {
		if key[1] != "" {
			words = append(words, key[0]+" "+key[1])
		}
	}
	if e.Setup != "" {
		words = append(words, "setup")
	}
	if len(e.Vars) > 0 {
		words = append(words, "vars")
	}
	return strings.Join(words, ", ")
}

func (e environment) print(a *env.Env) {
	a.Indented(0, diag.Printable(e.Name+": "+e.Asks))
	if !e.Available {
		why := reason.Lack(a.Text, e.lacks)
		if remedy := reason.Remedy(a.Text, e.lacks); remedy != "" {
			why += "; " + remedy
		}
		a.Indented(2, a.Text.Get("env_unavailable", "why", diag.Printable(why)))
	}
	var has []string
	if e.Interpreter != "" {
		has = append(has, e.Interpreter)
	}
	for _, f := range e.Frameworks {
		has = append(has, f.Name+" "+f.Version)
	}
	if has = append(has, e.Sources()...); len(has) > 0 {
		a.Indented(2, diag.Printable(strings.Join(has, ", ")))
	}
}

// environments returns the environments of the site, if there is one.
func environments(a *env.Env) map[string]site.Environment {
	c, _ := config.Read(os.DirFS(a.Site)) // the command that needs it says what is wrong
	if c == nil {
		return nil
	}
	return c.Env
}
