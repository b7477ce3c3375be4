package verify

import (
	"bufio"
	"bytes"
	"os"
	"runtime"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// machine describes this machine, under the label name.
func machine(name string, gpu report.GPU) report.Machine {
	return report.Machine{Name: name, OS: osName(), Arch: runtime.GOARCH, CPU: cpuName(), GPU: gpu}
}

// osName returns the name that the distribution gives itself.
func osName() string {
	data, err := os.ReadFile("/etc/os-release")
	if err != nil {
		return runtime.GOOS
	}
	if name := firstValue(data, "PRETTY_NAME", "="); name != "" {
		return name
	}
	return runtime.GOOS
}

func cpuName() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	return firstValue(data, "model name", ":")
}

// firstValue returns the value of the first line with the key.
func firstValue(data []byte, key, separator string) string {
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		k, v, ok := strings.Cut(s.Text(), separator)
		if ok && strings.TrimSpace(k) == key {
			return strings.Trim(strings.TrimSpace(v), `"'`)
		}
	}
	return ""
}
