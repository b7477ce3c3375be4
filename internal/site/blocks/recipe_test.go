package blocks_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestRecipeBlocks: blocks of bash and of other languages share sessions, and requirements of the recipe are added.
func TestRecipeBlocks(t *testing.T) {
	p := sitetest.Page(t, "```bash {run session=s}\nls\n```\n```CUDA {run name=saxpy session=s needs=\"memory >= 8 GiB or driver >= 550\" flags=\"-O3 -lcublas\"}\nint main() {}\n```\n```js {run}\n1\n```\n")
	cuda, js := p.Blocks[1], p.Blocks[2]
	if cuda.Session != p.Blocks[0].Session || cuda.Session.Interpreter != "bash" || cuda.Kind != "cuda" {
		t.Errorf("kind %q, interpreter %q", cuda.Kind, cuda.Session.Interpreter)
	}
	if got := cuda.Needs.String(); got != "gpus >= 1 and (memory >= 8 GiB or driver >= 550)" {
		t.Errorf("needs %q", got)
	}
	if got := cuda.Recipe.Expand(cuda.Recipe.Build, cuda.Program(), cuda.Flags); got != "${NVCC:-nvcc} -o saxpy saxpy.cu -O3 -lcublas" {
		t.Errorf("build command %q", got)
	}
	if got := js.Recipe.Source(js.Program()); got != "main.js" {
		t.Errorf("file %q", got)
	}
}

// TestRecipeIDs: whatever changes how a block is built changes its ID, and of the recipe only what the site has changed.
func TestRecipeIDs(t *testing.T) {
	id := func(config, attributes string) report.ID {
		s := sitetest.LoadValid(t, map[string]string{site.ConfigFile: config, "content/pt/p.md": "# P\n\n```c {run" + attributes + "}\nint main(void) { return 0; }\n```\n"})
		return s.Page("p", "pt").Blocks[0].ID
	}
	plain := id("", "")
	if plain != "u2mcqptxpd2otvvyykkytilkde" {
		t.Errorf("the ID of a plain block of C is now %s: all sites would run theirs again", plain)
	}
	seen := map[report.ID]string{plain: "plain"}
	for _, tt := range [][2]string{
		{"", " name=a"}, {"", " flags="}, {"", " flags=-O3"}, {"", " build=fails"}, {"", ` needs="gpus == 0"`},
		{"[run.c]\nflags = \"-O3\"", ""}, {"[run.c]\nbuild = \"tcc -o {name} {file}\"", ""}, {"[run.c]\nneeds = \"gpus == 1\"", ""},
	} {
		got := id(tt[0], tt[1])
		if other, taken := seen[got]; taken {
			t.Errorf("%q has the ID of %s", tt, other)
		}
		seen[got] = tt[0] + tt[1]
	}
	if got := id("[run.cuda]\nflags = \"-O3\"", ""); got != plain {
		t.Error("another recipe changes the ID")
	}
}

func TestBadRecipeBlocks(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"```bash {run flags=-O2}\nls\n```\n", `content/pt/p.md:1:14: error: "flags" has no meaning on a runnable block`},
		{"```cuda {flags=-O2}\n1\n```\n", `content/pt/p.md:1:10: error: "flags" has no meaning on a block that is only shown`},
		{"```c {run build=yes}\n1\n```\n", `content/pt/p.md:1:11: error: build=yes means nothing`},
		{"```julia {run build=fails}\n1\n```\n", `content/pt/p.md:1:15: error: julia blocks are not compiled`},
		{"```cobol {run}\n1\n```\n", `content/pt/p.md:1:11: error: run cannot run "cobol"`},
		{"```c {run=sbatch}\n1\n```\n", `content/pt/p.md:1:7: error: `},
	} {
		if _, out := sitetest.Load(t, map[string]string{site.ConfigFile: "", "content/pt/p.md": tt.text}); !strings.HasPrefix(out, tt.want) {
			t.Errorf("%q: got %s\nwant %s", tt.text, out, tt.want)
		}
	}
}

// TestBlockThatMustNotCompile: it is never run, so it needs no GPU; its ID is as if it did, so that old results count.
func TestBlockThatMustNotCompile(t *testing.T) {
	s := sitetest.LoadValid(t, map[string]string{site.ConfigFile: "", "content/pt/p.md": "# P\n\n```cuda {run build=fails needs=\"nvcc >= 12\"}\nint main() { return x; }\n```\n"})
	b := s.Page("p", "pt").Blocks[0]
	if b.Needs.String() != "nvcc >= 12" || b.ID != "d4qszqzibte4wzjjcqf47aipwq" {
		t.Errorf("needs %q, ID %s", b.Needs, b.ID)
	}
}
