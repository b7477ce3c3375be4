package archtest

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// named is a test that docs/content/en/security.md names: `internal/publish TestLink`.
var named = regexp.MustCompile("`([a-z][a-z0-9/]*) ((?:Test|Fuzz)[A-Za-z0-9]+)(?:/([a-z_0-9]+))?`")

// TestPromises: each promise of docs/content/en/security.md names tests, and each of these tests exists.
func TestPromises(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/content/en/security.md")
	if err != nil {
		t.Fatal(err)
	}
	promises, within := 0, false
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		switch {
		case len(cells) < 4:
			within = false
		case strings.TrimSpace(cells[1]) == "promise":
			within = true
		case within && !strings.HasPrefix(cells[1], "---"):
			promises++
			tests := named.FindAllStringSubmatch(cells[2], -1)
			if len(tests) == 0 || len(tests) != strings.Count(cells[2], "`")/2 {
				t.Errorf("a test that is not given as package and function: %s", line)
			}
			for _, m := range tests {
				if why := missing(m[1], m[2], m[3]); why != "" {
					t.Errorf("%s: %s", m[0], why)
				}
			}
		}
	}
	if promises < 30 {
		t.Errorf("only %d promises found", promises)
	}
}

// TestMissing checks that a missing test is detected.
func TestMissing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pkg, test, script string
		want              bool
	}{
		{"internal/archtest", "TestMissing", "", false},
		{"internal/archtest", "TestMiss", "", true},
		{"internal/nothing", "TestMissing", "", true},
		{"internal/cli", "TestScripts", "version", false},
		{"internal/cli", "TestScripts", "no_such_script", true},
	} {
		if got := missing(c.pkg, c.test, c.script); (got != "") != c.want {
			t.Errorf("%v: %q", c, got)
		}
	}
}

// missing returns why a test does not exist, or "".
func missing(pkg, test, script string) string {
	dir := path.Join("../..", pkg)
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		return "there are no tests in this package"
	}
	if script != "" {
		if found, _ := filepath.Glob(filepath.Join(dir, "testdata", "*", script+".txtar")); len(found) == 0 {
			return "there is no such script"
		}
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err.Error()
		}
		if strings.Contains(string(data), "\nfunc "+test+"(") {
			return ""
		}
	}
	return "there is no such function"
}
