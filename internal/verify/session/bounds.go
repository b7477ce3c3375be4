package session

// Limits limit what all processes of a session use together. Zero means no limit.
type Limits struct {
	Memory    uint64 // bytes
	Processes int    // and threads
}

// The limits that a step can exceed, for [Result].Limit.
const (
	LimitMemory    = "memory"
	LimitProcesses = "processes"
)

// How a machine enforces limits, for [Bounds.Means].
const (
	// ByCgroup: the kernel enforces them, in a cgroup for each session.
	ByCgroup = "cgroup2"
	// ByWatching: processes are tagged with prlimit and checked periodically.
	ByWatching = "prlimit"
)

// How the processes of a session are kept together, so that none outlives it, for
// [Bounds.Containment], from the strongest to the weakest. A sandbox is stronger still:
// it has a PID namespace, in which the kernel kills all processes with the first one.
const (
	// InCgroup: a cgroup v2, which is killed as a whole, below a reaper.
	InCgroup = "cgroup2"
	// BelowReaper: a child subreaper, a process of gpudocs that adopts all orphans.
	BelowReaper = "subreaper"
	// Tagged: a resource limit that children inherit, and may lower.
	Tagged = "rlimit"
	// InGroup: a process group, which children may leave.
	InGroup = "process-group"
)
