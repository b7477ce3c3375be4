package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

func TestConfigVerify(t *testing.T) {
	for _, c := range []struct {
		toml, memory string
		bytes        uint64
		processes    int
		sandbox      string
	}{
		{"", "", 0, 0, ""},
		{"[verify]\nmemory = \"8 GiB\"\nprocesses = 512\nsandbox = \"bwrap\"\n", "8 GiB", 8 << 30, 512, "bwrap"},
		{"[verify]\nmemory = \"500MB\"\n", "500 MB", 500e6, 0, ""},
	} {
		v := sitetest.LoadValid(t, map[string]string{site.ConfigFile: c.toml, "content/pt/index.md": "# x\n"}).Config.Verify
		if v.Memory.String() != c.memory || v.Memory.Uint64() != c.bytes || v.Processes != c.processes || v.Sandbox != c.sandbox {
			t.Errorf("%q: %+v", c.toml, v)
		}
	}
}

func TestConfigVerifyFaults(t *testing.T) {
	for _, c := range []struct {
		toml         string
		line, column int
		message      string
	}{
		{"[verify]\nmemory = \"8\"\n", 2, 11, `"8" is not a memory limit`},
		{"[verify]\nmemory = \"lots\"\n", 2, 11, `"lots" is not a memory limit`},
		{"[verify]\nmemory = \"8 GiB or so\"\n", 2, 11, `"8 GiB or so" is not a memory limit`},
		{"[verify]\nmemory = \"1 kB\"\n", 2, 11, `"1 kB" is not a memory limit`},
		{"[verify]\nmemory = 8\n", 2, 10, "this key takes no integer"},
		{"[verify]\nprocesses = 0\n", 2, 13, "0 is not a limit of processes"},
		{"[verify]\nprocesses = -3 \n", 2, 13, "-3 is not a limit of processes"},
		{"[verify]\nsandbox = \"docker\"\n", 2, 12, `there is no sandbox "docker"`},
		{"[references.bw]\n# collab = 1\n# lab\nlab = \"fast\"\n", 4, 8, "fast is not a reference"},
		{"[references]\nbw = { lab = \"fast\" }\n", 2, 15, "fast is not a reference"},
		{"[references]\n\"bw\".lab = \"5GB/s\"\n", 2, 13, "5GB/s is not a reference"},
		{"[references.bw]\n\"[a\" = \"5 s\"\n", 2, 2, "[a is neither a machine nor a pattern of a GPU model"},
		{"[verify]\nsandboxed = true\n", 2, 1, `unknown key "verify.sandboxed"`},
	} {
		_, out := sitetest.Load(t, map[string]string{site.ConfigFile: c.toml, "content/pt/index.md": "# x\n"})
		want := fmt.Sprintf("gpudocs.toml:%d:%d: error: %s\n", c.line, c.column, c.message)
		if !strings.HasPrefix(out, want) || strings.Count(out, "error:") != 1 {
			t.Errorf("%q: got %s\nwant %s", c.toml, out, want)
		}
	}
}

// TestNetwork checks that the first block of a session decides about the network, and that only access to
// the network changes IDs.
func TestNetwork(t *testing.T) {
	const with, without = "```bash {run network}\ntrue\n```\n", "```bash {run}\ntrue\n```\n"
	p := sitetest.Page(t, with+without+"```bash {run network session=s}\n1\n```\n```bash {run session=s}\n2\n```\n```bash {run network session=s}\n3\n```\n")
	for i, want := range []bool{true, false, true, true, true} {
		if p.Blocks[i].Session.Network != want {
			t.Errorf("block %d: network is %v", i+1, !want)
		}
	}
	if p.Blocks[0].ID == p.Blocks[1].ID {
		t.Error("the network is not part of the ID")
	}
	if plain := sitetest.Page(t, without); plain.Blocks[0].ID != p.Blocks[1].ID {
		t.Error("two plain blocks differ")
	}
	for _, c := range []struct{ text, want string }{
		{"```bash {run session=s}\n1\n```\n```bash {run network session=s}\n2\n```\n", "content/pt/p.md:4:14: error: session \"s\" has no network since line 1"},
		{"```bash {run network=yes}\n1\n```\n", "content/pt/p.md:1:14: error: network takes no value"},
		{"```bash {network}\n1\n```\n", "content/pt/p.md:1:10: error: \"network\" has no meaning on a block that is only shown"},
		{"```gpu {network}\ngpus >= 1\n```\n", "content/pt/p.md:1:9: error: \"network\" has no meaning on a gpu block"},
	} {
		if _, out := sitetest.Load(t, map[string]string{site.ConfigFile: "", "content/pt/p.md": c.text}); !strings.HasPrefix(out, c.want) {
			t.Errorf("%q: got %s\nwant %s", c.text, out, c.want)
		}
	}
}
