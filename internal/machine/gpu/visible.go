package gpu

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// visible returns the GPUs that CUDA_VISIBLE_DEVICES with the value mask selects, in its
// order. The rules are CUDA's; see the package comment.
func visible(gpus []gpuInfo, mask string) []gpuInfo {
	if first, _, _ := strings.Cut(mask, ","); strings.HasPrefix(strings.TrimSpace(first), "MIG-") {
		return part(gpus, strings.TrimSpace(first)) // CUDA shows a process one MIG device at most
	}
	var chosen []int
	for id := range strings.SplitSeq(mask, ",") {
		i, ok := find(gpus, strings.TrimSpace(id))
		if !ok {
			break
		}
		if slices.Contains(chosen, i) {
			return nil
		}
		chosen = append(chosen, i)
	}
	var seen []gpuInfo
	for _, i := range chosen {
		seen = append(seen, gpus[i])
	}
	return seen
}

// find returns the index of the only GPU that id can refer to.
func find(gpus []gpuInfo, id string) (int, bool) {
	if !strings.HasPrefix(id, "GPU-") {
		i, err := strconv.Atoi(id)
		return i, err == nil && i >= 0 && i < len(gpus)
	}
	found, n := 0, 0
	for i, c := range gpus {
		if strings.HasPrefix(c.UUID, id) {
			found, n = i, n+1
		}
	}
	return found, n == 1
}

// part returns the GPU of the MIG device with that UUID, with the memory of the device
// and with it as the only instance.
func part(gpus []gpuInfo, id string) (found []gpuInfo) {
	for _, c := range gpus {
		for i, uuid := range c.Parts {
			if i >= len(c.Readings.Instances()) || !strings.HasPrefix(uuid, id) {
				continue
			}
			d, r := c, *c.Readings
			r.MIG.Instances = r.MIG.Instances[i : i+1]
			d.Memory, d.Readings = r.MIG.Instances[0].MemoryBytes, &r
			found = append(found, d)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found
}

// hidden returns the fault of a mask that selects none of the GPUs.
func hidden(mask string, gpus []gpuInfo) *fault {
	n := len(gpus)
	known := slices.ContainsFunc(gpus, func(c gpuInfo) bool { return len(c.Parts) > 0 })
	if strings.HasPrefix(strings.TrimSpace(mask), "MIG-") && !known {
		return noGPU(report.CodeUnsupported, "CUDA_VISIBLE_DEVICES names MIG devices, and their UUIDs are not known")
	}
	noun := "GPUs"
	if n == 1 {
		noun = "GPU"
	}
	return noGPU(report.CodeNoDevice, fmt.Sprintf("CUDA_VISIBLE_DEVICES hides %d %s", n, noun))
}

// lookup is os.LookupEnv for a list; as in os/exec, the last entry wins.
func lookup(env []string, name string) (value string, ok bool) {
	for _, e := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(e, name+"="); ok {
			return value, true
		}
	}
	return "", false
}
