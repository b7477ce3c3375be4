package config_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/config"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func TestConfig(t *testing.T) {
	needs, err := ask.Parse("gpus >= 1")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, toml string
		want       site.Config
	}{
		{"empty", "", site.Config{Theme: "default", Blocks: site.Defaults{Timeout: site.DefaultTimeout}}},
		{
			"all of it",
			`
title = "GPU na prática"
base_url = "https://example.org/docs"
theme = "plain"
[site]
edit = "https://git.example/o/r/edit/main/{path}"
repository = "https://codeberg.org/o/r.git/"
reading_time = true
[search.synonyms]
pt = [["contêiner", "docker"]]
[publish]
search = false
print = false
markdown = true
[languages.pt]
name = "Português"
weight = 1
[languages.es-mx]
[blocks]
timeout = "90s"
session = "main"
env = "torch"
needs = "gpus>=1"
packages = ["numpy"]
[env.torch]
python = "/opt/torch/bin/python"
packages = ["torch", "nvidia-cublas-cu12"]
[env.jax]
conda = "jax"
[trust]
allowed_signers = "keys/signers"
[markdown]
dialects = ["obsidian", "mkdocs"]
`,
			site.Config{
				Title: "GPU na prática", DialectsSet: true, BaseURL: "https://example.org/docs", Theme: "plain",
				Blocks: site.Defaults{Session: "main", Env: "torch", Needs: needs, Timeout: 90 * time.Second},
				Env: map[string]site.Environment{"torch": {Python: "/opt/torch/bin/python", Packages: []string{"torch", "nvidia-cublas-cu12"}},
					"jax": {Conda: "jax"}},
				Packages: []string{"numpy"},

				Synonyms:       map[string][][]string{"pt": {{"contêiner", "docker"}}},
				AllowedSigners: "keys/signers",
				Edit:           "https://git.example/o/r/edit/main/{path}", Without: site.Outputs{Search: true, Print: true},
				Repository: "https://codeberg.org/o/r", Report: "https://codeberg.org/o/r/issues/new?title={title}&body={body}", ReadingTime: true,
				Dialects:  markdown.Obsidian | markdown.MkDocs,
				Languages: map[string]site.Language{"pt": {Code: "pt", Name: "Português", Weight: 1}, "es-mx": {Code: "es-mx"}},
			},
		},
		{"byte order mark, Windows line ends", "\ufefftitle = 'x'\r\ntheme = 'y'\r\n", site.Config{Title: "x", Theme: "y", Blocks: site.Defaults{Timeout: site.DefaultTimeout}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sitetest.LoadValid(t, map[string]string{site.ConfigFile: tt.toml, "content/pt/index.md": "# x\n"})
			if tt.want.Languages == nil {
				tt.want.Languages = map[string]site.Language{}
			}
			expr := cmp.Comparer(func(a, b ask.Expr) bool { return a.String() == b.String() })
			if diff := cmp.Diff(&tt.want, s.Config, cmp.AllowUnexported(site.Config{}, ask.Value{}), expr); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestConfigFaults(t *testing.T) {
	const synonyms = "  hint: write [search.synonyms] and below it pt = [[\"contêiner\", \"docker\"]]\n"
	const form = "  hint: docs/content/en/configuration.md shows the form; a text stands in quotes, a key stands once\n"
	tests := []struct{ name, toml, want string }{
		{
			"a password in an address", "[site]\nrepository = \"https://user:secret@git.example/o/r\"\n",
			"gpudocs.toml:2:15: error: the address of [site] repository cannot have user@\n    2 | repository = \"https://user:secret@git.example/o/r\"\n      |               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n  hint: write it as repository = \"https://github.com/OWNER/REPOSITORY\"\n",
		},
		{
			"a query of a repository", "[site]\nrepository = \"https://git.example/o?x=1\"\n",
			"gpudocs.toml:2:15: error: the address of [site] repository cannot have ?x=1\n    2 | repository = \"https://git.example/o?x=1\"\n      |               ^~~~~~~~~~~~~~~~~~~~~~~~~\n  hint: write it as repository = \"https://github.com/OWNER/REPOSITORY\"\n",
		},
		{
			"an odd brace", "[site]\nreport_url = \"https://git.example/{title\"\n",
			"gpudocs.toml:2:15: error: the address of [site] report_url cannot have {\n    2 | report_url = \"https://git.example/{title\"\n      |               ^~~~~~~~~~~~~~~~~~~~~~~~~~\n  hint: write it as report_url = \"https://git.example/new?title={title}&body={body}\"; it may have {page} {block} {machine} {title} {body}\n",
		},
		{
			"unknown key", "titel = 'x'\n",
			"gpudocs.toml:1:1: error: unknown key \"titel\"\n    1 | titel = 'x'\n      | ^~~~~\n  hint: did you mean \"title\"?\n",
		},
		{
			"no such dialect", "[markdown]\ndialects = [\"d2l\", \"Obsidian\"]\n",
			"gpudocs.toml:2:21: error: there is no dialect \"Obsidian\"\n    2 | dialects = [\"d2l\", \"Obsidian\"]\n      |                     ^~~~~~~~\n  hint: did you mean \"obsidian\"?\n",
		},
		{
			"synonyms", "[languages.pt]\n[languages.es]\n[search.synonyms]\npt = [[\"GPU ociosa\", \"fome\"], [\"ociosa\"], [\"b\", \"\"]]\neo = [['a', '" + strings.Repeat("b", 61) + "']]\n",
			"gpudocs.toml:4:33: error: the synonym \"ociosa\" has no other word in its list\n    4 | pt = [[\"GPU ociosa\", \"fome\"], [\"ociosa\"], [\"b\", \"\"]]\n      |                                 ^~~~~~\n" + synonyms +
				"gpudocs.toml:4:51: error: the synonym \"\" has no letter and no digit\n    4 | pt = [[\"GPU ociosa\", \"fome\"], [\"ociosa\"], [\"b\", \"\"]]\n      |                                                   ^\n" + synonyms +
				"gpudocs.toml:5:1: error: \"eo\" is no language of this site\n    5 | eo = [['a', '" + strings.Repeat("b", 61) + "']]\n      | ^~\n  hint: did you mean \"es\"?\n" +
				"gpudocs.toml:5:14: error: a synonym can have at most 60 bytes\n    5 | eo = [['a', '" + strings.Repeat("b", 61) + "']]\n      |              " + "^" + strings.Repeat("~", 60) + "\n" + synonyms,
		},
		{
			"synonyms that are no lists", "[search]\nsynonyms.pt = ['a', 'b']\n",
			"gpudocs.toml:2:16: error: this key takes no string\n    2 | synonyms.pt = ['a', 'b']\n      |                ^\n" + form,
		},
		{
			"an address to edit without the path", "[site]\nedit = \"https://git.example/edit\"\n",
			"gpudocs.toml:2:9: error: the address of [site] edit must have {path} once, where the page's file stands\n    2 | edit = \"https://git.example/edit\"\n      |         ^~~~~~~~~~~~~~~~~~~~~~~~\n  hint: write it as edit = \"https://github.com/OWNER/REPOSITORY/edit/main/{path}\"\n",
		},
		{
			"an address to edit with another mark", "[site]\nedit = 'https://git.example/{branch}/{path}'\n",
			"gpudocs.toml:2:9: error: the address of [site] edit cannot have {branch}\n    2 | edit = 'https://git.example/{branch}/{path}'\n      |         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n  hint: write it as edit = \"https://github.com/OWNER/REPOSITORY/edit/main/{path}\"\n",
		},
		{
			"no address to edit", "[site]\nedit = \"javascript:{path}\"\n",
			"gpudocs.toml:2:9: error: \"javascript:{path}\" is not an absolute http or https address\n    2 | edit = \"javascript:{path}\"\n      |         ^~~~~~~~~~~~~~~~~\n  hint: write it as edit = \"https://github.com/OWNER/REPOSITORY/edit/main/{path}\"\n",
		},
		{
			"what is published is known by name", "[publish]\nfeed = false\n",
			"gpudocs.toml:2:1: error: unknown key \"publish.feed\"\n    2 | feed = false\n      | ^~~~\n  hint: did you mean \"feeds\"?\n",
		},
		{
			"or not", "[publish]\nbadges = \"no\"\n",
			"gpudocs.toml:2:10: error: this key takes no string\n    2 | badges = \"no\"\n      |          ^\n" + form,
		},
		{
			"a key of another table", "[site]\nbadges = false\n",
			"gpudocs.toml:2:1: error: unknown key \"site.badges\"\n    2 | badges = false\n      | ^~~~~~\n  hint: badges belongs below [publish]\n",
		},
		{
			"signers outside of the site", "[trust]\nallowed_signers = \"/etc/signers\"\n",
			"gpudocs.toml:2:20: error: \"/etc/signers\" is not a file below the site's folder\n    2 | allowed_signers = \"/etc/signers\"\n      |                    ^~~~~~~~~~~~\n" +
				"  hint: write it as allowed_signers = \"allowed_signers\"\n",
		},
		{
			"a key of the file in a table", "[markdown]\ntheme = \"x\"\n",
			"gpudocs.toml:2:1: error: unknown key \"markdown.theme\"\n    2 | theme = \"x\"\n      | ^~~~~\n  hint: theme belongs above the first [table] of the file\n",
		},
		{
			"unknown key of trust", "[trust]\nsigners = \"x\"\n",
			"gpudocs.toml:2:1: error: unknown key \"trust.signers\"\n    2 | signers = \"x\"\n      | ^~~~~~~\n  hint: docs/content/en/configuration.md lists the keys\n",
		},
		{
			"nothing like it", "colour = 'x'\n",
			"gpudocs.toml:1:1: error: unknown key \"colour\"\n    1 | colour = 'x'\n      | ^~~~~~\n  hint: docs/content/en/configuration.md lists the keys\n",
		},
		{
			"every unknown key", "titel = 'ção'\n[languages.pt]\nnam = 'x'\nwieght = 1\n[env.torch]\npyton = 'x'\nconda = 'y'\n[blocks]\n  sesion = 'x'\n",
			"gpudocs.toml:1:1: error: unknown key \"titel\"\n    1 | titel = 'ção'\n      | ^~~~~\n  hint: did you mean \"title\"?\n" +
				"gpudocs.toml:3:1: error: unknown key \"languages.pt.nam\"\n    3 | nam = 'x'\n      | ^~~\n  hint: did you mean \"name\"?\n" +
				"gpudocs.toml:4:1: error: unknown key \"languages.pt.wieght\"\n    4 | wieght = 1\n      | ^~~~~~\n  hint: did you mean \"weight\"?\n" +
				"gpudocs.toml:6:1: error: unknown key \"env.torch.pyton\"\n    6 | pyton = 'x'\n      | ^~~~~\n  hint: did you mean \"python\"?\n" +
				"gpudocs.toml:9:3: error: unknown key \"blocks.sesion\"\n    9 |   sesion = 'x'\n      |   ^~~~~~\n  hint: did you mean \"session\"?\n",
		},
		{
			"unknown table", "[lnguages.pt]\nname = 'x'\n",
			"gpudocs.toml:1:2: error: unknown key \"lnguages.pt\"\n    1 | [lnguages.pt]\n      |  ^~~~~~~~\n  hint: did you mean \"languages\"?\n",
		},
		{
			"in an inline table", "blocks = {title.x = 1}\n",
			"gpudocs.toml:1:17: error: unknown key \"title.x\"\n    1 | blocks = {title.x = 1}\n      |                 ^\n  hint: docs/content/en/configuration.md lists the keys\n",
		},
		{
			"dotted key", "languages.pt.nome = 'x'\n",
			"gpudocs.toml:1:14: error: unknown key \"languages.pt.nome\"\n    1 | languages.pt.nome = 'x'\n      |              ^~~~\n  hint: did you mean \"name\"?\n",
		},
		{
			"broken, behind text that is not ASCII", "title = \"ação\" bogus\n",
			"gpudocs.toml:1:16: error: broken TOML: expected newline but got U+0062 'b'\n    1 | title = \"ação\" bogus\n      |                ^\n" + form,
		},
		{
			"broken, Windows line ends", "title = 'x'\r\n[env\r\n",
			"gpudocs.toml:2:5: error: broken TOML: expected ']' to close table name\n    2 | [env\n      |     ^\n" + form,
		},
		{
			"the same key twice", "title = 'a'\ntitle = 'b'\n",
			"gpudocs.toml:2:1: error: broken TOML: key title is already defined\n    2 | title = 'b'\n      | ^\n" + form,
		},
		{
			"a number as a title", "title = 5\n",
			"gpudocs.toml:1:9: error: this key takes no integer\n    1 | title = 5\n      |         ^\n" + form,
		},
		{
			"a number as a table", "[languages]\npt = 5\n",
			"gpudocs.toml:2:6: error: this key takes no integer\n    2 | pt = 5\n      |      ^\n" + form,
		},
		{
			"not UTF-8", "# ok\ntitle = 'ç\xe7'\n",
			"gpudocs.toml:2:11: error: byte 0xe7 is not valid UTF-8\n    2 | title = 'ç\ufffd'\n      |           ^\n  hint: save the file as UTF-8\n",
		},
		{
			"base URL without a scheme", "title = 'example.org'\nbase_url = 'example.org'\n",
			"gpudocs.toml:2:13: error: base URL \"example.org\" is not an absolute http or https address\n    2 | base_url = 'example.org'\n      |             ^~~~~~~~~~~\n" +
				"  hint: write it as base_url = \"https://example.org/docs/\"\n",
		},
		{
			"theme with a path", "theme = '../plain'\n",
			"gpudocs.toml:1:10: error: theme \"../plain\" is not the name of a folder in themes/\n    1 | theme = '../plain'\n      |          ^~~~~~~~\n  hint: write theme = \"default\", or the folder's name alone\n",
		},
		{
			"language codes", "[languages.pt_BR]\n[languages.\"es mx\"]\n[languages.p]\nname = 'pt_BR'\n",
			"gpudocs.toml:1:12: error: \"pt_BR\" is not a language code\n    1 | [languages.pt_BR]\n      |            ^~~~~\n  hint: write it in lower case, as pt or pt-br\n" +
				"gpudocs.toml:2:13: error: \"es mx\" is not a language code\n    2 | [languages.\"es mx\"]\n      |             ^~~~~\n  hint: write it in lower case, as pt or pt-br\n" +
				"gpudocs.toml:3:12: error: \"p\" is not a language code\n    3 | [languages.p]\n      |            ^\n  hint: write it in lower case, as pt or pt-br\n",
		},
		{
			"environments", "[env.none]\n[env.two]\npython = 'x'\nconda = 'y'\nmodules = ['m']\n[env.torch]\nconda = 'z'\n[env.m]\nmodules = ['gcc']\n",
			"gpudocs.toml:1:6: error: environment \"none\" is empty\n    1 | [env.none]\n      |      ^~~~\n" +
				"  hint: write python, conda, uv, pixi or container, modules = [\"gcc/12\"], setup or vars\n" +
				"gpudocs.toml:2:6: error: environment \"two\" has several sources of its Python\n    2 | [env.two]\n      |      ^~~\n" +
				"  hint: keep one of python, conda, uv and pixi\n",
		},
		{
			"containers", "[env.a]\ncontainer = 'docker://python:3.12'\npython = '/opt/python'\n[env.b]\ncontainer = 'a.sif'\nconda = 'lab'\n[env.c]\ncontainer = '--privileged'\n[env.d]\ncontainer = 'docker://-q'\n",
			"gpudocs.toml:4:6: error: environment \"b\" has a container and another source of its Python\n    4 | [env.b]\n      |      ^\n" +
				"  hint: keep one of container, conda, uv and pixi\n" +
				"gpudocs.toml:8:14: error: \"--privileged\" is not a container image\n    8 | container = '--privileged'\n      |              ^~~~~~~~~~~~\n" +
				"  hint: write container = \"docker://python:3.12\", \"image.sif\", \"./rootfs\" or the name of an image\n" +
				"gpudocs.toml:10:14: error: \"docker://-q\" is not a container image\n   10 | container = 'docker://-q'\n      |              ^~~~~~~~~~~\n" +
				"  hint: write container = \"docker://python:3.12\", \"image.sif\", \"./rootfs\" or the name of an image\n",
		},
		{
			"variables without spaces, and in a table", "[env.a]\nvars = {A=\"1\",PATH=\"/x\"}\n[env.b.vars]\nA = '1'\nTERM='x'\n",
			"gpudocs.toml:2:15: error: gpudocs sets PATH itself\n    2 | vars = {A=\"1\",PATH=\"/x\"}\n      |               ^~~~\n" +
				"  hint: write setup = \"PATH=/opt/tool/bin:$PATH\"\n" +
				"gpudocs.toml:5:1: error: gpudocs sets TERM itself\n    5 | TERM='x'\n      | ^~~~\n" +
				"  hint: leave it out; docs/content/en/verify.md lists these variables\n",
		},
		{
			"modules and variables", "[env.a]\nmodules = ['gcc/12', '--force purge']\nvars = {TMPDIR = '/x', 'a b' = '1'}\n[env.b]\nvars.PATH = '/opt'\nvars.GPUDOCS_X = '1'\nvars.OMP = '1'\n",
			"gpudocs.toml:2:23: error: \"--force purge\" is not the name of a module\n    2 | modules = ['gcc/12', '--force purge']\n      |                       ^~~~~~~~~~~~~\n" +
				"  hint: write each name in quotes of its own, without options, as in modules = [\"gcc/12\", \"cuda/12.4\"]\n" +
				"gpudocs.toml:3:9: error: gpudocs sets TMPDIR itself\n    3 | vars = {TMPDIR = '/x', 'a b' = '1'}\n      |         ^~~~~~\n" +
				"  hint: leave it out; docs/content/en/verify.md lists these variables\n" +
				"gpudocs.toml:3:25: error: \"a b\" cannot name an environment variable\n    3 | vars = {TMPDIR = '/x', 'a b' = '1'}\n      |                         ^~~\n" +
				"  hint: use letters, digits and _, no digit first\n" +
				"gpudocs.toml:5:6: error: gpudocs sets PATH itself\n    5 | vars.PATH = '/opt'\n      |      ^~~~\n" +
				"  hint: write setup = \"PATH=/opt/tool/bin:$PATH\"\n" +
				"gpudocs.toml:6:6: error: gpudocs sets GPUDOCS_X itself\n    6 | vars.GPUDOCS_X = '1'\n      |      ^~~~~~~~~\n" +
				"  hint: leave it out; docs/content/en/verify.md lists these variables\n",
		},
		{
			"setup and variables that no command line holds", "[env.a]\nsetup = ':'\nvars.A = '" + strings.Repeat("x", 65<<10) + "'\n",
			"gpudocs.toml:1:6: error: setup and vars of environment \"a\" are longer than 64 KiB\n    1 | [env.a]\n      |      ^\n  hint: put it into a file of the site, and write setup = \"source ./setup.sh\"\n",
		},
		{
			"defaults of blocks, each at its own value", "title = 'x'\n[languages.pt]\nweight = 5\n[blocks]\ntimeout = '5'\nneeds = 'gpu >= 5'\nenv = 'x'\n",
			"gpudocs.toml:5:12: error: \"5\" is not a time limit\n    5 | timeout = '5'\n      |            ^\n  hint: write it as 30s, 2m or 1h; at most 24h\n" +
				"gpudocs.toml:6:10: error: needs: gpu is compared with == or !=\n    6 | needs = 'gpu >= 5'\n      |          ^~~~~~~~\n  hint: did you mean \"gpus\"?\n" +
				"gpudocs.toml:7:8: error: there is no environment \"x\"\n    7 | env = 'x'\n      |        ^\n  hint: add [env.x], see docs/content/en/configuration.md\n",
		},
		{
			"a session that cannot be one", "[env.torch]\nconda = 'a b'\n[blocks]\nsession = 'a b'\n",
			"gpudocs.toml:4:12: error: \"a b\" cannot name a session\n    4 | session = 'a b'\n      |            ^~~\n" +
				"  hint: use letters, digits, - and _, a letter or digit first\n",
		},
		{
			"packages with a version, and one that is an option",
			"[env.x]\nconda = 'x'\npackages = ['torch', 'numpy>=2']\n[blocks]\npackages = ['-rfile']\n",
			"gpudocs.toml:3:23: error: \"numpy>=2\" is not the name of a Python package\n    3 | packages = ['torch', 'numpy>=2']\n      |                       ^~~~~~~~\n" +
				"  hint: write the name alone, as in packages = [\"torch\"]\n" +
				"gpudocs.toml:5:14: error: \"-rfile\" is not the name of a Python package\n    5 | packages = ['-rfile']\n      |              ^~~~~~\n" +
				"  hint: write the name alone, as in packages = [\"torch\"]\n",
		},
		{
			"more packages than a report holds", "[blocks]\npackages = [\n" + strings.Repeat("'a',\n", 256) + "'b']\n",
			"gpudocs.toml:259:2: error: 257 packages, more than 256\n  259 | 'b']\n      |  ^\n  hint: name those on which the outputs depend\n",
		},
		{
			"a session that begins like an option", "[blocks]\nsession = '-x'\n",
			"gpudocs.toml:2:12: error: \"-x\" cannot name a session\n    2 | session = '-x'\n      |            ^~\n" +
				"  hint: use letters, digits, - and _, a letter or digit first\n",
		},
		{
			"an unknown key hides no bad value", "base_url = 'x'\ntitel = 'x'\n[blocks]\nsesion = 'x'\ntimeout = '5'\n",
			"gpudocs.toml:1:13: error: base URL \"x\" is not an absolute http or https address\n    1 | base_url = 'x'\n      |             ^\n" +
				"  hint: write it as base_url = \"https://example.org/docs/\"\n" +
				"gpudocs.toml:2:1: error: unknown key \"titel\"\n    2 | titel = 'x'\n      | ^~~~~\n  hint: did you mean \"title\"?\n" +
				"gpudocs.toml:4:1: error: unknown key \"blocks.sesion\"\n    4 | sesion = 'x'\n      | ^~~~~~\n  hint: did you mean \"session\"?\n" +
				"gpudocs.toml:5:12: error: \"5\" is not a time limit\n    5 | timeout = '5'\n      |            ^\n  hint: write it as 30s, 2m or 1h; at most 24h\n",
		},
		{
			"a value written with escapes", "[blocks]\ntimeout = \"\\u0035\"\n",
			"gpudocs.toml: error: \"5\" is not a time limit\n  hint: write it as 30s, 2m or 1h; at most 24h\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, got := sitetest.Load(t, map[string]string{site.ConfigFile: tt.toml, "content/x.png": ""})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// FuzzConfig checks that no configuration panics, and that every place lies in it.
func FuzzConfig(f *testing.F) {
	for _, s := range []string{
		"title = 'x'\nblocks = {title.x = 1, sesion = 'y'}\n[languages.PT]\n[[env]]\n", "[env.a]\n[blocks]\ntimeout = 'ç'\nenv = \"b\"\n", "\ufeffbase_url = 'x'\r\n", "a.\"b\".c = 1",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, diags := config.Read(fstest.MapFS{site.ConfigFile: {Data: data}})
		if (c == nil || c.Unreadable) && !diags.HasErrors() {
			t.Fatal("neither a configuration nor an error")
		}
		lines := strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n")
		for _, d := range diags {
			if d.Severity == diag.Error && d.Hint.IsZero() {
				t.Fatalf("no hint: %v", d)
			}
			if d.Line == 0 {
				continue
			}
			if d.Line > len(lines) || d.Column < 1 || d.Column-1+d.Width > utf8.RuneCountInString(lines[d.Line-1]) {
				t.Fatalf("%d lines: %+v", len(lines), d)
			}
		}
	})
}

func TestNoConfig(t *testing.T) {
	s, diags := load.Load(fstest.MapFS{"content/pt/p.md": {Data: []byte("```bash {runn}\n```\n")}}, load.Options{})
	const want = "gpudocs.toml: error: there is no gpudocs.toml here, so this is not a site\n  hint: gpudocs init DIR makes one; --site DIR works on another folder\n"
	if got := sitetest.Print(diags); s != nil || got != want {
		t.Errorf("%v\n%s", s, got)
	}
}

// TestUnreadConfig checks that if gpudocs.toml cannot be read, faults of pages are still reported, except
// those that may depend on its settings.
func TestUnreadConfig(t *testing.T) {
	const text = "---\nblocks: {env: torch}\n---\n# A\n\n```python {run env=jax}\n```\n\n```bash {runn}\n```\n"
	const typo = "content/pt/p.md:9:10: error: unknown attribute \"runn\"\n    9 | ```bash {runn}\n      |          ^~~~\n  hint: did you mean \"run\"?\n"
	const irregular = "gpudocs.toml: error: cannot be read: it is not a regular file\n  hint: make it a plain file that can be read, or remove it\n"
	file := func(toml string) fs.FS {
		return sitetest.FS(map[string]string{site.ConfigFile: toml, "content/pt/p.md": text})
	}
	page := &fstest.MapFile{Data: []byte(text)}
	for name, tt := range map[string]struct {
		fsys fs.FS
		want string
	}{
		"broken": {
			file("title = \"x\n[env.torch]\npython = 'x'\n"),
			"gpudocs.toml:1:11: error: broken TOML: basic strings cannot have new lines\n    1 | title = \"x\n      |           ^\n" +
				"  hint: docs/content/en/configuration.md shows the form; a text stands in quotes, a key stands once\n",
		},
		"a value of another type": {
			file("title = 5\n"),
			"gpudocs.toml:1:9: error: this key takes no integer\n    1 | title = 5\n      |         ^\n" +
				"  hint: docs/content/en/configuration.md shows the form; a text stands in quotes, a key stands once\n",
		},
		"not UTF-8": {
			file("title = '\xe7'\n"),
			"gpudocs.toml:1:10: error: byte 0xe7 is not valid UTF-8\n    1 | title = '\ufffd'\n      |          ^\n  hint: save the file as UTF-8\n",
		},
		"a folder":     {fstest.MapFS{"gpudocs.toml/x": {}, "content/pt/p.md": page}, irregular},
		"a named pipe": {fstest.MapFS{site.ConfigFile: {Mode: fs.ModeNamedPipe | 0o644}, "content/pt/p.md": page}, irregular},
		"not readable": {
			sitetest.Unreadable{FS: file(""), Name: site.ConfigFile},
			"gpudocs.toml: error: cannot be read: permission denied\n  hint: let the user who runs gpudocs read it: chmod u+r, and u+x for a folder\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, diags := load.Load(tt.fsys, load.Options{})
			if diff := cmp.Diff(typo+tt.want, sitetest.Print(diags)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			sitetest.RequireHints(t, diags)
			if s == nil || s.Page("p", "pt") == nil || s.Config.Theme != "default" || s.Config.Blocks.Timeout != site.DefaultTimeout {
				t.Errorf("%+v", s)
			}
		})
	}
}

func TestCheckBaseURL(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "https://example.org": "https://example.org/", "https://example.org/": "https://example.org/",
		"http://example.org:8080/a/b": "http://example.org:8080/a/b/", "https://exämple.org/ção": "https://exämple.org/ção/",
	} {
		if got, err := site.CheckBaseURL(in); got != want || err != nil {
			t.Errorf("CheckBaseURL(%q) = %q, %v", in, got, err)
		}
	}
	for _, bad := range []string{"example.org", "/docs", "//example.org", "ftp://example.org", "https://", "https://a/?q=1", "https://a/#x", "javascript:alert(1)", "http://a b/", "https://%zz/", "mailto:a@b"} {
		if got, err := site.CheckBaseURL(bad); err == nil || got != "" {
			t.Errorf("CheckBaseURL(%q) = %q, %v", bad, got, err)
		}
	}
}

func TestEditURL(t *testing.T) {
	for _, c := range []struct{ edit, file, want string }{
		{"", "content/pt/a.md", ""},
		{"https://git.example/edit/{path}", "content/pt/a.md", "https://git.example/edit/content/pt/a.md"},
		{"https://git.example/edit/{path}?x=1", "content/pt/a b#c?ç.md", "https://git.example/edit/content/pt/a%20b%23c%3F%C3%A7.md?x=1"},
		{"https://git.example/edit?file={path}&x=1", "content/pt/a&b.md", "https://git.example/edit?file=content%2Fpt%2Fa%26b.md&x=1"},
	} {
		if got := (&site.Config{Edit: c.edit}).EditURL(c.file); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.edit, c.file, got, c.want)
		}
	}
}
