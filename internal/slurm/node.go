package slurm

import (
	"fmt"
	"strings"
)

// A NodeRun is a run of gpudocs on the nodes of a job: one, or one for each
// label.
type NodeRun struct {
	// Executable is gpudocs, and Site the site's folder, as all nodes see them.
	Executable, Site string
	// Label names the reports.
	Label Label
	// Folder takes what a node says, LABEL.out, and its report, LABEL.json.
	Folder Folder
	// Args follow `gpudocs verify` and the options that name site, label and report.
	Args []string
}

// Script is what to submit. On each node the program takes the place of the
// shell, so that the signal of a job that ends reaches it.
func (r NodeRun) Script(o Options) Script {
	body := r.body()
	args := []string{"--job-name=gpudocs", "--no-requeue", "--output=" + r.Folder.Join("job.log")}
	if r.Label.PerNode() {
		body = "exec srun --ntasks-per-node=1 --kill-on-bad-exit=0 --wait=0 --cpu-bind=none sh -c " + quote(body) + "\n"
		args = append(args, "--ntasks-per-node=1")
	}
	return Script{Args: append(args, o.Args...), Text: "#!/bin/sh\n" + body}
}

func (r NodeRun) body() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("label=%s", r.Label.shell())
	line("exec >%s/\"$label\"%s 2>&1", quote(r.Folder.Path), outSuffix)
	line("lacks() { echo \"gpudocs: this node does not see $1; it must be on a file system that all nodes share\"; exit 126; }")
	line("[ -x %[1]s ] || lacks %[1]s", quote(r.Executable))
	line("[ -f %[1]s ] || lacks %[1]s", quote(r.Site+"/gpudocs.toml"))
	line("cd %s || exit 126", quote(r.Site))
	line("unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY") // the process here tells GitHub, once
	line("exec %s verify --site %s --machine \"$label\" --report %s/\"$label\".json %s",
		quote(r.Executable), quote(r.Site), quote(r.Folder.Path), quoteAll(r.Args))
	return b.String()
}
