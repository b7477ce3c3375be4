package browser

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Every page of the sites is valid HTML. htmlvalidate.mjs lists the rules that are switched off.
func TestHTMLIsValid(t *testing.T) {
	t.Parallel()
	needModule(t, "html-validate/package.json")
	files := 0
	args := []string{"node_modules/html-validate/bin/html-validate.mjs", "--config", "htmlvalidate.mjs", "--formatter", "json"}
	for _, site := range []*host{ours(t), tutorials(t), made(t), fleet(t)} {
		for _, p := range site.pages {
			if site == ours(t) && strings.Contains(p, "/_print/") {
				continue // the other pages again
			}
			if p == "" || strings.HasSuffix(p, "/") {
				p += "index.html"
			}
			args = append(args, filepath.Join(site.dir, filepath.FromSlash(p)))
			files++
		}
	}
	bad := filepath.Join(t.TempDir(), "bad.html")
	write(t, bad, "<!doctype html>\n<html lang=en><head><title>x</title></head><body><p><div></div></p></body></html>\n")
	report, err := os.Create(filepath.Join(t.TempDir(), "report.json")) // html-validate exits before a pipe is read to its end
	if err != nil {
		t.Fatal(err)
	}
	defer report.Close()
	c := exec.Command("node", append(args, bad)...)
	c.Stdout = report
	err = c.Run()
	out, _ := os.ReadFile(report.Name())
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) { // 1: it has findings
		t.Fatalf("html-validate: %v\n%s", err, out)
	}
	var found []struct {
		FilePath string
		Messages []struct {
			RuleID, Message, Selector string
			Line, Column              int
		}
	}
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatalf("html-validate: %v\n%s", err, out)
	}
	seen := false
	for _, f := range found {
		for _, m := range f.Messages {
			if strings.HasSuffix(f.FilePath, "bad.html") {
				seen = true
				continue
			}
			t.Errorf("%s:%d:%d: %s: %s (%s)", f.FilePath, m.Line, m.Column, m.RuleID, m.Message, m.Selector)
		}
	}
	if !seen {
		t.Error("html-validate reports no error for an invalid page")
	}
	t.Logf("%d pages", files)
}
