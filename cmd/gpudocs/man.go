package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpudocs/gpudocs/internal/report"
)

func newMan(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "man [DIR]",
		Short: "Print the manual page, or write those of all commands",
		Long: `Man writes a manual page for each command below DIR, as man looks for them:
man1/gpudocs.1, man1/gpudocs-verify.1 and so on in English, pt_BR/man1/ in Portuguese
and es/man1/ in Spanish. They say what --help says. Without DIR it prints that of
gpudocs itself, in the language of the terminal.`,
		Example: `  gpudocs man ~/.local/share/man      then: man gpudocs-verify
  gpudocs man | man -l -`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return writeManual(args[0])
			}
			a.w.inLanguage(c.Root())
			_, err := a.stdout.Write(a.w.manPage(c.Root()))
			return err
		},
	}
}

// manFolders are those of each language, as man asks for them.
var manFolders = map[string]string{"en": "man1", "es": "es/man1", "pt": "pt_BR/man1"}

// writeManual writes the pages in all languages, so that each reader of the machine
// gets those of the own one.
func writeManual(dir string) error {
	for language, folder := range manFolders {
		w := wordsOf(language)
		root := newRoot(&app{w: w})
		w.inLanguage(root)
		if err := w.writeManPages(root, filepath.Join(dir, filepath.FromSlash(folder))); err != nil {
			return err
		}
	}
	return nil
}

func (w words) writeManPages(c *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return usage("name another folder", "%v", err)
	}
	if err := report.WriteFile(filepath.Join(dir, manName(c)+".1"), w.manPage(c)); err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			if err := w.writeManPages(sub, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage is the page of a command. Its date is that of the program's commit: the
// same program writes the same bytes.
func (w words) manPage(c *cobra.Command) []byte {
	var b bytes.Buffer
	section := func(text string) { fmt.Fprintf(&b, ".SH %s\n", roff(strings.ToUpper(w.Get(text)))) }
	name := manName(c)
	fmt.Fprintf(&b, ".TH %q 1 %q %q \"gpudocs\"\n.nh\n.ad l\n", roff(strings.ToUpper(name)), committed(), roff("gpudocs "+version()))
	section("man_name")
	fmt.Fprintf(&b, "%s \\- %s\n", roff(name), roff(c.Short))
	section("man_synopsis")
	use := strings.TrimSpace(strings.TrimPrefix(w.useLine(c), c.CommandPath()))
	fmt.Fprintf(&b, ".B %s\n%s\n", roff(c.CommandPath()), roff(use))
	section("man_description")
	manText(&b, c.Long)
	var subs []*cobra.Command
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			subs = append(subs, sub)
		}
	}
	if len(subs) > 0 {
		section("help_commands")
	}
	for _, sub := range subs {
		fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", roff(manName(sub)), roff(sub.Short))
	}
	section("help_flags")
	option := func(f *pflag.Flag) { w.manOption(&b, f) }
	ownFlags(c, option)
	if c.HasParent() {
		ownFlags(c.Root(), option)
	}
	section("help_examples")
	fmt.Fprintf(&b, ".nf\n%s\n.fi\n", roff(c.Example))
	if c.HasParent() {
		section("man_see")
		fmt.Fprintf(&b, ".BR %s (1)\n", roff(manName(c.Parent())))
	}
	return b.Bytes()
}

// committed is the day of the commit that the program was built from, or empty.
func committed() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return ""
	}
	for _, s := range info.Settings {
		if day, _, ok := strings.Cut(s.Value, "T"); ok && s.Key == "vcs.time" {
			return day
		}
	}
	return ""
}

// manText writes paragraphs; lines that are indented stay as they are.
func manText(b *bytes.Buffer, text string) {
	verbatim := false
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if indented := strings.HasPrefix(line, "  "); indented != verbatim && line != "" {
			verbatim = indented
			b.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[verbatim])
		}
		if line == "" {
			b.WriteString(".PP\n")
			continue
		}
		b.WriteString(roff(line) + "\n")
	}
	if verbatim {
		b.WriteString(".fi\n")
	}
}

func (w words) manOption(b *bytes.Buffer, f *pflag.Flag) {
	value, text := w.flag(f)
	names := `\fB` + roff("--"+f.Name) + `\fR`
	if f.Shorthand != "" {
		names = `\fB` + roff("-"+f.Shorthand) + `\fR, ` + names
	}
	if value != "" {
		names += ` \fI` + roff(value) + `\fR`
	}
	fmt.Fprintf(b, ".TP\n%s\n%s\n", names, roff(text))
}

// control is what begins a request of roff.
var control = regexp.MustCompile(`(?m)^[.']`)

// roff escapes a text, so that its hyphens can be copied into a shell.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", "\\(ga", "^", `\(ha`, "~", `\(ti`).Replace(s)
	return control.ReplaceAllString(s, `\&$0`)
}
