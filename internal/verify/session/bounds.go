package session

// Limits bound what all processes of a session use together; zero is no limit.
type Limits struct {
	Memory    uint64 // bytes
	Processes int    // and threads
}

// The limits that a step can run into, for [Result].Limit.
const (
	LimitMemory    = "memory"
	LimitProcesses = "processes"
)

// How a machine holds sessions within their limits, for [Bounds.Means].
const (
	// ByCgroup: the kernel does it, in a cgroup for each session.
	ByCgroup = "cgroup2"
	// ByWatching: processes are marked with prlimit and looked at now and then.
	ByWatching = "prlimit"
)

// What holds the processes of a session together, so that none outlives it, for
// [Bounds.Containment]; the strongest first. A sandbox has a PID namespace of its own,
// which is stronger still: the kernel ends all processes in it with its first one.
const (
	// InCgroup: a cgroup v2, which is killed as a whole, below a reaper.
	InCgroup = "cgroup2"
	// BelowReaper: a child subreaper, a process of ours that adopts all orphans.
	BelowReaper = "subreaper"
	// Marked: a resource limit that children inherit, and may lower.
	Marked = "rlimit"
	// InGroup: a process group, which children may leave.
	InGroup = "process-group"
)
