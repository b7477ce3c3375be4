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
