package include

import (
	"path"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/myst"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// In the dialect of MyST
//
//	```{include} parts/notice.md
//	:start-after: some text
//	```
//
// becomes the text of the file. With the option literal or lang it is code, which the page's parser
// reads.
var (
	mystForm       = lazyregexp.New("^([ \t>]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?)(:{3,}|`{3,}|~{3,})\\{include\\}[ \t]*(.*?)[ \t\r]*$")
	mystOptionForm = lazyregexp.New(`^[ \t>]*:([a-z-]+):[ \t]*(.*?)[ \t\r]*$`)
	mystNameForm   = lazyregexp.New(`^[ \t]*\{([A-Za-z][\w:+.-]*)[^}]*\}`)
)

// opensText reports whether the text after the marks of a fence is that of a directive with Markdown
// in it.
func opensText(info string) bool {
	m := mystNameForm.FindStringSubmatch(info)
	return m != nil && myst.HasMarkdown(strings.ToLower(m[1]))
}

// mystDirective reads a directive that begins at line, and returns its last line, or false if it includes
// nothing.
func (in *composer) mystDirective(f *diag.File, line, to int, prefix string, m []string) (last int, ok bool) {
	options := map[string]string{}
	next, file := line+1, m[3]
	for ; next <= to; next++ {
		o := mystOptionForm.FindStringSubmatch(f.Text(next))
		if o == nil {
			break
		}
		options[o[1]] = o[2]
	}
	for next <= to && strings.Trim(f.Text(next), " \t>\r") == "" {
		next++
	}
	end := strings.Trim(f.Text(min(next, to)), " \t>\r")
	if file == "" || next > to || len(end) < len(m[2]) || strings.Trim(end, m[2][:1]) != "" {
		return 0, false
	}
	for _, name := range []string{"literal", "lang", "language", "code"} {
		if _, code := options[name]; code {
			return 0, false
		}
	}
	at := f.Offset(line, 1) + strings.LastIndex(f.Text(line), file)
	language := path.Join(sitefile.ContentFolder, in.page.Language.Code)
	found, fault := in.library.Find(strings.TrimPrefix(file, "/"), path.Dir(f.Name), language, sitefile.ContentFolder, ".")
	var lines []int
	if fault == nil {
		lines, fault = Lines(found, "", options["lines"])
	}
	if fault == nil {
		lines, fault = Between(found, lines, markdown.FilePart{StartAfter: options["start-after"], StartAt: options["start-at"],
			EndBefore: options["end-before"], EndAt: options["end-at"]})
		lines = numbered(lines, options["start-line"], options["end-line"])
	}
	if fault != nil {
		in.diags.Add(f.Warning(at, at+len(file), fault.Message, fault.Hint))
		return 0, false
	}
	in.enclose(f, line, at, at+len(file), found, lines, prefix, m[1])
	return next, true
}

// Between returns the lines of a selection between two texts. A text that is not found is a problem.
func Between(f *diag.File, lines []int, p markdown.FilePart) ([]int, *Problem) {
	find := func(what string, from int) (int, *Problem) {
		for i := from; i < len(lines); i++ {
			if strings.Contains(f.Text(lines[i]), what) {
				return i, nil
			}
		}
		return 0, &Problem{diag.Say("include.text-missing", "name", f.Name, "text", diag.Clip(what, 100)), diag.Say("include.text-missing-hint")}
	}
	for _, edge := range []struct {
		text  string
		start bool
		plus  int
	}{{p.StartAt, true, 0}, {p.StartAfter, true, 1}, {p.EndAt, false, 1}, {p.EndBefore, false, 0}} {
		if edge.text == "" {
			continue
		}
		from := 0
		if !edge.start && edge.plus == 0 && p.StartAt != "" {
			from = 1 // what it begins with does not end it
		}
		i, problem := find(strings.Trim(edge.text, `"'`), from)
		switch {
		case problem != nil:
			return nil, problem
		case edge.start:
			lines = lines[i+edge.plus:]
		default:
			lines = lines[:i+edge.plus]
		}
	}
	return lines, nil
}

// numbered returns the lines from one number, counted from 0, up to another. A negative one is counted
// from the end.
func numbered(lines []int, start, end string) []int {
	index := func(text string, without int) int {
		n, err := strconv.Atoi(text)
		switch {
		case err != nil:
			return without
		case n < 0:
			n += len(lines)
		}
		return min(max(n, 0), len(lines))
	}
	from := index(start, 0)
	return lines[from:max(from, index(end, len(lines)))]
}
