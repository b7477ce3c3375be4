package gpu

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// visible returns the cards that a CUDA_VISIBLE_DEVICES with the value mask
// leaves, in its order. The rules are CUDA's; see the package comment.
func visible(cards []card, mask string) []card {
	var chosen []int
	for id := range strings.SplitSeq(mask, ",") {
		i, ok := find(cards, strings.TrimSpace(id))
		if !ok {
			break
		}
		if slices.Contains(chosen, i) {
			return nil
		}
		chosen = append(chosen, i)
	}
	var seen []card
	for _, i := range chosen {
		seen = append(seen, cards[i])
	}
	return seen
}

// find returns the place of the only card that id can mean.
func find(cards []card, id string) (int, bool) {
	if !strings.HasPrefix(id, "GPU-") {
		i, err := strconv.Atoi(id)
		return i, err == nil && i >= 0 && i < len(cards)
	}
	found, n := 0, 0
	for i, c := range cards {
		if strings.HasPrefix(c.UUID, id) {
			found, n = i, n+1
		}
	}
	return found, n == 1
}

// hidden says why a mask leaves none of n cards.
func hidden(mask string, n int) *fault {
	if strings.HasPrefix(mask, "MIG-") {
		return &fault{Status: report.GPUNone, Code: report.CodeUnsupported, Detail: "CUDA_VISIBLE_DEVICES names MIG devices, which gpudocs does not look into"}
	}
	noun := "GPUs"
	if n == 1 {
		noun = "GPU"
	}
	return &fault{Status: report.GPUNone, Code: report.CodeNoDevice, Detail: fmt.Sprintf("CUDA_VISIBLE_DEVICES hides %d %s", n, noun)}
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
