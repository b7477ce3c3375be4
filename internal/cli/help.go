package cli

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// helpKey returns the beginning of the keys of a command's texts, such as "help.report.show.".
func helpKey(c *cobra.Command) string {
	names := strings.Fields(c.CommandPath())
	if c.HasParent() {
		names = names[1:]
	}
	return "help." + strings.Join(names, ".") + "."
}

// flagKey returns the key of a flag's text. Commands that share a flag may have its text at their parent.
func flagKey(c *cobra.Command, t text.Catalog, f *pflag.Flag) string {
	key := helpKey(c) + "--" + f.Name
	if !t.Has(key) && c.HasParent() {
		key = helpKey(c.Parent()) + "--" + f.Name
	}
	return key
}

// localFlags calls each with the flags of a command itself, except hidden ones.
func localFlags(c *cobra.Command, each func(*pflag.Flag)) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			each(f)
		}
	})
}

// addTexts sets the texts of a command and of those below it, and of their flags. Commands are created
// without them, because only help, manual pages and completion need them.
func addTexts(c *cobra.Command, t text.Catalog) {
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			addTexts(sub, t)
		}
	}
	key := helpKey(c)
	c.Short, c.Long, c.Example = t.Get(key+"short"), t.Get(key+"long"), t.Get(key+"example")
	localFlags(c, func(f *pflag.Flag) { f.Usage = t.Get(flagKey(c, t, f)) })
}

// addShellTexts is addTexts without backquotes in the texts of flags, for completion.
func addShellTexts(c *cobra.Command, t text.Catalog) {
	addTexts(c, t)
	var unquote func(c *cobra.Command)
	unquote = func(c *cobra.Command) {
		localFlags(c, func(f *pflag.Flag) { _, f.Usage = pflag.UnquoteUsage(f) })
		for _, sub := range c.Commands() {
			unquote(sub)
		}
	}
	unquote(c)
}

// explained matches an example with an explanation beside it.
var explained = regexp.MustCompile(`^(\s*\S.*?\S)(\s{3,})(\S.*)$`)

// example splits a line of an example into code, a gap and an explanation.
func example(line string) (code, gap, explanation string) {
	if m := explained.FindStringSubmatch(line); m != nil {
		return m[1], m[2], m[3]
	}
	return line, "", ""
}

// A helper writes the help of a command.
type helper struct {
	w       io.Writer
	catalog text.Catalog
	width   int // of a line, in columns
}

// show writes the help of a command.
func (h *helper) show(c *cobra.Command) {
	h.text(c.Long)
	h.head("help_usage")
	use := strings.TrimSuffix(c.UseLine(), " [flags]")
	if c.HasAvailableSubCommands() {
		use += " " + h.catalog.Get("help_command")
	}
	fmt.Fprintf(h.w, "  %s [%s]\n", use, h.catalog.Get("help_options"))
	if c.Example != "" {
		h.head("help_examples")
		h.examples(c.Example)
	}
	if c.HasAvailableSubCommands() {
		h.head("help_commands")
		h.commands(c)
	}
	h.flags(c)
	if c.HasAvailableSubCommands() {
		fmt.Fprintln(h.w)
		h.text(h.catalog.Get("help_more", "command", c.CommandPath()))
	}
}

func (h *helper) head(text string) { fmt.Fprintf(h.w, "\n%s:\n", h.catalog.Get(text)) }

// text writes paragraphs. Indented lines stay as they are.
func (h *helper) text(s string) {
	var paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			fmt.Fprintln(h.w, strings.Join(terminal.Wrap(strings.Join(paragraph, " "), h.width), "\n"))
		}
		paragraph = nil
	}
	for line := range strings.SplitSeq(strings.TrimSpace(s), "\n") {
		if line != "" && !strings.HasPrefix(line, "  ") {
			paragraph = append(paragraph, line)
			continue
		}
		flush()
		fmt.Fprintln(h.w, line)
	}
	flush()
}

// examples writes examples, whose code is never wrapped. An explanation without enough room beside
// the code is written below it.
func (h *helper) examples(s string) {
	for line := range strings.SplitSeq(s, "\n") {
		code, gap, explanation := example(line)
		if terminal.Columns(line) <= h.width || explanation == "" {
			fmt.Fprintln(h.w, line)
			continue
		}
		column := terminal.Columns(code + gap)
		if h.width-column < minColumn {
			fmt.Fprintln(h.w, code)
			code, column = "", 6
		}
		h.writeColumn(code, column, explanation)
	}
}

