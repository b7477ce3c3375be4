package slurm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// A Partition is a queue of the cluster.
type Partition struct {
	Name string
	// Default: jobs without a partition go there. Up: it accepts and starts jobs.
	Default, Up bool
	Nodes       int
	// TimeLimit is as Slurm writes it: "1-00:00:00" or "infinite".
	TimeLimit string
	// GPUs are the GPUs of a node, as Slurm writes them: "gpu:a100:4". There are
	// several if nodes differ.
	GPUs []string
}

// A Cluster describes a Slurm cluster.
type Cluster struct {
	// Version is "23.11.4".
	Version    string
	Partitions []Partition
}

// ErrSlow means that sinfo did not answer in time.
var ErrSlow = errors.New("sinfo did not answer in time; the controller may be down")

// InJob reports whether this process runs inside a job.
func InJob() bool { return os.Getenv("SLURM_JOB_ID") != "" }

// clusterTime limits queries about the cluster. It is less than Slurm's own timeout for
// a controller that is down, because a person waits.
const clusterTime = 10 * time.Second

// sinfoFormat prints one line for each partition and kind of node: name, with * after
// the default one, state, nodes, time limit, generic resources.
const sinfoFormat = "%P|%a|%D|%l|%G"

// Ask queries the cluster's version and partitions. The version may be set even if
// there is an error, which is [ErrSlow] or holds no host name.
func Ask(ctx context.Context) (Cluster, error) {
	ctx, cancel := context.WithTimeout(ctx, clusterTime)
	defer cancel()
	c := Cluster{}
	out, _, err := run(ctx, "sinfo", "--version")
	switch {
	case ctx.Err() != nil:
		return c, ErrSlow
	case err != nil:
		return c, fmt.Errorf("sinfo --version: %w", err)
	}
	c.Version = version(out)
	out, _, err = run(ctx, "sinfo", "--noheader", "-o", sinfoFormat)
	switch {
	case ctx.Err() != nil:
		return c, ErrSlow
	case err != nil: // its message names the controller's host
		return c, fmt.Errorf("sinfo: %w", err)
	}
	c.Partitions = parsePartitions(out)
	return c, nil
}

// Version returns the version of the client on this machine, "23.11.4", or "?" if it is
// not known. It returns "" if there is none, or one without a configured cluster. It
// does not query the cluster.
func Version(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, clusterTime)
	defer cancel()
	out, _, err := run(ctx, Program, "--version")
	switch v := version(out); {
	case err != nil:
		return ""
	case plainVersion.MatchString(v):
		return v
	}
	return "?"
}

// plainVersion is a version that is valid in a report.
var plainVersion = lazyregexp.New(`^[0-9A-Za-z][0-9A-Za-z.+~-]{0,63}$`)

// version returns the version in "slurm 23.11.4", or in Debian's "slurm-wlm 22.05.8".
func version(out string) string {
	words := strings.Fields(out)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// parsePartitions parses lines of [sinfoFormat]. A partition with several kinds of
// nodes has several lines.
func parsePartitions(text string) []Partition {
	var all []Partition
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) != 5 || f[0] == "" {
			continue
		}
		name, isDefault := strings.CutSuffix(f[0], "*")
		i := slices.IndexFunc(all, func(p Partition) bool { return p.Name == name })
		if i < 0 {
			i = len(all)
			all = append(all, Partition{Name: name, Default: isDefault, Up: f[1] == "up", TimeLimit: f[3]})
		}
		n, _ := strconv.Atoi(f[2]) // no number is no node
		all[i].Nodes += n
		for _, g := range gpusOf(f[4]) {
			if !slices.Contains(all[i].GPUs, g) {
				all[i].GPUs = append(all[i].GPUs, g)
			}
		}
	}
	return all
}

// sockets matches the sockets that Slurm appends to a resource.
var sockets = lazyregexp.New(`\([^()]*\)`)

// gpusOf returns the GPUs of a list of generic resources, "gpu:a100:4(S:0-1),craynetwork:4",
// without their sockets.
func gpusOf(gres string) []string {
	return slices.DeleteFunc(strings.Split(sockets.ReplaceAllString(gres, ""), ","), func(item string) bool {
		return item != "gpu" && !strings.HasPrefix(item, "gpu:")
	})
}
