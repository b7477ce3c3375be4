package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"
)

var conditional = regexp.MustCompile(`^((?:\[[^]]+\]\s*)+)(\w+)`)

// TestConditions counts what scripts leave out silently: the commands behind a condition that
// does not hold, and those after a stop. Each such condition of a script is a subtest, which is
// skipped if the script leaves something out.
func TestConditions(t *testing.T) {
	dir := t.TempDir()
	generated := map[string]string{} // by name
	for _, folder := range []string{"testdata/script", "testdata/slurm"} {
		for _, file := range scripts(t, folder) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(archive.Comment)) {
				m := conditional.FindStringSubmatch(line)
				if m == nil || m[2] == "skip" {
					continue
				}
				conditions := strings.Fields(m[1])
				name := strings.TrimSuffix(filepath.Base(file), ".txtar") + strings.NewReplacer("[", "-", "]", "", ":", "-", "/", "-").Replace(strings.Join(conditions, ""))
				if m[2] == "stop" {
					generated[name] = strings.Join(conditions, " ") + " skip\n"
					continue
				}
				generated[name] = ""
				for _, c := range conditions {
					negated := strings.Replace("[!"+c[1:], "!!", "", 1)
					generated[name] += negated + " skip\n"
				}
			}
		}
	}
	if len(generated) == 0 {
		t.Fatal("no conditions were found")
	}
	var files []string
	for name, text := range generated {
		file := filepath.Join(dir, name+".txtar")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	testscript.Run(t, testscript.Params{Files: files, Condition: condition})
}
