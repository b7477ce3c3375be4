// Package github writes annotations and summaries of GitHub Actions. Annotations are
// workflow commands in a step's output, and a step's summary is a Markdown file. All
// texts are escaped, because they may come from a snippet.
package github

import (
	"fmt"
	"io"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Level is a kind of annotation.
type Level string

// The levels that gpudocs uses.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Notice  Level = "notice"
)

// An Annotation is shown at a line of a file in a pull request.
type Annotation struct {
	Level Level
	// File is the path below the repository's root, or empty.
	File string
	// Line, Column and EndColumn count from 1; 0 is unknown.
	Line, Column, EndColumn int
	Title, Message          string
}

// maxShown is the number of annotations of a level that GitHub shows for a step. maxMessage bounds
// a message, in bytes.
const maxShown, maxMessage = 10, 4 << 10

// Annotate writes the annotations. If there are more than GitHub shows, the last one of a level gives
// the number of the others.
func Annotate(w io.Writer, list []Annotation) error {
	number, written := map[Level]int{}, map[Level]int{}
	for _, a := range list {
		number[a.Level]++
	}
	for _, a := range list {
		written[a.Level]++
		if over := number[a.Level] - maxShown; over > 0 {
			if written[a.Level] > maxShown {
				continue
			}
			if written[a.Level] == maxShown {
				a = Annotation{Level: a.Level, Title: "gpudocs", Message: fmt.Sprintf("and %d more; the step's log and its summary have them", over+1)}
			}
		}
		if _, err := io.WriteString(w, a.command()); err != nil {
			return err
		}
	}
	return nil
}

func (a Annotation) command() string {
	var properties []string
	add := func(name, value string) {
		if value != "" && value != "0" {
			properties = append(properties, name+"="+property(value))
		}
	}
	add("file", a.File)
	add("line", fmt.Sprint(a.Line))
	add("col", fmt.Sprint(a.Column))
	add("endColumn", fmt.Sprint(a.EndColumn))
	add("title", a.Title)
	head := strings.TrimSpace(string(a.Level) + " " + strings.Join(properties, ","))
	return "::" + head + "::" + data(a.Message) + "\n"
}

// data escapes a message, which is one line of the log.
func data(s string) string {
	lines := strings.Split(diag.Clip(s, maxMessage), "\n")
	for i, l := range lines {
		lines[i] = diag.Printable(strings.TrimSuffix(l, "\r"))
	}
	return strings.NewReplacer("%", "%25", "\n", "%0A").Replace(strings.Join(lines, "\n"))
}

func property(s string) string {
	s = diag.Printable(strings.ReplaceAll(diag.Clip(s, maxMessage), "\n", " "))
	return strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C").Replace(s)
}

// Mute keeps the runner from executing commands in what is written to w until end is called, because
// a snippet may print one. The token must be hard to guess.
func Mute(w io.Writer, token string) (end func()) {
	fmt.Fprintf(w, "::stop-commands::%s\n", token)
	return func() { fmt.Fprintf(w, "::%s::\n", token) }
}
