package slurmjob

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/machine/slurm"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Allocation{
		"partition=gpu-8-v100,gpus-per-node=2,time=00:10:00": {Args: []string{"--partition=gpu-8-v100", "--gpus-per-node=2", "--time=00:10:00"}, Nodes: 1},
		"machine=v100,time=1":                                {Args: []string{"--time=1"}, Machine: "v100", Nodes: 1},
		"exclusive,nodelist=n[1-3,7]":                        {Args: []string{"--exclusive", "--nodelist=n[1-3,7]"}, Nodes: 1},
		`nodelist="n1,n2",comment="a [b"`:                    {Args: []string{"--nodelist=n1,n2", "--comment=a [b"}, Nodes: 1},
		"machine=v100-%n,nodes=2-4":                          {Args: []string{"--nodes=2-4"}, Machine: "v100-%n", Nodes: 2},
		"gres=gpu:v100:2,constraint=a=b|c":                   {Args: []string{"--gres=gpu:v100:2", "--constraint=a=b|c"}, Nodes: 1},
		"exclusive=":                                         {Args: []string{"--exclusive="}, Nodes: 1},
		"time=10;date $(date)":                               {Args: []string{"--time=10;date $(date)"}, Nodes: 1}, // never seen by a shell
	} {
		want.Text = text
		got, err := Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
	}
	for text, want := range map[string]string{
		"":                     "an option is missing",
		"time=1,":              "an option is missing",
		"time=1,,mem=1":        "an option is missing",
		"nodelist=n1,n2":       `"n2" is not the name of an option`,
		"-p=gpu":               `"-p" is not the name`,
		"--partition=gpu":      "is not the name",
		"Partition=gpu":        "is not the name",
		"=gpu":                 "is not the name",
		"wrap=date":            `the option "wrap" cannot be used`,
		"outp=x":               `the option "outp" cannot be used`,
		"output=x":             `the option "output" cannot be used`,
		"parsable":             `the option "parsable" cannot be used`,
		"array=1-3":            "write --slurm once for each",
		"ntasks=2":             "one task on each node",
		"time=1,time=2":        `"time" occurs twice`,
		"nodelist=n[1":         "is not closed",
		`comment="a`:           "is not closed",
		"nodelist=n1]":         "is not closed",
		"comment=a\nb":         "control character",
		"machine=a-%j":         `"%j" in machine=a-%j stands for nothing`,
		"machine=100%":         "stands for nothing",
		"machine=v100,nodes=2": "machine=v100-%n for v100-0, v100-1",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// FuzzParse: each accepted option becomes one argument, which can be taken neither for a
// value nor for an option that gpudocs sets.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"partition=gpu,time=1", `a="b,c",d`, "n=[1,2]", "machine=%n", "wrap=x", "a=\x00", `""`, "]["} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o, err := Parse(text)
		if err != nil {
			return
		}
		for _, arg := range o.Args {
			name, _, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
			if !strings.HasPrefix(arg, "--") || !optionName.MatchString(name) || whyRefused(name) != "" || strings.ContainsAny(arg, "\x00\n") {
				t.Errorf("%q gives the argument %q", text, arg)
			}
		}
		if o.Nodes < 1 {
			t.Errorf("%q: %d nodes", text, o.Nodes)
		}
	})
}

func TestLabel(t *testing.T) {
	t.Parallel()
	l := Label("lab-%n-%N")
	if got := l.Of(3, "node7"); got != "lab-3-node7" {
		t.Errorf("label %q", got)
	}
	if !l.PerNode() || l.numbered() || Label("v100").PerNode() || !Label("v-%n").numbered() {
		t.Error("what a label needs to know")
	}
	for name, want := range map[string]bool{"v-0": true, "v-12": true, "v-": false, "v-a": false, "xv-0": false, "v-0x": false} {
		if got := Label("v-%n").matches(name); got != want {
			t.Errorf("v-%%n matches %q: %v", name, got)
		}
	}
}

// TestNodeRun has a real shell read the script: folders, labels and arguments are single words,
// whatever they contain.
func TestNodeRun(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	dir := t.TempDir() + "/it's $(touch $HOME) \"a\""
	if err := exec.Command("mkdir", "-p", dir).Run(); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("touch", dir+"/gpudocs.toml").Run(); err != nil {
		t.Fatal(err)
	}
	echo, err := exec.LookPath("echo")
	if err != nil {
		t.Skip("no echo")
	}
	r := nodeRun{executable: echo, site: dir, folder: slurm.Folder{Path: dir}, args: []string{"--run=a b", "--", "$HOME"}}
	cmd := exec.Command(sh)
	cmd.Stdin = strings.NewReader(r.body("l'%n%N"))
	cmd.Env = []string{"SLURM_NODEID=4", "SLURMD_NODENAME=n; date"}
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v: %s", err, out)
	}
	for what, lacking := range map[string]nodeRun{
		"does not see " + dir + "/gpudocs.toml/gpudocs.toml": {executable: echo, site: dir + "/gpudocs.toml", folder: r.folder},
		"does not see " + dir + "/gone":                      {executable: dir + "/gone", site: dir, folder: r.folder},
	} {
		cmd := exec.Command(sh)
		cmd.Stdin = strings.NewReader(lacking.body("lacks"))
		if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != exitNotSeen {
			t.Errorf("a node that %s: %v", what, err)
		}
		if out, err := os.ReadFile(dir + "/lacks" + outSuffix); err != nil || !strings.Contains(string(out), what) {
			t.Errorf("a node that %s prints %q, %v", what, out, err)
		}
		_ = os.Remove(dir + "/lacks" + outSuffix)
	}
	var lines []string
	f := follower{folder: r.folder, files: map[string]*followed{}, line: func(of, line string) { lines = append(lines, of+": "+line) }}
	f.close()
	want := []string{"l'4n; date: verify --site " + dir + " --machine l'4n; date --report " + dir + "/l'4n; date.json --run=a b -- $HOME"}
	if d := cmp.Diff(want, lines); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
