package browser

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"testing"
)

// enough is how many points of 100 Lighthouse must give in each category, for a phone
// with a slow network.
const enough = 95

func TestLighthouse(t *testing.T) {
	needModule(t, "lighthouse/package.json")
	addresses := []string{ours(t).base + "pt/", tutorials(t).base + "es/medir-tempo/", made(t).base + "pt/texto/"}
	first := lighthouse(t, addresses)
	if len(first) != len(addresses) {
		t.Fatalf("Lighthouse looked at %d of %d pages", len(first), len(addresses))
	}
	for i, said := range first {
		if said.Error != "" || len(said.Points) != 4 {
			t.Errorf("%s: Lighthouse gave points for %d categories: %s", said.Address, len(said.Points), said.Error)
			continue
		}
		t.Logf("%s: %v", said.Address, said.Points)
		var more []visited
		for category, points := range said.Points {
			if points >= enough {
				continue
			}
			// A busy machine makes a page slow, and none makes it fast: the best of three counts.
			if category == "performance" {
				if more == nil {
					more = lighthouse(t, []string{addresses[i], addresses[i]})
				}
				three := []int{points, more[0].Points[category], more[1].Points[category]}
				t.Logf("%s: performance of three visits: %v", said.Address, three)
				if slices.Max(three) >= enough {
					continue
				}
			}
			t.Errorf("%s: %d points for %s, want %d; it lost them for %q", said.Address, points, category, enough, said.Lost)
		}
	}
}

// A visited page, and what lighthouse.mjs says of it.
type visited struct {
	Address string         `json:"address"`
	Error   string         `json:"error"`
	Points  map[string]int `json:"points"`
	Lost    []string       `json:"lost"`
}

func lighthouse(t *testing.T, addresses []string) (said []visited) {
	t.Helper()
	chrome, err := browserPath()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("node", append([]string{"lighthouse.mjs"}, addresses...)...)
	c.Env = append(os.Environ(), "CHROME_PATH="+chrome)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err == nil {
		err = json.Unmarshal(out, &said)
	}
	if err != nil {
		t.Fatalf("lighthouse.mjs: %v\n%s", err, out)
	}
	return said
}
