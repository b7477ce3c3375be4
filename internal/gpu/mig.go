package gpu

import (
	"fmt"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// maxInstances bounds the MIG devices of a card; today there are at most 7.
const maxInstances = 64

// profileName is the name of a MIG device at the end of that of its card: "NVIDIA
// H100 80GB HBM3 MIG 1g.10gb", with "1c." before where the device has a part of
// its GPU instance's compute, and "+me" after where it has media engines.
// https://docs.nvidia.com/datacenter/tesla/mig-user-guide/, "Device Names".
var profileName = lazyregexp.New(`^([1-9]c\.)?[1-9]g\.[1-9][0-9]{0,3}gb([+-][a-z.]{1,16}){0,3}$`)

// migProfile returns the profile in the name of a MIG device. Older drivers give
// it the name of its card.
func migProfile(name string) string {
	if _, name, ok := strings.Cut(name, " MIG "); ok && profileName.MatchString(name) {
		return name
	}
	return ""
}

// workedOut makes the name of a profile out of slices and memory. A name holds
// the memory as eighths of the card's, rounded up, in rounded GB: the 4,864 MiB
// of an A100 of 40 GB are one eighth, 5 GB. Of a card whose memory is not known,
// it is the device's own in GiB, rounded up, which is the same on most cards.
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