// minColumn is the minimal width of text beside other text.
const minColumn = 24

// writeColumn writes a text in a column, with left before its first line.
func (h *helper) writeColumn(left string, column int, text string) {
	for _, l := range terminal.Wrap(text, h.width-column) {
		fmt.Fprintln(h.w, strings.TrimRight(terminal.Pad(left, column)+l, " "))
		left = ""
	}
}

// An entry is a name with its explanation.
type entry struct{ name, text string }

// list writes names with their texts beside them.
func (h *helper) list(entries []entry) {
	wide := 0
	for _, e := range entries {
		wide = max(wide, terminal.Columns(e.name))
	}
	// The text of a long name is written below it, so that the other texts have more room.
	column := min(wide+3, max(h.width*2/5, 10))
	for _, e := range entries {
		if terminal.Columns(e.name) > column-2 {
			fmt.Fprintln(h.w, e.name)
			e.name = ""
		}
		h.writeColumn(e.name, column, e.text)
	}
}

func (h *helper) commands(c *cobra.Command) {
	var entries []entry
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			entries = append(entries, entry{"  " + sub.Name(), sub.Short})
		}
	}
	h.list(entries)
}

// A flagGroup is a part of a command's flags with its own title.
type flagGroup struct {
	title string // the key of a text
	flags []string
}

// flagGroups has the groups of commands with many flags.
var flagGroups = map[string][]flagGroup{"verify": {
	{"help_runs", []string{"plan", "run", "rerun", "sync", "timeout", "jobs", "drift"}},
	{"help_written", []string{"machine", "report", "sign", "json", "junit", "update", "yes"}},
	{"help_news", []string{"notify-if-changed", "fail-on"}},
	{"help_hosts", []string{"host", "host-timeout", "host-binary"}},
	{"help_cluster", []string{"slurm", "slurm-wait"}},
}}

// flags writes the flags of a command: its groups, its other flags, and those of all commands.
func (h *helper) flags(c *cobra.Command) {
	groups := flagGroups[c.Name()]
	var grouped []string
	for _, g := range groups {
		var list []*pflag.Flag
		for _, name := range g.flags {
			list = append(list, c.Flag(name))
		}
		grouped = append(grouped, g.flags...)
		h.flagList(g.title, list)
	}
	var rest, all []*pflag.Flag
	localFlags(c, func(f *pflag.Flag) {
		if c.HasParent() && !slices.Contains(grouped, f.Name) {
			rest = append(rest, f)
		}
	})
	c.Root().PersistentFlags().VisitAll(func(f *pflag.Flag) { all = append(all, f) })
	title := "help_flags"
	if len(groups) > 0 {
		title = "help_others"
	}
	h.flagList(title, rest)
	h.flagList("help_global", all)
}

func (h *helper) flagList(title string, list []*pflag.Flag) {
	if len(list) == 0 {
		return
	}
	h.head(title)
	var entries []entry
	for _, f := range list {
		value, text := flagText(h.catalog, f)
		name := "      --" + f.Name
		if f.Shorthand != "" {
			name = "  -" + f.Shorthand + ", --" + f.Name
		}
		entries = append(entries, entry{strings.TrimRight(name+" "+value, " "), text})
	}
	h.list(entries)
}

// flagText returns the name of a flag's value, and the flag's text with its default.
func flagText(t text.Catalog, f *pflag.Flag) (value, text string) {
	value, text = pflag.UnquoteUsage(f)
	switch value {
	case "duration", "int", "string": // pflag's own words
		value = t.Get("help_type_" + value)
	}
	text = strings.ReplaceAll(text, "\n", " ")
	if slices.Contains([]string{"", "false", "0", "0s", "[]"}, f.DefValue) || strings.HasSuffix(text, ")") {
		return value, text // there is no default, or the text ends with it
	}
	d := strings.Trim(f.DefValue, "[]")
	if minutes, ok := strings.CutSuffix(d, "m0s"); ok {
		d = minutes + "m"
	}
	return value, text + " (" + t.Get("help_default", "value", d) + ")"
}
