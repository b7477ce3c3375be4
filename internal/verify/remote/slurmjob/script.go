package slurmjob

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/machine/slurm"
)

// A nodeRun is a run of gpudocs in a job: on its first node, or on each node if the
// label has a pattern.
type nodeRun struct {
	// executable is gpudocs, and site the site's folder, as all nodes see them.
	executable, site string
	// folder takes what a node prints, LABEL.out, and its report, LABEL.json.
	folder slurm.Folder
	// args follow `gpudocs verify` and the options that name site, label and report.
	args []string
}

// script returns the job script. On each node the program replaces the shell, so that
// it receives the signal if the job is cancelled.
func (r nodeRun) script(a Allocation) slurm.Script {
	body := r.body(a.Machine)
	args := []string{"--job-name=gpudocs", "--no-requeue", "--output=" + r.folder.Join("job.log")}
	if a.Machine.PerNode() {
		body = "exec srun --ntasks-per-node=1 --kill-on-bad-exit=0 --wait=0 --cpu-bind=none sh -c " + quote(body) + "\n"
		args = append(args, "--ntasks-per-node=1")
	}
	if slices.ContainsFunc(a.Args, func(arg string) bool { return strings.HasPrefix(arg, "--gpus-per-task") }) {
		args = append(args, "--ntasks="+strconv.Itoa(a.Nodes)) // without it Slurm would not know how many GPUs to allocate
	}
	return slurm.Script{Args: append(args, a.Args...), Text: "#!/bin/sh\n" + body}
}

// exitNotSeen is the exit code of a job script if its node does not see gpudocs or the
// site.
const exitNotSeen = 126

func (r nodeRun) body(label Label) string {
	var quoted []string
	for _, a := range r.args {
		quoted = append(quoted, quote(a))
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("label=%s", label.expand(`"$SLURM_NODEID"`, `"$SLURMD_NODENAME"`, quote)) // as a word that the node evaluates
	line("exec >%s/\"$label\"%s 2>&1", quote(r.folder.Path), outSuffix)
	line("lacks() { echo \"gpudocs: this node does not see $1; it must be on a file system that all nodes share\"; exit %d; }", exitNotSeen)
	line("[ -x %[1]s ] || lacks %[1]s", quote(r.executable))
	line("[ -f %[1]s ] || lacks %[1]s", quote(r.site+"/gpudocs.toml"))
	line("cd %s || exit %d", quote(r.site), exitNotSeen)
	line("unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY") // the process that submitted the job reports to GitHub
	line("exec %s verify --site %s --machine \"$label\" --report %s/\"$label\".json %s",
		quote(r.executable), quote(r.site), quote(r.folder.Path), strings.Join(quoted, " "))
	return b.String()
}

// quote returns a text as one word of sh.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
