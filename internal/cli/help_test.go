package cli

import (
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/verifycmd"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// shown are the commands that people see.
func shown(root *cobra.Command) (list []*cobra.Command) {
	for _, c := range all(root) {
		if !c.Hidden {
			list = append(list, c)
		}
	}
	return list
}

// quoted are names of values, and what stands between backquotes in no language.
var quoted = regexp.MustCompile("`[^`]*`")

// TestHelpInAllLanguages: every command and flag has its text, of the English text as
// it is now, and nothing else has one.
func TestHelpInAllLanguages(t *testing.T) {
	for _, language := range []string{"es", "pt"} {
		texts, err := readHelp(language)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range shown(newRoot(&env.Env{})) {
			name := helpName(c)
			own := texts.Commands[name]
			delete(texts.Commands, name)
			if own.Short == "" || own.Long == "" || own.Short == c.Short {
				t.Errorf("%s: %s has no text", language, name)
			}
			if own.Of != stamp(c) {
				t.Errorf("help/%s.toml: the English text of %s has changed: look through the other, and write of = %q", language, name, stamp(c))
			}
			var says []string
			for line := range strings.SplitSeq(c.Example, "\n") {
				if _, _, text := example(line); text != "" {
					says = append(says, text)
				}
			}
			slices.Sort(says)
			if d := cmp.Diff(slices.Compact(says), slices.Sorted(maps.Keys(own.Examples))); d != "" {
				t.Errorf("%s: the explained examples of %s (-there are +have a text)\n%s", language, name, d)
			}
			var flags []string
			ownFlags(c, func(f *pflag.Flag) {
				flags = append(flags, f.Name)
				if a, b := len(quoted.FindAllString(f.Usage, -1)), len(quoted.FindAllString(own.Flags[f.Name], -1)); a != b {
					t.Errorf("%s: --%s of %s has %d names of its value, and %d in English", language, f.Name, name, b, a)
				}
			})
			slices.Sort(flags)
			if d := cmp.Diff(flags, slices.Sorted(maps.Keys(own.Flags))); d != "" {
				t.Errorf("%s: the flags of %s (-there are +have a text)\n%s", language, name, d)
			}
		}
		for name := range texts.Commands {
			t.Errorf("%s: there is no command %s", language, name)
		}
	}
}

// TestHelpFits: no line of any help is wider than it may be, in no language, and
// nothing of it is lost on a narrow terminal. Code is never broken, so that only a
// narrow terminal has wider lines.
func TestHelpFits(t *testing.T) {
	for _, language := range []string{"en", "es", "pt"} {
		w := env.WordsOf(language)
		root := newRoot(&env.Env{W: w, Stdout: io.Discard, Stderr: io.Discard})
		inLanguage(w, root)
		for _, c := range shown(root) {
			wide := ""
			for _, most := range []int{120, 80, 60, 40} {
				var b strings.Builder
				h := &helper{&b, w, most}
				h.show(c)
				for line := range strings.Lines(b.String()) {
					if n := terminal.Columns(strings.TrimRight(line, "\n")); n > most && (most >= 80 || !strings.HasPrefix(line, "  ")) {
						t.Errorf("%s, %s: %d columns, not %d: %s", language, c.CommandPath(), n, most, line)
					}
				}
				words := strings.Join(strings.Fields(b.String()), "")
				if wide == "" {
					wide = words
				}
				if words != wide {
					t.Errorf("%s, %s: at %d columns it says something else:\n%s", language, c.CommandPath(), most, cmp.Diff(wide, words))
				}
			}
		}
	}
}

// TestSpoken: another machine is told the language, English too, for its own may be
// another.
func TestSpoken(t *testing.T) {
	for _, language := range []string{"en", "pt-br"} {
		args := verifycmd.ArgsThere((&env.Env{W: env.WordsOf(language)}), pflag.NewFlagSet("", pflag.ContinueOnError), []string{"a.md"})
		there := &env.Env{W: env.WordsOf("es")}
		if err := newRoot(there).ParseFlags(args); err != nil || there.W.Code() != language {
			t.Errorf("%q: %s, %v", args, there.W.Code(), err)
		}
	}
	if err := (&env.Env{}).Speak("../../pt"); err == nil {
		t.Error("no language is spoken, and nobody told")
	}
}
