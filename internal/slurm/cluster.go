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
	// Default: jobs that name none go there. Up: it takes and starts jobs.
	Default, Up bool
	Nodes       int
	// TimeLimit is as Slurm writes it: "1-00:00:00" or "infinite".
	TimeLimit string
	// GPUs are what a node has, as Slurm writes it: "gpu:a100:4"; several where
	// the nodes differ.
	GPUs []string
}

// A Cluster is what Slurm says of itself.
type Cluster struct {
	// Version is "23.11.4".
	Version    string
	Partitions []Partition
}

// ErrSlow: sinfo did not answer in time.
var ErrSlow = errors.New("sinfo did not answer in time; the controller may be down")

// InJob tells whether this process runs inside a job.
func InJob() bool { return os.Getenv("SLURM_JOB_ID") != "" }

// clusterTime is how long a cluster may take to say what it is: less than Slurm's
// own patience with a controller that is down, for somebody waits.
const clusterTime = 10 * time.Second

// sinfoFormat is one line for each partition and kind of node: its name, with *
// behind the default one, its state, the nodes, the time limit, what is generic
// about the nodes.
const sinfoFormat = "%P|%a|%D|%l|%G"

// Ask asks the cluster for its version and partitions. With an error, [ErrSlow] or
// one without the name of a host in it, the version may be there all the same.
func Ask(ctx context.Context) (Cluster, error) {
	ctx, cancel := context.WithTimeout(ctx, clusterTime)
	defer cancel()
	c := Cluster{}
	out, _, err := run(ctx, Script{}, nil, "sinfo", "--version")
	switch {
	case ctx.Err() != nil:
		return c, ErrSlow
	case err != nil:
		return c, fmt.Errorf("sinfo --version: %w", err)
	}
	c.Version = version(out)
	out, _, err = run(ctx, Script{}, nil, "sinfo", "--noheader", "-o", sinfoFormat)
	switch {
	case ctx.Err() != nil:
		return c, ErrSlow
	case err != nil: // what it says names the controller's host
		return c, fmt.Errorf("sinfo: %w", err)
	}
	c.Partitions = parsePartitions(out)
	return c, nil
}

// Version is that of the client here, "23.11.4", and "?" where it does not say. It is
// empty where there is none, or one without a cluster, which does not even tell its
// version. The cluster is not asked.
func Version(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, clusterTime)
	defer cancel()
	out, _, err := run(ctx, Script{}, nil, Program, "--version")
	switch v := version(out); {
	case err != nil:
		return ""
	case plainVersion.MatchString(v):
		return v
	}
	return "?"
}

// plainVersion is what a report may hold.
var plainVersion = lazyregexp.New(`^[0-9A-Za-z][0-9A-Za-z.+~-]{0,63}$`)

// version picks it out of "slurm 23.11.4", or of Debian's "slurm-wlm 22.05.8".
func version(out string) string {
	words := strings.Fields(out)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// parsePartitions reads lines of [sinfoFormat]; a partition with several kinds of
// nodes has several.
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

// gpusOf picks the GPUs from a list of generic resources, "gpu:a100:4(S:0-1),craynetwork:4":
// which sockets they belong to is left out.
func gpusOf(gres string) []string {
	var out []string
	depth, from := 0, 0
	add := func(item string) {
		item, _, _ = strings.Cut(item, "(")
		if item == "gpu" || strings.HasPrefix(item, "gpu:") {
			out = append(out, item)
		}
	}
	for i, r := range gres {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ',' && depth <= 0:
			add(gres[from:i])
			from = i + 1
		}
	}
	add(gres[from:])
	return out
}
