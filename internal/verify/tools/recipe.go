package tools

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/site/recipe"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// answerMark comes before the answer of a version command: $BASH_ENV may print something first.
const answerMark = "gpudocs: version"

// probeRecipe asks the compiler or interpreter of a recipe for its version, in the session's
// environment. If there is no such program, it sets Missing, and also if one that is known to tell its version
// cannot: rustup's rustc without a toolchain, java of macOS without Java.
func (t *Tool) probeRecipe(ctx context.Context, r *recipe.Recipe) {
	command := r.Expand(r.VersionCommand(), recipe.Main, r.Flags)
	script := "set -- " + recipe.Program(command) + "\n" +
		"printf '" + answerMark + "\\n%s\\n%s\\n' \"$*\" \"$(type -P -- \"$1\")\"\n" + command
	a := t.Env.Run(ctx, subprocess.Command{Program: t.Path, Env: t.Environ(os.TempDir()), Dir: os.TempDir(), Limit: bashTimeout,
		Args: []string{"--noprofile", "--norc", "-c", script}})
	_, answer, _ := strings.Cut(string(a.Stdout), answerMark+"\n")
	words, answer, _ := strings.Cut(answer, "\n")
	found, answer, _ := strings.Cut(answer, "\n")
	program := programName(words)
	known := !r.Custom && strings.Contains(recipe.Program(command), program) // and not a compiler that the user's $CC names
	if exit, ok := errors.AsType[*exec.ExitError](a.Err); ok && (exit.ExitCode() == 127 || exit.ExitCode() == 126 && found == "" || known) {
		t.Missing = missing("", program)
		return
	}
	t.Compiler = found
	version := versionIn(answer)
	if version == "" {
		version = versionIn(a.Stderr)
	}
	if a.Err != nil || version == "" {
		return
	}
	t.Program = program + " " + version
	t.Name = t.Program
}

// programName returns the program that the words of a command name: "gcc" for "ccache /usr/bin/gcc".
func programName(words string) string {
	name := ""
	for word := range strings.FieldsSeq(words) {
		if !strings.HasPrefix(word, "-") {
			name = path.Base(word)
		}
	}
	return diag.Clip(strings.ToValidUTF8(name, "\ufffd"), 100)
}

var (
	parenthesis = lazyregexp.New(`\([^()]*\)`)
	dotted      = lazyregexp.New(`\d+(?:\.\d+)+`)
)

// versionIn returns the version in the output of a version command: the longest dotted number of the
// first line with one. What is in parentheses may be the version of something else, such as the
// distribution. Without such a number it returns the first line.
func versionIn(output string) string {
	first := ""
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if first == "" {
			first = line
		}
		version := ""
		for _, v := range dotted.FindAllString(parenthesis.ReplaceAllString(line, ""), -1) {
			if len(v) > len(version) {
				version = v
			}
		}
		if version != "" {
			return diag.Clip(version, 100)
		}
	}
	return diag.Clip(strings.ToValidUTF8(first, "\ufffd"), 100)
}
