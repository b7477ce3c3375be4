package ask

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A Machine holds the values of facts. One that is missing is not known. The zero Value is that of a fact that the
// machine is known not to have: software that is not installed, the memory of GPUs where there are none.
type Machine map[Fact]Value

// MachineOf returns the facts that a report has of a machine. Package compat adds software.
func MachineOf(m report.Machine) Machine {
	facts := Machine{}
	for i := range table {
		e := &table[i]
		v, known := e.on(m)
		if known || e.Source == FromGPUs && m.GPU.Absent() {
			facts[e.Fact] = v
		}
	}
	return facts
}

// on returns the value of the fact on a machine.
func (e *Entry) on(m report.Machine) (v Value, known bool) {
	switch {
	case e.read != nil:
		return e.read(m)
	case e.device != nil:
		return least(m.GPU.Devices, e.device)
	}
	return Value{devices: m.GPU.Devices}, e.Source == FromSensors
}

// least returns the least value of the GPUs, so that requirements hold for all. If one is unknown, or there is no GPU, nothing is
// known.
func least(devices []report.Device, value func(report.Device) (Value, bool)) (least Value, known bool) {
	for i, d := range devices {
		v, known := value(d)
		if !known {
			return Value{}, false
		}
		if i == 0 || v.Less(least) {
			least = v
		}
	}
	return least, len(devices) > 0
}

func versionOf(s string) (Value, bool) {
	v, err := Version(s)
	return v, err == nil
}

// models are the models of the GPUs: "A100..." for "NVIDIA A100...", as it was named by older drivers.
func models(m report.Machine) (Value, bool) {
	var names [][]string
	for _, d := range m.GPU.Devices {
		if d.Name == "" {
			return Value{}, false
		}
		names = append(names, []string{d.Name, strings.TrimPrefix(d.Name, "NVIDIA ")})
	}
	return Names(names...), len(names) > 0
}

// kernelArch are the names of Linux for architectures, by those of Go.
var kernelArch = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}

// systemOf returns the kind of an operating system. A report has the name of the distribution, or
// else Go's name of the system.
func systemOf(os string) string {
	switch lower := strings.ToLower(os); {
	case lower == "darwin":
		return "macos"
	case lower == "windows", strings.Contains(lower, "bsd"):
		return os
	}
	return "linux"
}
