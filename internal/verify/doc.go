// Package verify runs the checks of a site on this machine and writes the machine's
// report.
//
// Data flows from a site and its machine to a report: [NewPlan], then [Run]. Nothing here knows pages as HTML, and
// package render knows nothing of verify but the report. The packages below it run on other machines (remote), edit
// expectations (update) and explain the machine (doctor).
//
// # What runs
//
// [NewPlan] chooses sessions and gpu lines without executing anything (plan.go). [Run]
// probes the GPUs and the versions of interpreters (machine.go), keeps what an earlier
// report proves (keep.go), judges the gpu lines (gpuline.go), and runs the other
// sessions, in parallel if that disturbs nothing (schedule.go). Each session has a
// process and a scratch folder of its own (package session). The same code in two
// languages is one check and runs once. [DryRun] only decides what would run (dryrun.go),
// and [Plan.NotRun] reports that nothing did (notrun.go).
//
// A runner runs the blocks of a session (run.go). It skips those that the machine cannot run (skip.go). For each kind
// of block there is an executor, which runs a block and returns its output (execute.go): code in an interpreter, a
// Python session, a recipe, or a job script, which is submitted to Slurm (sbatch.go). Package judge makes a check of any
// output. results.go collects the checks, merges them with those of an earlier report, and trims them if they are too
// large (budget.go).
//
// # How results are judged
//
// A block passes if it runs to its end, without a failing command or an exception, or
// with the exit code that the author expects, and its output matches the expectation
// (package match). Without an expectation, running to its end is enough. If several
// expectations follow a block, exactly one of each stream must apply to this machine:
// the one whose when= holds, or else the one without when=. If none or several apply,
// the check is an error, because the expected result is not known. See package judge.
//
// A block whose needs= this machine does not meet is skipped, and so are the later
// blocks of its session. A block that crashes or exceeds its time limit, or whose
// interpreter does not start, is an error and ends its session: the later blocks are
// errors too. A block that fails for the lack of something for which an earlier block of its
// session has failed is skipped too (package ask). A gpu line is skipped if the machine has no GPU, and an error if its
// driver is broken. Lines that measure run before any session (measure.go).
//
// Requirements on software, "runs torch" or "torch >= 1.12", are judged by package
// compat in the environment of their block. A gpu line with such a requirement fails if
// torch is not installed.
//
// # What snippets see
//
// Snippets have the environment of gpudocs, with NO_COLOR=1, TERM=dumb, COLUMNS=80,
// LC_ALL=C.UTF-8, MPLBACKEND=Agg and a TMPDIR in the scratch folder, and with the PATH
// of the environment that env= names. Their resources are limited. They have the
// permissions of the user unless the site asks for a sandbox (confine.go).
//
// # What is published
//
// Reports are published, so private facts are redacted before output is compared and
// kept (redact.go).
package verify
