package verify

import (
	"slices"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

func TestScrub(t *testing.T) {
	p := newRedactor("") // the names of this machine, replaced below
	p.addPath("/srv/site", "$SITE")
	p.addPath("/home/ana", "~")
	p.addHost("gpuhost1.example.org")
	p.addWord("ana", "<user>")
	p.addWord("ab", "<no>")
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
		"ab":                                                        "ab",
		"12:34:56.7 and 01:23.4 s":                                  "12:34:56.7 and 01:23.4 s",
		"01:00.0 VGA compatible controller":                         "<pci> VGA compatible controller",
		"Serial Number : 0324018012345":                             "Serial Number : <serial>",
	} {
		if got := p.redact(in); got != want {
			t.Errorf("scrub(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestScrubMarkup: what replaces a private fact in HTML is text there, and no tag.
func TestScrubMarkup(t *testing.T) {
	p := newRedactor("")
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
	p := newRedactor("")
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
