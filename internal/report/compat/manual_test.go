package compat

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestManual compares the tables of docs/content/en/compatibility.md with those of the code.
func TestManual(t *testing.T) {
	const file = "../../../docs/content/en/compatibility.md"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := string(data)
	for name, table := range map[string]string{"toolkits": toolkitTable(), "families": familyTable(), "builds": buildTable(), "checked": checkedLine()} {
		place := regexp.MustCompile(`(?s)(<!-- ` + name + `[^>]*-->\n).*?(<!-- end -->)`)
		if !place.MatchString(got) {
			t.Fatalf("%s has no place for %s", file, name)
		}
		got = place.ReplaceAllString(got, "${1}\n"+table+"\n${2}")
	}
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(string(data), got); d != "" {
		t.Errorf("go test ./internal/report/compat -update writes it (-want +got)\n%s", d)
	}
}

// checkedLine says when the tables were last compared with their sources, and up to which versions.
func checkedLine() string {
	newest := ""
	for _, row := range builds {
		if row.framework == "torch" && between(row.until, newest, "") {
			newest = row.until
		}
	}
	return fmt.Sprintf("Checked on %s, up to CUDA %s and PyTorch %s.\n", checked, toolkits[len(toolkits)-1].version, newest)
}

func dash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

func toolkitTable() string {
	var b strings.Builder
	b.WriteString("| toolkit | Linux | Windows | compute capabilities |\n|---|---|---|---|\n")
	for _, row := range toolkits {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", row.version, dash(row.linux), dash(row.windows), row.archs)
	}
	return b.String()
}

func familyTable() string {
	var b strings.Builder
	b.WriteString("| toolkit | Linux | Windows |\n|---|---|---|\n")
	for _, f := range families {
		fmt.Fprintf(&b, "| %d.x | %s | %s |\n", f.major, f.linux, f.windows)
	}
	return b.String()
}

func buildTable() string {
	var b strings.Builder
	b.WriteString("| framework | CUDA | versions | Linux x86-64 | Linux arm64 | Windows | cuDNN |\n|---|---|---|---|---|---|---|\n")
	system := func(archs string) string {
		switch archs {
		case "":
			return "="
		case unbuilt:
			return "–"
		}
		return archs
	}
	for _, row := range builds {
		versions := row.from + "–" + row.until
		switch {
		case row.from == row.until && row.from == "":
			versions = "all"
		case row.from == row.until:
			versions = row.from
		}
		toolkit := row.toolkit
		if !strings.Contains(toolkit, ".") {
			toolkit += ".x"
		}
		floor := ""
		if row.floor != "" {
			floor = row.floor + "+"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", row.framework, toolkit, versions, row.archs, system(row.arm), system(row.windows), floor)
	}
	return b.String()
}
