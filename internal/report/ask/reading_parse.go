package ask

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

var readingWord = lazyregexp.New(`[<>=!]=?|[^\s<>=!]+`)

// Is reports whether a line begins with the first readingWord of a reading's name.
func IsReading(line string) bool {
	at := readingWord.FindAllStringIndex(line, 1)
	return len(at) > 0 && slices.ContainsFunc(Readings(), func(name string) bool {
		first, _, _ := strings.Cut(name, " ")
		return first == line[at[0][0]:at[0][1]]
	})
}

// Parse parses a line. The error is a [Error] with its place in the line.
func ParseReading(line string) (Reading, error) {
	at := readingWord.FindAllStringIndex(line, -1)
	next := func(i int) string {
		if i >= len(at) {
			return ""
		}
		return line[at[i][0]:at[i][1]]
	}
	// fail is the error at the words from i to before j.
	fail := func(i, j int, message, hint diag.Text) (Reading, error) {
		e := &Error{Offset: len(line), Width: 1, Message: message, Hint: hint}
		if i < len(at) {
			e.Offset = at[i][0]
			e.Width = at[max(i, min(j, len(at))-1)][1] - e.Offset
		}
		return Reading{}, e
	}
	var name []string
	i := 0
	for ; i < len(at) && strings.IndexByte("<>=!", next(i)[0]) < 0; i++ {
		name = append(name, next(i))
	}
	s := Reading{Name: strings.Join(name, " "), Op: next(i), Bound: next(i + 1)}
	k, known := readingKinds[s.Name]
	units := []string{k.unit, strings.TrimPrefix(k.unit, "°")}
	for _, unit := range units {
		if number := strings.TrimSuffix(s.Bound, unit); unit != "" && number != "" {
			s.Bound = number
		}
	}
	switch _, number := k.value(s.Bound); {
	case !known:
		return fail(0, i, diag.Say("blocks.reading-unknown", "name", s.Name),
			diag.Suggest(s.Name, Readings(), diag.Say("diag.known-names-hint", "known", strings.Join(Readings(), ", "))))
	case !slices.Contains([]string{">=", "<=", ">", "<", "==", "!="}, s.Op):
		return fail(i, i+1, diag.Say("blocks.operator-missing", "word", s.Name, "op", s.Op), diag.Say("blocks.operator-missing-hint"))
	case s.Bound == "" || !number && s.Bound != k.most:
		return fail(i+1, i+2, diag.Say("blocks.reading-value", "name", s.Name, "value", s.Bound),
			diag.Say("blocks.reading-value-hint", "forms", k.forms()))
	case slices.Contains(k.words, s.Bound) && s.Op != "==" && s.Op != "!=":
		return fail(i, i+1, diag.Say("blocks.reading-word-operator", "value", s.Bound, "op", s.Op), diag.Say("blocks.reading-word-operator-hint"))
	}
	i += 2
	if unit := next(i); unit != "" && slices.Contains(units, unit) {
		i++
	}
	if rest := next(i); rest != "" {
		hint := diag.Say("blocks.gpu-block-line-hint")
		if k.unit != "" {
			hint = diag.Say("blocks.reading-unit-hint", "name", s.Name, "unit", k.unit)
		}
		return fail(i, len(at), diag.Say("diag.unexpected", "quote", strconv.Quote(rest)), hint)
	}
	return s, nil
}
