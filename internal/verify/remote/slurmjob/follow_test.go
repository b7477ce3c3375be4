package slurmjob

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/machine/slurm"
)

func TestFollower(t *testing.T) {
	t.Parallel()
	folder := slurm.Folder{Path: t.TempDir()}
	var got []string
	f := &follower{folder: folder, files: map[string]*followed{}, line: func(of, line string) { got = append(got, of+":"+line) }}
	add := func(name, text string) {
		file, err := os.OpenFile(folder.Join(name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := file.WriteString(text); err != nil {
			t.Fatal(err)
		}
		f.poll()
	}
	add("a.out", "one\ntw")
	add("b.out", "B\n")
	add("a.json", "{}\n")
	add("a.out", "o\n\n")
	add("a.out", strings.Repeat("x", maxLine+1))
	add("a.out", "end")
	f.close()
	f.close()
	want := []string{"a:one", "b:B", "a:two", "a:", "a:" + strings.Repeat("x", maxLine+1), "a:end"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
