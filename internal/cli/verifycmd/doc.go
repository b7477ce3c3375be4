// Package verifycmd has the command verify: which checks are run, on this machine, on hosts or in Slurm,
// how their results are printed, and the update of expectations.
package verifycmd
