package slurm

import (
	"slices"
	"strings"
)

// Rejected is the error of a job that Slurm did not accept.
type Rejected struct{ Message string }

func (r *Rejected) Error() string { return r.Message }

// Slurm's messages for a resource that no node has, ESLURM_INVALID_GRES, and for one
// that not this many or none of these nodes have,
// ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE:
// https://github.com/SchedMD/slurm/blob/master/src/common/slurm_errno.c
const (
	noSuchResource = "Invalid generic resource (gres) specification"
	noSuchNode     = "Requested node configuration is not available"
)

// Absent reports whether a script was rejected only because the cluster does not have
// such GPUs or other generic resources. If Slurm gives more reasons, the script is at
// fault. If the script requests none, something else is missing.
func (r *Rejected) Absent(script string) bool {
	return r.Message == noSuchResource || r.Message == noSuchNode && asksForGPU(script)
}

// asksForGPU reports whether an option of the script requests one.
func asksForGPU(script string) bool {
	return slices.ContainsFunc(options(script), func(o string) bool {
		return strings.HasPrefix(o, "--gres=") || o == "--gres" || strings.HasPrefix(o, "--gpus") || strings.HasPrefix(o, "-G")
	})
}
