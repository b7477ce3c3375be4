package docs

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/test/programtest"
)

// nightly returns the files of docs/content/en/nightly.md.
func nightly(t *testing.T) map[string]string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(root, "docs/content/en", "nightly.md"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for n := range nodes(parse(src).tree) {
		fence, ok := n.(*ast.FencedCodeBlock)
		if !ok {
			continue
		}
		if html, ok := fence.PreviousSibling().(*ast.HTMLBlock); ok {
			line := html.Lines().At(0)
			if m := instruction.FindSubmatch(line.Value(src)); m != nil {
				files[string(m[2])] = block(fence, src)
			}
		}
	}
	if len(files) != 9 {
		t.Fatalf("docs/content/en/nightly.md has %d files", len(files))
	}
	return files
}

// clone is where the recipes have the site.
const clone = "/srv/aulas"

// TestNightly lets cron's command run some nights: it tells of each change once, through the scripts of the page.
func TestNightly(t *testing.T) {
	t.Parallel()
	runsSnippets(t)
	programtest.Need(t, "git", "jq")
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("/tmp", "gpudocs-nightly-") // the path in a crontab has no blanks
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	files := nightly(t)
	upstream, site := filepath.Join(dir, "upstream"), filepath.Join(dir, "site")
	page := filepath.Join(upstream, "content/pt/index.md")
	write(t, filepath.Join(upstream, "gpudocs.toml"), "[languages.pt]\n")
	write(t, page, "# A\n\n```bash {run name=count}\necho 1\n```\n")
	for name, text := range files {
		if strings.HasSuffix(name, ".sh") {
			write(t, filepath.Join(upstream, name), text)
			if err := os.Chmod(filepath.Join(upstream, name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, stub := range []string{"curl", "gh"} { // they keep what they get
		write(t, filepath.Join(dir, "bin", stub), "#!/bin/sh\nprintf '%s\\n' \"$@\" >'"+dir+"/"+stub+".args'\ncat >'"+dir+"/"+stub+".in'\n")
		if err := os.Chmod(filepath.Join(dir, "bin", stub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	variables, command := crontab(t, files["crontab"])
	sh := func(command string) string {
		t.Helper()
		return run(t, filepath.Join(dir, "bin")+string(filepath.ListSeparator)+bin, dir, variables+command)
	}
	night := func() string {
		t.Helper()
		return sh(strings.ReplaceAll(command, clone, site))
	}
	commit := "git -C upstream add . && git -C upstream -c user.name=a -c user.email=a@example.org -c commit.gpgsign=false commit --quiet -m a"
	if out := sh("mkdir state && git init --quiet upstream && " + commit + " && git clone --quiet upstream site"); out != "" {
		t.Fatal(out)
	}
	variables = strings.Replace(variables, "/var/lib/gpudocs-nightly", filepath.Join(dir, "state"), 1)

	if out := night(); !strings.HasPrefix(out, "gpudocs verify: 1 new check (deepnine)\n") {
		t.Errorf("the first night tells:\n%s", out)
	}
	if out := night(); out != "" {
		t.Errorf("nothing has changed:\n%s", out)
	}
	put(t, page, "# A\n\n```bash {run name=count}\nexit 1\n```\n", "replace")
	out := sh(commit) + night()
	if !strings.Contains(out, "gpudocs verify: 1 regression (deepnine)\n") || !strings.HasPrefix(out, "failed ") {
		t.Errorf("a regression:\n%s", out)
	}
	got := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	if out := sh("cd site && ./tell-issue.sh && WEBHOOK=https://hook.example.org ./tell-webhook.sh"); out != "" {
		t.Error(out)
	}
	var message struct{ Text string }
	if err := json.Unmarshal([]byte(got("curl.in")), &message); err != nil || message.Text != got("site/summary.md") || !strings.HasSuffix(got("curl.args"), "https://hook.example.org\n") {
		t.Errorf("the webhook gets %q (%v) with %q", message.Text, err, got("curl.args"))
	}
	if !strings.HasPrefix(got("gh.in"), "## deepnine\n") || !strings.Contains(got("gh.args"), "--title\ngpudocs verify: 1 regression (deepnine)\n") {
		t.Errorf("the issue gets %q with %q", got("gh.in"), got("gh.args"))
	}

	if out := night() + sh("rm gh.in curl.in; cd site && ./tell-issue.sh && WEBHOOK=x ./tell-webhook.sh; ls ../*.in"); !strings.Contains(out, "No such file") || strings.Contains(out, "regression") {
		t.Errorf("an old failure is told again:\n%s", out)
	}
	if out := sh("cd site && GPUDOCS_VERSION=99 ./nightly.sh; echo $?; wc -c <summary.md"); out != "this is not gpudocs 99\n3\n0\n" {
		t.Errorf("another version:\n%s", out)
	}
}

var cronLine = regexp.MustCompile(`(?m)^[\d*]+ [\d*]+ [\d*]+ [\d*]+ [\d*]+ (.*)$`)

// crontab returns the variables of a crontab, for sh, and its command.
func crontab(t *testing.T, text string) (variables, command string) {
	t.Helper()
	lines := cronLine.FindAllStringSubmatch(text, -1)
	if len(lines) != 1 || strings.Contains(lines[0][1], "%") {
		t.Fatalf("the crontab has %q", lines)
	}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.Contains(name, " ") {
			variables += "export " + name + "='" + value + "'; "
		}
	}
	return variables, lines[0][1]
}

// TestNightlyUnits has systemd read the units and the time of the timer.
func TestNightlyUnits(t *testing.T) {
	t.Parallel()
	programtest.Need(t, "systemd-analyze")
	dir, err := os.MkdirTemp("/tmp", "gpudocs-units-") // a path of a unit has no blanks
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	args := []string{"verify", "--man=no"}
	for name, text := range nightly(t) {
		name = filepath.Join(dir, name)
		if strings.HasPrefix(filepath.Base(name), "gpudocs-nightly.") {
			args = append(args, name)
		}
		write(t, name, strings.ReplaceAll(text, clone, dir))
		if strings.HasSuffix(name, ".sh") {
			if err := os.Chmod(name, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(args) != 4 {
		t.Fatal(args)
	}
	out, err := exec.Command("systemd-analyze", args...).CombinedOutput()
	if err != nil || strings.Contains(string(out), dir) {
		t.Errorf("%v\n%s", err, out)
	}
}

var pinned = regexp.MustCompile(`^[\w-]+/[\w-]+@[0-9a-f]{40}$`)

// workflow is what the tests read of a workflow of GitHub.
type workflow struct {
	On          any
	Permissions map[string]string
	Jobs        map[string]struct {
		RunsOn      any `yaml:"runs-on"`
		Permissions map[string]string
		Steps       []struct {
			Uses, Run string
			With, Env map[string]any
		}
	}
}

// TestNightlyWorkflows: actions are pinned. A job with a GPU starts at night or by hand, can only read, and leaves no token behind. What runs
// for a pull request has no such runner.
func TestNightlyWorkflows(t *testing.T) {
	t.Parallel()
	files := nightly(t)
	gpu := 0
	for name, text := range files {
		if !strings.HasPrefix(name, ".github/") {
			continue
		}
		var w workflow
		if err := yaml.Unmarshal([]byte(text), &w); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for id, job := range w.Jobs {
			own := strings.Contains(strings.ToLower(yamlText(t, job.RunsOn)), "self-hosted")
			if own {
				gpu++
				triggers := yamlText(t, w.On)
				if !strings.Contains(triggers, "schedule") || strings.Contains(triggers, "pull_request") || strings.Contains(triggers, "push") {
					t.Errorf("%s: a job with a GPU starts on %s", name, triggers)
				}
				if len(job.Permissions) != 1 || job.Permissions["contents"] != "read" {
					t.Errorf("%s: %s may %v", name, id, job.Permissions)
				}
			}
			for _, step := range job.Steps {
				if step.Uses != "" && !pinned.MatchString(step.Uses) {
					t.Errorf("%s: %s is not pinned", name, step.Uses)
				}
				if strings.HasPrefix(step.Uses, "actions/checkout@") && step.With["persist-credentials"] != false {
					t.Errorf("%s: %s leaves its token in the checkout", name, id)
				}
				if own && strings.Contains(yamlText(t, step.Env), "${{") {
					t.Errorf("%s: a step of %s gets %v", name, id, step.Env)
				}
				if script, is := strings.CutPrefix(step.Run, "./"); is {
					checkVariables(t, name, files[script], step.Env)
				}
			}
		}
	}
	if gpu != 1 {
		t.Errorf("%d jobs have a GPU", gpu)
	}
}

// TestNightlyGitLab: every job is of a schedule on a protected branch.
func TestNightlyGitLab(t *testing.T) {
	t.Parallel()
	files := nightly(t)
	var jobs map[string]struct {
		Tags      []string
		Rules     []struct{ If, When string }
		Variables map[string]any
		Script    []string
		Needs     []string
	}
	if err := yaml.Unmarshal([]byte(files[".gitlab-ci.yml"]), &jobs); err != nil {
		t.Fatal(err)
	}
	for name, job := range jobs {
		if len(job.Rules) != 1 || job.Rules[0].If != `$CI_PIPELINE_SOURCE == "schedule" && $CI_COMMIT_REF_PROTECTED == "true"` {
			t.Errorf("%s: rules %v", name, job.Rules)
		}
		for _, line := range job.Script {
			script, _ := strings.CutPrefix(line, "./")
			if slices.Contains(job.Tags, "gpu") {
				checkVariables(t, name, files[script], job.Variables)
			} else if files[script] == "" {
				t.Errorf("%s runs %s", name, line)
			}
		}
	}
	if len(jobs) != 2 || !slices.Equal(jobs["tell"].Needs, []string{"verify"}) {
		t.Errorf("jobs %v", jobs)
	}
}

func yamlText(t *testing.T, v any) string {
	t.Helper()
	text, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var variable = regexp.MustCompile(`\$([A-Z_]+)`)

// checkVariables makes sure that a script is one of the page, and has its variables.
func checkVariables(t *testing.T, where, script string, env map[string]any) {
	t.Helper()
	if script == "" {
		t.Errorf("%s runs a script that the page does not have", where)
	}
	for _, m := range variable.FindAllStringSubmatch(script, -1) {
		if env[m[1]] == nil {
			t.Errorf("%s: no variable %s", where, m[1])
		}
	}
}

// TestNightlyShell: the scripts have no mistakes that shellcheck knows.
func TestNightlyShell(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("they are scripts of a shell")
	}
	programtest.Need(t, "shellcheck")
	for name, text := range nightly(t) {
		if !strings.HasSuffix(name, ".sh") {
			continue
		}
		check := exec.Command("shellcheck", "-")
		check.Stdin = strings.NewReader(text)
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
