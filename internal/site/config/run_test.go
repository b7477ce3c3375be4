package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/recipe"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

func TestRecipes(t *testing.T) {
	needs, err := ask.Parse("gpus >= 1")
	if err != nil {
		t.Fatal(err)
	}
	s := sitetest.LoadValid(t, map[string]string{"content/pt/p.md": "# P\n", site.ConfigFile: `
[run.cuda]
flags = "-arch=sm_80"
needs = ""
[run.hip]
languages = ["hip", "Roc"]
file = "{name}.hip"
build = "hipcc -o {name} {file} {flags} ${HIPFLAGS}"
run = "./{name}"
needs = "gpus>=1"
`})
	cuda, _ := recipe.Builtin("cuda")
	cuda.Flags, cuda.Needs, cuda.Custom = "-arch=sm_80", ask.Expr{}, true
	want := recipe.Table{"cuda": &cuda, "hip": {Name: "hip", Languages: []string{"hip", "roc"}, File: "{name}.hip",
		Build: "hipcc -o {name} {file} {flags} ${HIPFLAGS}", Run: "./{name}", Needs: needs, Custom: true}}
	if diff := cmp.Diff(want, s.Config.Recipes, cmp.Comparer(func(a, b ask.Expr) bool { return a.String() == b.String() })); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	hip := recipe.For(s.Config.Recipes, "ROC")
	if got := hip.Expand(hip.Build, "a", "-O3"); got != "hipcc -o a a.hip -O3 ${HIPFLAGS}" {
		t.Errorf("build command %q", got)
	}
	if got := hip.VersionCommand(); got != "hipcc --version" {
		t.Errorf("version command %q", got)
	}
}

func TestBadRecipes(t *testing.T) {
	for _, tt := range []struct{ name, toml, want string }{
		{"no command", "[run.hip]\nfile = \"{name}.hip\"", `gpudocs.toml:1:6: error: recipe "hip" has neither a build nor a run command`},
		{"emptied", "[run.julia]\nrun = \"\"", `gpudocs.toml:1:6: error: recipe "julia" has neither`},
		{"placeholder", "[run.hip]\nrun = \"hip {src}\"", `gpudocs.toml:2:8: error: there is no placeholder {src}`},
		{"folder", "[run.hip]\nrun = \"hip\"\nfile = \"src/{name}.hip\"", `gpudocs.toml:3:9: error: "src/{name}.hip" is not the name of a file`},
		{"no file", "[run.hip]\nrun = \"hip\"\nfile = \"\"", `error: "" is not the name of a file`},
		{"lines", "[run.hip]\nrun = \"hip\"\nfile = \"a\\nb\"", `error: "a\nb" is not the name of a file`},
		{"flags in the file", "[run.hip]\nrun = \"hip\"\nfile = \"{flags}\"", `gpudocs.toml:3:9: error: "{flags}" is not the name of a file`},
		{"taken", "[run.c]\nlanguages = [\"c\"]\n[run.zig]\nrun = \"zig\"\nlanguages = [\"c\"]", `gpudocs.toml:5:15: error: "c" is a language of the recipe "c"`},
		{"taken by its name", "[run.golang]\nrun = \"go\"", `gpudocs.toml:1:6: error: "golang" is a language of the recipe "go"`},
		{"ours", "[run.zig]\nrun = \"zig\"\nlanguages = [\"python\"]", `gpudocs.toml:3:15: error: a recipe cannot be for "python"`},
		{"kind", "[run.gpu]\nrun = \"x\"", `gpudocs.toml:1:6: error: "gpu" cannot be the name of a recipe`},
		{"name", "[run.\"C3 compiler\"]\nrun = \"x\"", `error: "C3 compiler" cannot be the name of a recipe`},
		{"needs", "[run.cuda]\nneeds = \"gpu >= 1\"", `gpudocs.toml:2:10: error: `},
		{"key", "[run.cuda]\ncompile = \"nvcc\"", `gpudocs.toml:2:1: error: `},
		{"type", "[run.cuda]\nbuild = [\"nvcc\"]", `gpudocs.toml:2:`},
	} {
		_, out := sitetest.Load(t, map[string]string{site.ConfigFile: tt.toml, "content/pt/index.md": "```hip {run}\nx\n```\n"})
		if !strings.Contains(out, tt.want) || !strings.Contains(out, "hint:") || strings.Contains(tt.toml, "[run.hip]") && strings.Count(out, "error:") != 1 {
			t.Errorf("%s: got %s\nwant %s", tt.name, out, tt.want)
		}
	}
}
