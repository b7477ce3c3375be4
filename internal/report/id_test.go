package report

import (
	"fmt"
	"testing"
)

// TestIDs checks the IDs of a few checks: a change of the hash would discard the results of
// every site, so it must not happen by accident.
func TestIDs(t *testing.T) {
	c := NewChain("python", "torch")
	got := map[string]ID{
		"python 1": c.Next("python", "import torch\n", ""),
		"pycon 2":  c.Next("pycon", ">>> torch.cuda.is_available()\nTrue\n", "gpus >= 1"),
		"bash":     NewChain("bash", "").Next("bash", "nvidia-smi -L\n", "gpus >= 1", [2]string{"", "GPU 0: ...\n"}, [2]string{"gpus == 0", ""}),
		"empty":    NewChain("", "").Next("", "", ""),
		"gpu line": GPULine("driver >= 550.54.14"),
	}
	want := map[string]ID{
		"python 1": "xytbgeumxl5btmrfpovu7ru5ni",
		"pycon 2":  "ddd76xmwozutnaa3id2cucle3e",
		"bash":     "yf75pdga6redw42vhdymh4dkiu",
		"empty":    "jnzdbsrcttpelz7ik2itmsg7h4",
		"gpu line": "swounffy7ndhnk7nnumvrc33fm",
	}
	for name, id := range got {
		if id != want[name] || !id.valid() {
			t.Errorf("%q: %q,", name, id)
		}
	}
}

// TestIDIsSensitive: whatever can change an outcome changes the ID, and no two lists of texts
// have the same ID.
func TestIDIsSensitive(t *testing.T) {
	next := func(kind, code, needs string, expects ...[2]string) func(*Chain) ID {
		return func(c *Chain) ID { return c.Next(kind, code, needs, expects...) }
	}
	seen := map[ID]string{}
	add := func(what string, id ID) {
		t.Helper()
		if other, ok := seen[id]; ok {
			t.Errorf("%s has the ID of %s", what, other)
		}
		seen[id] = what
	}
	for _, chain := range [][2]string{{"bash", ""}, {"python", ""}, {"python", "torch"}, {"pythontorch", ""}, {"", "python"}} {
		for i, before := range []func(*Chain) ID{nil, next("python", "x = 1\n", ""), next("python", "x = 2\n", ""), next("pycon", "x = 1\n", ""), next("python", "x = 1\n", "gpus >= 1")} {
			for j, this := range []func(*Chain) ID{
				next("python", "ab", ""), next("python", "a", "b"), next("pythona", "b", ""), next("python", "ab\n", ""), next("python", "", "ab"), next("pycon", "ab", ""),
				next("python", "ab", "", [2]string{}), next("python", "ab", "", [2]string{}, [2]string{}),
				next("python", "ab", "", [2]string{"c", "d"}), next("python", "ab", "", [2]string{"cd", ""}), next("python", "ab", "", [2]string{"", "cd"}),
				next("python", "ab", "", [2]string{"c", ""}, [2]string{"d", ""}), next("python", "ab", "", [2]string{"d", ""}, [2]string{"c", ""}),
			} {
				c := NewChain(chain[0], chain[1])
				if before != nil {
					before(c)
				}
				add(fmt.Sprintf("chain %q, before %d, block %d", chain, i, j), this(c))
			}
		}
	}
	for _, line := range []string{"gpus >= 1", "gpus >= 2", "gpus > 1", ""} {
		add("line "+line, GPULine(line))
	}
}

func TestExpectationsDoNotCountForLaterBlocks(t *testing.T) {
	ids := func(expects ...[2]string) (first, second ID) {
		c := NewChain("bash", "")
		return c.Next("bash", "a=1\n", "", expects...), c.Next("bash", "echo $a\n", "")
	}
	plain1, plain2 := ids()
	first, second := ids([2]string{"gpus >= 1", "x\n"}, [2]string{"", "y\n"})
	if first == plain1 {
		t.Error("an expectation does not change the ID of its own block")
	}
	if second != plain2 {
		t.Error("an expectation changes the ID of the next block")
	}
}

func TestLineEndsDoNotChangeTheID(t *testing.T) {
	unix := NewChain("bash", "").Next("bash", "a\nb\n", "", [2]string{"", "x\ny\n"})
	windows := NewChain("bash", "").Next("bash", "a\r\nb\r\n", "", [2]string{"", "x\r\ny\r\n"})
	if unix != windows {
		t.Errorf("IDs with LF and CRLF differ: %s, %s", unix, windows)
	}
	if bare := NewChain("bash", "").Next("bash", "a\rb\n", "", [2]string{"", "x\ny\n"}); bare == unix {
		t.Error("a carriage return within a line does not change the ID")
	}
}

func TestIDForm(t *testing.T) {
	good := GPULine("x")
	for _, bad := range []ID{"", good[1:], good + "a", "A" + good[1:], "1" + good[1:], "8" + good[1:], "=" + good[1:], "é" + good[2:]} {
		if bad.valid() {
			t.Errorf("%q is accepted as an ID", bad)
		}
	}
	if !good.valid() {
		t.Errorf("%q is refused as an ID", good)
	}
}
