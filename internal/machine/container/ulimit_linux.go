package container

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// ulimits returns options of Podman that keep the limits of this process. Podman would raise
// them, which fails where root may not.
func ulimits() (args []string) {
	var files, processes unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &files) != nil || unix.Getrlimit(unix.RLIMIT_NPROC, &processes) != nil {
		return nil
	}
	most := processes.Max
	data, _ := os.ReadFile("/proc/sys/kernel/pid_max")
	if n, err := strconv.ParseUint(strings.TrimSpace(string(data)), 10, 63); err == nil {
		most = min(most, n) // Podman lowers its own limit to that
	}
	return []string{fmt.Sprintf("--ulimit=nofile=%d:%d", min(files.Cur, files.Max), files.Max),
		fmt.Sprintf("--ulimit=nproc=%d:%d", most, most)}
}
