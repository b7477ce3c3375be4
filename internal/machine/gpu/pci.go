package gpu

import (
	"fmt"
	"strconv"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// pciAt formats a PCI address for matching. It omits the function, which is 0 for a
// GPU.
func pciAt(domain, bus, device uint32) string {
	return fmt.Sprintf("%x:%02x:%02x", domain, bus, device)
}

var pciForm = lazyregexp.New(`^(?:([0-9A-Fa-f]{1,8}):)?([0-9A-Fa-f]{2}):([0-9A-Fa-f]{2})(?:\.[0-9A-Fa-f])?$`)

// pciKey is pciAt for an address from CUDA ("0000:05:00.0"), nvidia-smi
// ("00000000:05:00.0") or pciAt. It returns "" for an invalid address.
func pciKey(address string) string {
	m := pciForm.FindStringSubmatch(address)
	if m == nil {
		return ""
	}
	var n [3]uint32
	for i := range n {
		v, _ := strconv.ParseUint("0"+m[i+1], 16, 64)
		n[i] = uint32(v)
	}
	return pciAt(n[0], n[1], n[2])
}
