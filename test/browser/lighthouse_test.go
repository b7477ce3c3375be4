package browser

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"testing"
)

// enough is the minimum score of 100 that Lighthouse must give in each category, for a phone with a
// slow network.
const enough = 95

func TestLighthouse(t *testing.T) {
	needModule(t, "lighthouse/package.json")
	addresses := []string{ours(t).base + "pt/", fleet(t).base + "es/gpu/", made(t).base + "pt/texto/"}
	first := lighthouse(t, addresses)
	if len(first) != len(addresses) {
		t.Fatalf("Lighthouse looked at %d of %d pages", len(first), len(addresses))
	}
	for i, result := range first {
		if result.Error != "" || len(result.Points) != 4 {
			t.Errorf("%s: Lighthouse gave points for %d categories: %s", result.Address, len(result.Points), result.Error)
			continue
		}
		t.Logf("%s: %v", result.Address, result.Points)
		var more []visited
		for category, points := range result.Points {
			if points >= enough {
				continue
			}
			// A busy machine can only make a page slower: the best of three visits counts.
			if category == "performance" {
				if more == nil {
					more = lighthouse(t, []string{addresses[i], addresses[i]})
				}
				three := []int{points, more[0].Points[category], more[1].Points[category]}
				t.Logf("%s: performance of three visits: %v", result.Address, three)
				if slices.Max(three) >= enough {
					continue
				}
			}
			t.Errorf("%s: %d points for %s, want %d; it lost them for %q", result.Address, points, category, enough, result.Lost)
		}
	}
}

// A visited page with the results of lighthouse.mjs.
type visited struct {
	Address string         `json:"address"`
	Error   string         `json:"error"`
	Points  map[string]int `json:"points"`
	Lost    []string       `json:"lost"`
}

func lighthouse(t *testing.T, addresses []string) (result []visited) {
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
		err = json.Unmarshal(out, &result)
	}
	if err != nil {
		t.Fatalf("lighthouse.mjs: %v\n%s", err, out)
	}
	return result
}
