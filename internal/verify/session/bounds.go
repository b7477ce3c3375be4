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
