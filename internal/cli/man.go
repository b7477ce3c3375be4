package cli

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func newMan(a *env.Env) *cobra.Command {
	return &cobra.Command{
		Use: "man [DIR]",
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			addTexts(root, words.English())
			toMarkdown(root)
			if len(args) == 0 {
				return doc.GenMan(root, manHeader(), a.Stdout)
			}
			dir := filepath.Join(args[0], "man1")
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return diag.Wrong(diag.Plain(err).WithHint(diag.Say("import.target-hint")))
			}
			return doc.GenManTree(root, manHeader(), dir)
		},
	}
}

// manHeader has the date of the commit that the program was built from, so that the same program writes
// the same bytes.
func manHeader() *doc.GenManHeader {
	h := &doc.GenManHeader{Section: "1", Source: project.Generator(), Manual: "gpudocs"}
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return h
	}
	for _, s := range info.Settings {
		if t, err := time.Parse(time.RFC3339, s.Value); err == nil && s.Key == "vcs.time" {
			h.Date = &t
		}
	}
	return h
}

// toMarkdown turns the texts of c and of all commands below it into Markdown for package doc. Indented
// lines become code.
func toMarkdown(c *cobra.Command) {
	escape := strings.NewReplacer(`\`, `\\`, "<", `\<`, "*", `\*`, "_", `\_`).Replace
	c.DisableAutoGenTag = true
	var b strings.Builder
	code := false
	for line := range strings.SplitSeq(c.Long, "\n") {
		if indented := strings.HasPrefix(line, "  "); indented != code {
			code = indented
			b.WriteString("\n")
		}
		if code {
			b.WriteString("    " + line + "\n")
		} else {
			b.WriteString(escape(line) + "\n")
		}
	}
	c.Long = b.String()
	localFlags(c, func(f *pflag.Flag) { f.Usage = escape(f.Usage) })
	for _, sub := range c.Commands() {
		toMarkdown(sub)
	}
}
