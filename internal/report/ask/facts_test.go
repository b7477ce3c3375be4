package ask

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
)

// divided returns a GPU with the memory of the whole and of its MIG devices.
func divided(whole uint64, parts ...uint64) report.Device {
	r := &report.Readings{MIG: report.MIG{Enabled: new(true)}}
	for _, p := range parts {
		r.MIG.Instances = append(r.MIG.Instances, report.Instance{MemoryBytes: p})
	}
	return report.Device{MemoryBytes: whole, Readings: r}
}

// gpuFacts returns the facts of a machine's GPUs, without their readings.
func gpuFacts(g report.GPU) Machine {
	m := MachineOf(report.Machine{GPU: g})
	for f := range m {
		if f.Entry().Source != FromGPUs {
			delete(m, f)
		}
	}
	return m
}

func TestGPUFacts(t *testing.T) {
	version := func(s string) Value {
		v, err := Version(s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	tests := []struct {
		name string
		gpu  report.GPU
		want Machine
	}{
		{"nothing known", report.GPU{Status: report.GPUBroken}, Machine{}},
		{"no driver", report.GPU{Status: report.GPUNone}, Machine{GPUs: Count(0), Driver: {}, CUDA: {}, Memory: {}, Compute: {}, GPU: {}}},
		{"not asked", report.GPU{Status: report.GPUNone, Code: report.CodeUnsupported}, Machine{GPUs: Count(0)}},
		{
			"a driver without a GPU", report.GPU{Status: report.GPUOk, Driver: "550.54.14", CUDA: "12.4"},
			Machine{GPUs: Count(0), Driver: version("550.54.14"), CUDA: version("12.4"), Memory: {}, Compute: {}, GPU: {}},
		},
		{
			"the smallest and the oldest stand for all",
			report.GPU{Status: report.GPUOk, Devices: []report.Device{{MemoryBytes: 16 << 30, Compute: "8.10"}, {MemoryBytes: 8 << 30, Compute: "8.6"}, {MemoryBytes: 24 << 30, Compute: "9.0"}}},
			Machine{GPUs: Count(3), Memory: Bytes(8 << 30), Compute: version("8.6")},
		},
		{
			"one that does not say leaves it unknown",
			report.GPU{Status: report.GPUOk, Devices: []report.Device{{MemoryBytes: 16 << 30, Compute: "8.6"}, {}}},
			Machine{GPUs: Count(2)},
		},
		{
			"a process gets one part of a divided GPU",
			report.GPU{Status: report.GPUOk, Devices: []report.Device{divided(80<<30, 20<<30, 10<<30), {MemoryBytes: 80 << 30}}},
			Machine{GPUs: Count(2), Memory: Bytes(10 << 30)},
		},
		{"the memory of a part is unknown", report.GPU{Status: report.GPUOk, Devices: []report.Device{divided(80<<30, 20<<30, 0)}}, Machine{GPUs: Count(1)}},
		{"a divided GPU without a part", report.GPU{Status: report.GPUOk, Devices: []report.Device{divided(80 << 30)}}, Machine{GPUs: Count(1)}},
		{
			"the parts are known, the GPU is not",
			report.GPU{Status: report.GPUOk, Devices: []report.Device{divided(0, 5<<30)}},
			Machine{GPUs: Count(1), Memory: Bytes(5 << 30)},
		},
		{
			"what is no version is unknown",
			report.GPU{Status: report.GPUOk, Driver: "unknown", CUDA: "N/A", Devices: []report.Device{{MemoryBytes: 1, Compute: "?"}}},
			Machine{GPUs: Count(1), Memory: Bytes(1)},
		},
		{
			"a broken driver may still tell its version",
			report.GPU{Status: report.GPUBroken, Driver: "460.91.03"},
			Machine{Driver: version("460.91.03")},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, gpuFacts(tt.gpu), cmp.AllowUnexported(Value{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
