package verify

import (
	"errors"
	"html"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/machine/pyenv/pyenvtest"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

func TestScrub(t *testing.T) {
	p := newRedactor("", nil) // the names of this machine, and those below
	p.addPath("/srv/site", "$SITE")
	p.addPath("/home/ana", "~")
	p.addHost("gpuhost1.example.org")
	p.addWord("ana", "<user>")
	p.addWord("x", "<no>")
	for in, want := range map[string]string{
		"GPU 0: X (UUID: GPU-12345678-90ab-cdef-1234-567890abcdef)": "GPU 0: X (UUID: GPU-<uuid>)",
		"| 00000000:65:00.0 Off |":                                  "| <pci> Off |",
		"/srv/site/content/pt/a.md, /home/ana/x":                    "$SITE/content/pt/a.md, ~/x",
		"ana@gpuhost1, gpuhost1.example.org":                        "<user>@<host>, <host>",
		"/home/anabel/x":                                            "/home/anabel/x",
		"/home/ana:/home/ana/lib=/home/ana file:///home/ana":        "~:~/lib=~ file://~",
		"/mnt/home/anabel /nfs/home/ana":                            "/mnt/home/anabel /nfs/home/<user>",
		"/opt/srv/site/bin, \"/srv/site\"":                          "/opt/srv/site/bin, \"$SITE\"",
		"banana gpuhost10":                                          "banana gpuhost10",
		"x":                                                         "x",
		"12:34:56.7 and 01:23.4 s":                                  "12:34:56.7 and 01:23.4 s",
		"01:00.0 VGA compatible controller":                         "<pci> VGA compatible controller",
		"Serial Number : 0324018012345":                             "Serial Number : <serial>",
	} {
		if got := p.redact(in); got != want {
			t.Errorf("scrub(%q) = %q, want %q", in, got, want)
		}
	}
}

// forms are a path as programs write it: in a list, an address, JSON, a string of Python, a form, and by Windows.
func forms(path string) map[string]string {
	windows := strings.ReplaceAll(path, "/", `\`)
	return map[string]string{
		"plain": path, "quoted": strconv.Quote(path), "list": "/bin:" + path + "/bin:" + path, "address": "file://" + (&url.URL{Path: path}).EscapedPath() + "/x.py",
		"form": "dir=" + url.QueryEscape(path), "json": strings.ReplaceAll(path, "/", `\/`), "ascii": strconv.QuoteToASCII(path + "/x"),
		"windows": `\\wsl.localhost\Debian` + windows + `\x`, "escaped": strings.ReplaceAll(windows, `\`, `\\`), "line": path + "/a.py:12: in f", "option": "-I" + " " + path,
		"assigned": "HOME=" + path + ";",
	}
}

// TestScrubForms: a folder is found in each form in which a program writes its path, and nothing of its name is left.
func TestScrubForms(t *testing.T) {
	for _, dir := range []string{"/home/jo", "/home/José Silva", "/srv/R&D 100%/lab", "/data/a.b+c/[x]", "/export/home/users/g-1/jo_2"} {
		p := &redactor{}
		p.addPath(dir, "~")
		for name, text := range forms(dir) {
			got := p.redact(text)
			for _, part := range strings.Split(dir, "/")[1:] {
				if part != "home" && (strings.Contains(got, part) || strings.Contains(got, url.PathEscape(part))) {
					t.Errorf("%s as %s: %q became %q", dir, name, text, got)
				}
			}
			markup := p.redactMarkup("<p title='" + html.EscapeString(text) + "'>")
			if last := path.Base(dir); strings.Contains(markup, last) || strings.Contains(markup, html.EscapeString(last)) {
				t.Errorf("%s as %s in HTML: %q", dir, name, markup)
			}
		}
		for _, other := range []string{dir + "bel/x", dir + "2", "x" + dir, strings.TrimPrefix(dir, "/")} {
			if got := p.redact(other); got != other {
				t.Errorf("%s is not %s: %q", other, dir, got)
			}
		}
	}
}

// TestScrubEnvironments: the folders of environments and of what they were made from are hidden, whether in the home
// folder, behind links or below each other, and the rest of a path can be read. Those of the system stay.
func TestScrubEnvironments(t *testing.T) {
	lab := t.TempDir()
	t.Setenv("HOME", filepath.Join(lab, "home", "jo"))
	t.Setenv("TMPDIR", filepath.Join(lab, "local", "job-7"))
	file := func(name string) string {
		name = filepath.Join(lab, name)
		pyenvtest.Write(t, name, "")
		return name
	}
	link := func(name, target string) string {
		name = filepath.Join(lab, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.Symlink(target, name)); err != nil {
			t.Fatal(err)
		}
		return name
	}
	all := tools.Set{}
	add := func(python string) {
		tool := &tools.Tool{}
		tool.Env.Python.Path = python
		all[tools.Key{Env: python}] = tool
	}
	conda := file("opt/conda/bin/python3.12")
	link("opt/conda/bin/python3", "python3.12")
	link("sw", filepath.Join(lab, "opt"))
	add(file("opt/conda/envs/torch/bin/python"))                                  // below the other
	add(link("venvs/a b/bin/python", filepath.Join(lab, "sw/conda/bin/python3"))) // by a folder that is a link
	add(link("site/.venv/bin/python", conda))
	add(link("home/jo/env/bin/python", "/usr/bin/python3"))
	add("/usr/bin/python3")
	add("/opt/bin/python3") // of /opt
	add("")                 // not found
	p := newRedactor(filepath.Join(lab, "site"), all)
	in := func(name string) string { return filepath.Join(lab, name) }
	for text, want := range map[string]string{
		in("opt/conda/envs/torch/lib/python3.12/site-packages/torch/x.py:12"): "$ENV/lib/python3.12/site-packages/torch/x.py:12",
		in("opt/conda/lib/python3.12/os.py"):                                  "$PYTHON/lib/python3.12/os.py",
		in("sw/conda/bin/python3"):                                            "$PYTHON/bin/python3",
		`File "` + in("venvs/a b/lib/python3.12/site-packages/x.py") + `"`:    `File "$ENV/lib/python3.12/site-packages/x.py"`,
		"PATH=" + in("venvs/a b/bin") + ":" + in("opt/conda/bin") + ":/bin":   "PATH=$ENV/bin:$PYTHON/bin:/bin",
		in("site/.venv/lib/python3.12/x.py"):                                  "$SITE/.venv/lib/python3.12/x.py", // as before there was $ENV
		in("home/jo/env/lib/python3.11/x.py"):                                 "~/env/lib/python3.11/x.py",
		in("local/job-7/core"):                                                "$TMPDIR/core",
		"/usr/lib/python3.11/os.py /usr/local/lib/python3.12/dist-packages/":  "/usr/lib/python3.11/os.py /usr/local/lib/python3.12/dist-packages/",
		"/opt/data /tmp/x /usr/bin/python3":                                   "/opt/data /tmp/x /usr/bin/python3",
		// Libraries of a Python that the run does not know, such as that of a module.
		"/sw/apps/torch/2.1/lib/python3.11/site-packages/torch/_ops.py:7":          "$ENV/lib/python3.11/site-packages/torch/_ops.py:7",
		"'/opt/conda/lib64/python3.13t/site-packages' file:///o/v/lib/python3.9/x": "'$ENV/lib64/python3.13t/site-packages' file://$ENV/lib/python3.9/x",
		"./venv/lib/python3.12/x.py venv/lib/python3.12/x.py a-/b/lib/python3/":    "./venv/lib/python3.12/x.py venv/lib/python3.12/x.py a-/b/lib/python3/",
		"https://example.org/cpython/lib/python3.12/os.py":                         "https://example.org/cpython/lib/python3.12/os.py",
	} {
		if got := p.redact(text); got != want {
			t.Errorf("%q became %q, want %q", strings.ReplaceAll(text, lab, "LAB"), strings.ReplaceAll(got, lab, "LAB"), want)
		}
	}
}

// TestScrubShortNames: a name of two letters is hidden where it is a word of its own, unless the blocks of the session
// have that word. One letter is never a name.
func TestScrubShortNames(t *testing.T) {
	p := &redactor{}
	p.addHost("vm")
	p.addHost("g2.cluster.example.org")
	p.addWord("jo", "<user>")
	p.addWord("q", "<no>")
	for in, want := range map[string]string{
		"job on vm":                         "job on <host>",
		"vm vm jo,jo;jo":                    "<host> <host> <user>,<user>;<user>",
		"jo@vm:~$ cd /data/jo/x":            "<user>@<host>:~$ cd /data/<user>/x",
		"ended on vm.":                      "ended on <host>.",
		"g2: g2.cluster.example.org":        "<host>: <host>",
		"~jo (jo) 'jo' \"jo\" uid=7(jo)":    "~<user> (<user>) '<user>' \"<user>\" uid=7(<user>)",
		"jog join mojo jo_2 joão éjo":       "jog join mojo jo_2 joão éjo",
		"vm.max_map_count jo-2 x.jo sub-vm": "vm.max_map_count jo-2 x.jo sub-vm",
		"JO VM":                             "JO VM",
		"q":                                 "q",
	} {
		if got := p.redact(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
		if got := html.UnescapeString(p.redactMarkup(html.EscapeString(in))); got != want {
			t.Errorf("%q became %q in HTML, want %q", in, got, want)
		}
	}
	of := p.of(&site.Block{Code: "print('g2', vm.max, jo_2)"})
	if got := of.redact("g2 on vm by jo"); got != "g2 on <host> by <user>" {
		t.Errorf("with the block's own words: %q", got)
	}
	if got := p.redact("g2"); got != "<host>" {
		t.Errorf("elsewhere: %q", got)
	}
}

// TestScrubAccents: letters that are not those of English are letters.
func TestScrubAccents(t *testing.T) {
	p := &redactor{}
	p.addWord("josé", "<user>")
	p.addWord("émile", "<user>")
	for in, want := range map[string]string{"josé josé, (josé)": "<user> <user>, (<user>)", "joséfa josé2": "joséfa josé2", "émile émile": "<user> <user>"} {
		if got := p.redact(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// FuzzScrub: of what is private nothing is left, whatever is around it.
func FuzzScrub(f *testing.F) {
	for _, form := range forms("/home/zyx") {
		f.Add(form, " ")
	}
	f.Add("", "\n")
	p := newRedactor("/srv/wvu", nil)
	p.addPath("/home/zyx", "~")
	p.addWord("zyx", "<user>")
	f.Fuzz(func(t *testing.T, before, after string) {
		s := before + " /home/zyx/a:/srv/wvu " + after
		for _, got := range []string{p.redact(s), p.redactMarkup(s)} {
			if strings.Contains(got, " /home/zyx/") || strings.Contains(got, ":/srv/wvu ") {
				t.Errorf("%q became %q", s, got)
			}
		}
	})
}

// TestScrubCost: a redactor takes time in proportion to the output.
func TestScrubCost(t *testing.T) {
	p := newRedactor("/srv/site", nil)
	p.addPath("/home/ana", "~")
	p.addWord("jo", "<user>")
	for name, part := range map[string]string{
		"paths": "/home/ana/x:", "slashes": "/a", "no library": "/opt/x/lib/pytho", "words": "jo ", "joined": "jo.", "backslashes": `\home\an`, "references": "&#x2F;home&",
		"encoded": "%2Fhome%2Fan", "plain": "epoch 12: loss 0.314\n",
	} {
		complexitytest.Check(t, name, 32<<10, func(n int) { p.redactMarkup(p.redact(strings.Repeat(part, n/len(part)))) })
	}
}

// TestScrubMarkup: what replaces a private fact in HTML is text there, and no tag.
func TestScrubMarkup(t *testing.T) {
	p := newRedactor("", nil)
	p.addPath("/home/ana", "~")
	p.addHost("gpuhost1")
	for in, want := range map[string]string{
		`<td title="/home/ana/x">gpuhost1</td>`:       `<td title="~/x">&lt;host&gt;</td>`,
		`<td>serial: 0324018012345</td><td>a b</td>`:  `<td>serial: &lt;serial&gt;</td><td>a b</td>`,
		`/&#104;ome&sol;&#x61;na &#x2Fhome/ana`:       `~ ~`,
		`&lt;&#60;&#34;&#10;&amp;/home/ana&nbsp;&no;`: `&lt;&#60;&#34;&#10;&amp;~&nbsp;&no;`,
		`<text>00000000:65:00.0</text>`:               `<text>&lt;pci&gt;</text>`,
	} {
		if got := p.redactMarkup(in); got != want {
			t.Errorf("%q = %q, want %q", in, got, want)
		}
	}
}

// TestScrubModules checks that a module with the name of the user or of the host is redacted, in the environment and in
// the packages of its checks.
func TestScrubModules(t *testing.T) {
	p := newRedactor("", nil)
	p.addHost("gpuhost1")
	p.addWord("ana", "<user>")
	packages := []report.Package{{Name: "ana", Version: "1"}, {Name: "numpy", Version: "2"}}
	one, two := &tools.Tool{Packages: packages}, &tools.Tool{Packages: packages}
	one.Env.Modules = []string{"ana/1", "gpuhost1", "gcc/12"}
	p.redactModules(tools.Set{{Interpreter: "bash"}: one, {Interpreter: "python"}: two})
	if !slices.Equal(one.Env.Modules, []string{"<user>/1", "<host>", "gcc/12"}) {
		t.Error(one.Env.Modules)
	}
	for _, tool := range []*tools.Tool{one, two} {
		if tool.Packages[0].Name != "<user>" || tool.Packages[1].Name != "numpy" {
			t.Error(tool.Packages)
		}
	}
}
