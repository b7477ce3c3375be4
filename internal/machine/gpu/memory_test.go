//go:build linux && cgo && (amd64 || arm64)

package gpu

import (
	"fmt"
	"testing"
	"testing/fstest"
)

// memoryOf returns a shell command that writes a log of nvidia-smi with one GPU.
func memoryOf(name, memory, address string) string {
	return fmt.Sprintf("echo '<nvidia_smi_log><driver_version>580.126.09</driver_version><attached_gpus>1</attached_gpus><gpu><product_name>%s</product_name>"+
		"<pci><pci_bus_id>%s</pci_bus_id></pci><fb_memory_usage><total>%s</total></fb_memory_usage></gpu></nvidia_smi_log>'", name, address, memory)
}

// A GPU has as much memory as NVML or nvidia-smi says, else as CUDA says, else, if it has none of
// its own, as the machine has. The memory of a part is never that of a GPU.
func TestMemory(t *testing.T) {
	t.Parallel()
	fake := fakeDriver(t)
	const meminfo, system, spark = "MemTotal:       125437952 kB\n", 125437952 << 10, 122502 << 20
	const at, elsewhere = "00000000:10:00.0", "00000000:90:00.0"
	for _, tt := range []struct {
		name, nvml string
		smi        fakeSMI // in place of NVML
		cuda       string
		want       uint64
		shared     bool
		compute    string
	}{
		{"NVML does not know, CUDA does", "unsupported", fakeSMI{}, "spark", spark, true, "12.1"},
		{"a GB10 without CUDA", "unsupported", fakeSMI{}, "unknown", system, true, ""},
		{"NVML knows it of a GB10", "sentinels", fakeSMI{}, "spark", 122880 << 20, true, "12.1"},
		{"NVML's is more than CUDA's", "modern", fakeSMI{}, "1", 81559 << 20, false, "9.0"},
		{"a divided GPU of which the user may not know it", "divided", fakeSMI{}, "1", 0, false, "8.0"},
		{"the same, and CUDA shows a part", "divided", fakeSMI{}, "part", 0, false, "8.0"},
		{"nvidia-smi of a GB10", "", fakeSMI{memoryOf("NVIDIA GB10", "N/A", at), "echo 12.1"}, "unknown", system, true, "12.1"},
		{"and with CUDA", "", fakeSMI{memoryOf("NVIDIA GB10", "[N/A]", at), noField}, "spark", spark, true, "12.1"},
		{"Orin, which has no address", "", fakeSMI{memoryOf("Orin (nvgpu)", "Not Supported", "N/A"), "echo N/A"}, "unknown", system, true, ""},
		{"the same with CUDA", "", fakeSMI{memoryOf("Orin (nvgpu)", "Not Supported", "N/A"), "echo N/A"}, "spark", spark, true, "12.1"},
		{"Thor", "", fakeSMI{memoryOf("NVIDIA Thor", "N/A", at), "echo 11.0"}, "unknown", system, true, "11.0"},
		{"a card of which nvidia-smi does not know it", "", fakeSMI{memoryOf("GeForce RTX 3090", "[Not Supported]", at), "echo 8.6"}, "unknown", 0, false, "8.6"},
		{"CUDA has it of a card", "", fakeSMI{memoryOf("GeForce RTX 3090", "[Not Supported]", at), noField}, "1", 24265 << 20, false, "8.6"},
		{"CUDA has it of another card", "", fakeSMI{memoryOf("GeForce RTX 3090", "[N/A]", elsewhere), noField}, "1", 0, false, ""},
		{"nvidia-smi may not tell", "", fakeSMI{memoryOf("NVIDIA A100", "[Insufficient Permissions]", at), "echo 8.0"}, "1", 0, false, "8.0"},
		{"an error in place of it", "", fakeSMI{memoryOf("NVIDIA GB10", "GPU is lost", at), "echo 12.1"}, "spark", spark, true, "12.1"},
		{"only CUDA", "", fakeSMI{"exit 12", noField}, "spark", spark, true, "12.1"},
		{"only CUDA, of a card", "", fakeSMI{"exit 12", noField}, "1", 24265 << 20, false, "8.6"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := fake(tt.nvml, tt.cuda)
			if tt.nvml == "" {
				o = computeOnly(t)(tt.cuda, fstest.MapFS{})
				tt.smi.install(t, &o)
			}
			root := device(1)
			root["proc/meminfo"] = &fstest.MapFile{Data: []byte(meminfo)}
			o.host = &host{root: root, open: func(string) error { return nil }}
			g := probe(t, o)
			if len(g.Devices) != 1 {
				t.Fatalf("%+v", g)
			}
			if d := g.Devices[0]; d.MemoryBytes != tt.want || d.MemoryShared != tt.shared || d.Compute != tt.compute {
				t.Errorf("%d bytes, shared %v, compute %q (%s)", d.MemoryBytes, d.MemoryShared, d.Compute, g.Source)
			}
		})
	}
}
