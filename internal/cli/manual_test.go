package cli

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/words"
)

// TestManual: docs/content/en/cli.md is what --help says, as Markdown. -update writes it.
func TestManual(t *testing.T) {
	const file = "../../docs/content/en/cli.md"
	root := newRoot(&env.Env{})
	addTexts(root, words.English())
	toMarkdown(root)
	page := regexp.MustCompile(`docs/content/en/([a-z-]+)\.md`)
	var b strings.Builder
	b.WriteString(`---
group: reference
weight: 3
---

# Command line

This page lists every command and flag, as ` + "`gpudocs COMMAND --help`" + ` shows them. It is made from the program: do not edit it.
`)
	for _, c := range shown(root) {
		flags := c.LocalNonPersistentFlags()
		if c == root {
			flags = root.PersistentFlags()
		}
		use := strings.TrimSuffix(c.UseLine(), " [flags]")
		if c.HasAvailableSubCommands() {
			use += " COMMAND"
		}
		long := page.ReplaceAllString(strings.TrimRight(c.Long, "\n"), "[$1.md]($1.md)")
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n```text\n%s\n```\n", c.CommandPath(), long, use)
		if c.Example != "" {
			fmt.Fprintf(&b, "\n```sh\n%s\n```\n", strings.ReplaceAll(strings.TrimPrefix(c.Example, "  "), "\n  ", "\n"))
		}
		b.WriteString(flagTable(c, flags))
	}
	got, err := os.ReadFile(file)
	if *update {
		got, err = []byte(b.String()), os.WriteFile(file, []byte(b.String()), 0o644)
	}
	if err != nil || string(got) != b.String() {
		t.Errorf("%s is not what the commands say: go test ./internal/cli -run TestManual -update (%v)", file, err)
	}
}

// flagTable returns a table of flags that are not hidden.
func flagTable(c *cobra.Command, flags *pflag.FlagSet) string {
	var b strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || c.HasParent() && f.Name == "help" {
			return
		}
		if b.Len() == 0 {
			b.WriteString("\n| flag | effect |\n|---|---|\n")
		}
		value, text := flagText(words.English(), f)
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.TrimSpace("--"+f.Name+" "+value), strings.ReplaceAll(text, "|", `\|`))
	})
	return b.String()
}
