// Package github writes annotations and summaries of GitHub Actions. Annotations are
// workflow commands in a step's output, and a step's summary is a Markdown file. All
// texts are escaped, because they may come from a snippet.
package outputs

import (
	"fmt"
	"io"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// An annotation is shown at a line of a file in a pull request.
type annotation struct {
	level diag.Severity
	file  string // below the repository's root, or empty
	// line, column and endColumn count from 1; 0 is unknown.
	line, column, endColumn int
	title, message          string
}

// maxShown is the number of annotations of a level that GitHub shows for a step. maxMessage bounds
// a message, in bytes.
const maxShown, maxMessage = 10, 4 << 10

// annotate writes the annotations. If there are more than GitHub shows, the last one of a level gives
// the number of the others.
func annotate(w io.Writer, list []annotation) error {
	number, written := map[diag.Severity]int{}, map[diag.Severity]int{}
	for _, a := range list {
		number[a.level]++
	}
	for _, a := range list {
		written[a.level]++
		if over := number[a.level] - maxShown; over > 0 {
			if written[a.level] > maxShown {
				continue
			}
			if written[a.level] == maxShown {
				more := fmt.Sprintf("and %d more; the step's log and its summary have them", over+1)
				a = annotation{level: a.level, title: "gpudocs", message: more}
			}
		}
		if _, err := io.WriteString(w, a.command()); err != nil {
			return err
		}
	}
	return nil
}

func (a annotation) command() string {
	var properties []string
	add := func(name, value string) {
		if value != "" && value != "0" {
			properties = append(properties, name+"="+property(value))
		}
	}
	add("file", a.file)
	add("line", fmt.Sprint(a.line))
	add("col", fmt.Sprint(a.column))
	add("endColumn", fmt.Sprint(a.endColumn))
	add("title", a.title)
	head := strings.TrimSpace(a.level.String() + " " + strings.Join(properties, ","))
	return "::" + head + "::" + data(a.message) + "\n"
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

// mute keeps the runner from executing commands in what is written to w until end is called, because
// a snippet may print one. The token must be hard to guess.
func mute(w io.Writer, token string) (end func()) {
	fmt.Fprintf(w, "::stop-commands::%s\n", token)
	return func() { fmt.Fprintf(w, "::%s::\n", token) }
}

// maxRows bounds the rows of a table. maxSummary bounds a summary in bytes: GitHub drops one of more than
// a mebibyte.
const maxRows, maxSummary = 200, 1 << 19

// table returns a Markdown table. The cells are text, not Markdown.
func table(head []string, body [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		b.WriteString("|")
		for _, c := range cells {
			b.WriteString(" " + escaped(c) + " |")
		}
		b.WriteString("\n")
	}
	line(head)
	b.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for i, cells := range body {
		if i == maxRows {
			fmt.Fprintf(&b, "\nand %d more\n", len(body)-i)
			break
		}
		line(cells)
	}
	return b.String()
}

// cellBytes bounds a cell.
const cellBytes = 1 << 10

// escaped escapes a text for Markdown, on one line. It needs two rules only: CommonMark accepts a
// backslash before any ASCII punctuation, and a | ends a cell.
func escaped(s string) string {
	s = diag.Printable(strings.ReplaceAll(strings.ReplaceAll(diag.Clip(s, cellBytes), "\r\n", " "), "\n", " "))
	var b strings.Builder
	for _, r := range strings.TrimSpace(s) {
		if r == '|' {
			b.WriteString("&#124;")
			continue
		}
		if r < 0x80 && strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{}~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// bounded cuts a summary that is longer than GitHub accepts, between two lines.
func bounded(s string) string {
	if len(s) <= maxSummary {
		return s
	}
	return s[:strings.LastIndexByte(s[:maxSummary], '\n')+1] + "\nThe rest is in the step's log.\n"
}
