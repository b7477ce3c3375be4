// Package verifycmd has the command verify: which checks are run, on this machine, on hosts or in Slurm,
// how their results are printed, and the update of expectations.
//
// verify.go has the command, flags.go its flags, and plan.go its list of what would run. local.go runs a plan on this
// machine, followed by update.go; host.go and slurm.go run it on others, through remote.go. All of them claim the
// reports that they write (claim.go). progress.go shows a run on the terminal, news.go what it has changed.
package verifycmd
