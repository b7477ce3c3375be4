package cli

import (
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/verifycmd"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// shown returns the commands that are not hidden.
func shown(root *cobra.Command) (list []*cobra.Command) {
	for _, c := range all(root) {
		if !c.Hidden {
			list = append(list, c)
		}
	}
	return list
}

// TestHelpInAllLanguages checks that every command and flag has its texts, and that
// translations have the examples of English and name the values of the same flags.
func TestHelpInAllLanguages(t *testing.T) {
	texts := map[string][]string{}
	for _, language := range []string{"en", "es", "pt"} {
		root := newRoot(&env.Env{})
		addTexts(root, text.Of(language))
		for _, c := range shown(root) {
			name := c.CommandPath()
			for _, s := range []string{c.Short, c.Long, c.Example} {
				if s == "" || strings.HasPrefix(s, "[") {
					t.Errorf("%s: %s has no text: %s", language, name, s)
				}
			}
			var code []string
			for line := range strings.SplitSeq(c.Example, "\n") {
				part, _, text := example(line)
				code = append(code, part, strconv.FormatBool(text != ""))
			}
			localFlags(c, func(f *pflag.Flag) {
				value, _ := pflag.UnquoteUsage(f)
				if f.Usage == "" || strings.HasPrefix(f.Usage, "[") {
					t.Errorf("%s: --%s of %s has no text: %s", language, f.Name, name, f.Usage)
				}
				code = append(code, f.Name, strconv.FormatBool(value != "" && strings.Contains(f.Usage, "`")))
			})
			if language == "en" {
				texts[name] = code
			} else if d := cmp.Diff(texts[name], code); d != "" {
				t.Errorf("%s: other examples or flags of %s than in English\n%s", language, name, d)
			}
		}
	}
}

// TestHelpTextsAreUsed checks that every text of help belongs to a command or a flag.
func TestHelpTextsAreUsed(t *testing.T) {
	used := map[string]bool{}
	for _, c := range shown(newRoot(&env.Env{})) {
		for _, name := range []string{"short", "long", "example"} {
			used[helpKey(c)+name] = true
		}
		localFlags(c, func(f *pflag.Flag) { used[flagKey(c, words.English(), f)] = true })
	}
	others := text.Of("en").Texts("")
	for key := range text.Of("en", "help").Texts("") {
		if _, other := others[key]; !other && !used["help."+key] {
			t.Errorf("help.%s belongs to no command or flag", key)
		}
	}
}

// TestHelpFits: no line of any help is wider than the limit, in any language, and no word is
// lost on a narrow terminal. Code is never broken, so on a narrow terminal its lines may be
// wider.
func TestHelpFits(t *testing.T) {
	for _, language := range []string{"en", "es", "pt"} {
		catalog := text.Of(language)
		root := newRoot(&env.Env{Text: catalog, Stdout: io.Discard, Stderr: io.Discard})
		addTexts(root, catalog)
		for _, c := range shown(root) {
			wide := ""
			for _, most := range []int{120, 80, 60, 40} {
				var b strings.Builder
				h := &helper{&b, catalog, most}
				h.show(c)
				for line := range strings.Lines(b.String()) {
					if n := terminal.Columns(strings.TrimRight(line, "\n")); n > most && (most >= 80 || !strings.HasPrefix(line, "  ")) {
						t.Errorf("%s, %s: %d columns, want at most %d: %s", language, c.CommandPath(), n, most, line)
					}
				}
				words := strings.Join(strings.Fields(b.String()), "")
				if wide == "" {
					wide = words
				}
				if words != wide {
					t.Errorf("%s, %s: other words at %d columns:\n%s", language, c.CommandPath(), most, cmp.Diff(wide, words))
				}
			}
		}
	}
}

// TestSpoken: another machine is passed the language, English too, because its own default may
// differ.
func TestSpoken(t *testing.T) {
	for _, language := range []string{"en", "pt-br"} {
		args := verifycmd.ArgsThere(text.Of(language, "cli"), pflag.NewFlagSet("", pflag.ContinueOnError), []string{"a.md"})
		there := &env.Env{Text: text.Of("es", "cli")}
		if err := newRoot(there).ParseFlags(args); err != nil || there.Text.Code() != language {
			t.Errorf("%q: %s, %v", args, there.Text.Code(), err)
		}
	}
	if err := (&env.Env{}).SetLanguage("../../pt"); err == nil {
		t.Error("an unknown language gives no error")
	}
}
