package gpu

import (
	"fmt"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// maxInstances limits the MIG devices of a GPU. Today there are at most 7.
const maxInstances = 64

// profileName matches the profile at the end of the name of a MIG device: "NVIDIA H100
// 80GB HBM3 MIG 1g.10gb", with the prefix "1c." if it has a part of the compute of its
// GPU instance, and the suffix "+me" if it has media engines.
// https://docs.nvidia.com/datacenter/tesla/mig-user-guide/, "Device Names".
var profileName = lazyregexp.New(`^([1-9]c\.)?[1-9]g\.[1-9][0-9]{0,3}gb([+-][a-z.]{1,16}){0,3}$`)

// migProfile returns the profile in the name of a MIG device. With older drivers the
// name is that of the GPU.
func migProfile(name string) string {
	if _, name, ok := strings.Cut(name, " MIG "); ok && profileName.MatchString(name) {
		return name
	}
	return ""
}

// workedOut derives the name of a profile from slices and memory. A name has the memory
// as eighths of the GPU's, rounded up, in rounded GB: the 4,864 MiB of an A100 of 40 GB
// are one eighth, 5 GB. If the memory of the GPU is not known, it is the device's own
// in GiB, rounded up, which is the same on most GPUs.
func workedOut(slices, compute uint32, memory, whole uint64) string {
	const gib = 1 << 30
	gb := (memory + gib - 1) / gib
	if whole >= memory && whole > 0 {
		eighths := (8*memory + whole - 1) / whole
		gb = (eighths*((whole+gib-1)/gib) + 4) / 8
	}
	name := fmt.Sprintf("%dg.%dgb", slices, gb)
	if compute > 0 && compute < slices {
		name = fmt.Sprintf("%dc.%s", compute, name)
	}
	return name
}
