package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestLocks: the environments of the tutorials come from PyPI. uv writes the index of the machine that made a lock.
func TestLocks(t *testing.T) {
	locks, err := filepath.Glob(filepath.Join(root, "env/*/uv.lock"))
	if err != nil || len(locks) == 0 {
		t.Fatal(locks, err)
	}
	address := regexp.MustCompile(`\w+://[^"]+`)
	public := regexp.MustCompile(`^https://(pypi\.org/simple|files\.pythonhosted\.org/packages/.+)$`)
	for _, name := range locks {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range address.FindAllString(string(data), -1) {
			if !public.MatchString(a) {
				t.Errorf("%s: %s is not of PyPI", name, a)
			}
		}
	}
}
