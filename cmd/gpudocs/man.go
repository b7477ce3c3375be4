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
		Long: `Man writes a manual page for each command to DIR: gpudocs.1, gpudocs-verify.1 and
so on, in roff, for man. They say what --help says. Without DIR it prints that of
gpudocs itself.`,
		Example: `  gpudocs man ~/.local/share/man/man1      then: man gpudocs-verify
  gpudocs man | man -l -`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				_, err := a.stdout.Write(manPage(c.Root()))
				return err
			}
			return writeManPages(c.Root(), args[0])
		},
	}
}

func writeManPages(c *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return usage("name another folder", "%v", err)
	}
	if err := report.WriteFile(filepath.Join(dir, manName(c)+".1"), manPage(c)); err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			if err := writeManPages(sub, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage is the page of a command. Its date is that of the program's commit: the
// same program writes the same bytes.
func manPage(c *cobra.Command) []byte {
	c.InitDefaultHelpFlag()
	var b bytes.Buffer
	name := manName(c)
	fmt.Fprintf(&b, ".TH %q 1 %q %q \"gpudocs\"\n.nh\n.ad l\n", roff(strings.ToUpper(name)), committed(), roff("gpudocs "+version()))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n%s\n", roff(c.CommandPath()), roff(strings.TrimSpace(strings.TrimPrefix(c.UseLine(), c.CommandPath()))))
	b.WriteString(".SH DESCRIPTION\n")
	manText(&b, c.Long)
	var subs []*cobra.Command
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			subs = append(subs, sub)
		}
	}
	if len(subs) > 0 {
		b.WriteString(".SH COMMANDS\n")
	}
	for _, sub := range subs {
		fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", roff(manName(sub)), roff(sub.Short))
	}
	b.WriteString(".SH OPTIONS\n")
	option := func(f *pflag.Flag) {
		if !f.Hidden {
			manOption(&b, f)
		}
	}
	c.LocalFlags().VisitAll(option)
	c.InheritedFlags().VisitAll(option)
	fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	if c.HasParent() {
		fmt.Fprintf(&b, ".SH SEE ALSO\n.BR %s (1)\n", roff(manName(c.Parent())))
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

func manOption(b *bytes.Buffer, f *pflag.Flag) {
	value, text := pflag.UnquoteUsage(f)
	names := `\fB` + roff("--"+f.Name) + `\fR`
	if f.Shorthand != "" {
		names = `\fB` + roff("-"+f.Shorthand) + `\fR, ` + names
	}
	if value != "" {
		names += ` \fI` + roff(value) + `\fR`
	}
	fmt.Fprintf(b, ".TP\n%s\n", names)
	text = strings.ReplaceAll(text, "\n", " ")
	if d := f.DefValue; !strings.Contains(text, "(default") && d != "" && d != "false" && d != "0" && d != "0s" && d != "[]" {
		text += " (default " + d + ")"
	}
	b.WriteString(roff(text) + "\n")
}

// control is what begins a request of roff.
var control = regexp.MustCompile(`(?m)^[.']`)

// roff escapes a text, so that its hyphens can be copied into a shell.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", "\\(ga", "^", `\(ha`, "~", `\(ti`).Replace(s)
	return control.ReplaceAllString(s, `\&$0`)
}
