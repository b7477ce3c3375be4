package importer

import (
	"strings"
	"unicode"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// A chunk is lines after code, which are either output or prose in Markdown.
type chunk struct {
	lines []string
	code  flatCode
	// first is set if the chunk follows the code directly. blanks is the number of empty lines
	// after the chunk.
	first  bool
	blanks int
}

var (
	// markdownForm matches what authors write and programs do not print.
	markdownForm = lazyregexp.New("^(?:#{1,6} +\\S|[-*+] +\\S|\\d{1,3}[.)] +\\p{L}|> |!\\[" +
		"|```|~~~|:::|<!--|:[a-z_]+:`|\\|? *:?-{3,}:? *\\|)|" +
		"\\]\\(|\\*\\*\\S|`[^`\\s][^`]*`|:[a-z]+:`|(?:^|[\\s(])\\$[^$\\s][^$]*\\$|\\[\\^")
	boxForm  = lazyregexp.New(`[-=─━]{4,}[+┼┬┴╋]|[+┼┌└├╒╔╠][-=─═━]{3,}|^\|.*\|\s*$|[█▏▎▍▌▋▊▉]|\d+%\|`)
	reprForm = lazyregexp.New(`^<[A-Za-z_][\w.]* (?:object |at |size )|^Traceback \(most recent|^\w*(?:Error|Exception|Warning): |^[\w./-]+:\d+: \w*Warning|\x1b\[`)
)

// functionWords are common words of Portuguese, Spanish and English sentences.
var functionWords = wordSet(`a ao aos as com como da das de do dos e em é essa esse esta este isso isto mais mas na nas no nos não o os ou para pela pelo
	por que se sem ser seu sua também um uma vamos você são está podemos
	al como con del desde el ella en es esta este la las le lo los más ni para pero podemos que se sin sobre su sus un una unas y ya vamos está
	about all an and are as at be by can for from has have how if in into is it its let not of on or our so that the then there this to
	we when which will with you your`)

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// output reports whether the chunk is output, and whether that is clear.
func (c chunk) output() (is, clear bool) {
	printed, prose := c.printed(), c.prose()
	shows := c.code.prints || c.code.last == expression || !c.first
	if !shows && printed < 3 {
		return false, printed <= prose
	}
	is = printed > prose && (c.first || printed >= 2)
	return is, printed-prose >= 2 || prose-printed >= 2
}

// printed scores signs of output.
func (c chunk) printed() (n int) {
	all := strings.Join(c.lines, "\n")
	first := strings.TrimSpace(c.lines[0])
	boxes, digits := 0, 0
	for _, t := range c.lines {
		if boxForm.MatchString(t) {
			boxes++
		}
		if reprForm.MatchString(strings.TrimSpace(t)) {
			n = max(n, 3)
		}
		if strings.HasPrefix(strings.TrimSpace(t), "Traceback (most recent") {
			n = 8
		}
	}
	fields := strings.Fields(all)
	for _, f := range fields {
		if strings.IndexFunc(f, unicode.IsDigit) >= 0 {
			digits++
		}
	}
	if 2*boxes >= len(c.lines) {
		n += 4
	} else if boxes > 0 {
		n += 2
	}
	for _, text := range c.code.literals {
		if len([]rune(text)) > 2 && c.code.prints && strings.HasPrefix(first, text) {
			n += 5 // the text in the code
			break
		}
	}
	if 5*digits >= 2*len(fields) {
		n += 2
	}
	if value(c.lines) {
		n += 3
	}
	if len(fields) <= 3*len(c.lines) && !sentence(first) {
		n++
	}
	if startsBlank(c.lines[0]) && c.first {
		n++
	}
	// Printed text ends its last line, and the empty line of the notebook follows.
	if c.blanks >= 2 && c.code.prints {
		n++
	}
	return n
}

// value reports whether the lines are one value as Python prints it.
func value(lines []string) bool {
	s := &scanner{}
	for _, t := range lines {
		s.line(t)
	}
	return !s.bad && s.ended() && len(s.tokens) > 0 && classify(s.tokens) == expression && (len(s.tokens) > 1 || s.tokens[0].kind != 'n')
}

// prose scores signs of prose.
func (c chunk) prose() (n int) {
	for i, t := range c.lines {
		if markdownForm.MatchString(strings.TrimLeft(t, " ")) && !boxForm.MatchString(t) {
			n += 3
			if i == 0 {
				n++
			}
			break
		}
	}
	all := strings.Join(c.lines, " ")
	words := strings.FieldsFunc(strings.ToLower(all), func(r rune) bool { return !unicode.IsLetter(r) })
	known := 0
	for _, w := range words {
		if functionWords[w] {
			known++
		}
	}
	switch {
	case known >= 3 && 6*known >= len(words):
		n += 4
	case known >= 2 && 8*known >= len(words):
		n += 2
	case known == 1 && len(words) >= 3:
		n++
	}
	first := firstLetter(all)
	if (unicode.IsUpper(first) || strings.ContainsRune("¿¡", first)) && len(words) >= 4 {
		n++
	}
	if sentence(strings.TrimSpace(all)) && len(words) >= 2 ||
		len(words) == 1 && unicode.IsUpper(first) && strings.HasSuffix(strings.TrimSpace(all), ".") {
		n++
	}
	return n
}

func firstLetter(s string) rune {
	for _, r := range s {
		if unicode.IsLetter(r) || strings.ContainsRune("¿¡", r) {
			return r
		}
	}
	return 0
}

// sentence reports whether a text ends like a sentence.
func sentence(s string) bool {
	if s == "" || !strings.ContainsAny(s, " ") {
		return strings.HasSuffix(s, ":")
	}
	last := s[len(s)-1]
	return strings.IndexByte(".:?!;", last) >= 0 && (len(s) < 2 || unicode.IsLetter(rune(s[len(s)-2])) ||
		s[len(s)-2] >= 0x80 || s[len(s)-2] == ')' || s[len(s)-2] == '`')
}

var (
	// unstableCode matches code that prints something else each time, and unstableText such output:
	// times, addresses, paths, versions, long fractions, progress.
	unstableCode = lazyregexp.New(`rand|random|shuffle|time\b|perf_counter|sleep|datetime|%time|getpid|uuid|elapsed|benchmark|nvidia-smi|memory|get_device_name|get_device_properties|__version__|version\b`)
	unstableText = lazyregexp.New(`0x[0-9a-f]{6,}|\d\.\d{4,}|\d:\d\d|\d{4}-\d\d-\d\d|\d+(?:\.\d+)+\.\d+|/(?:home|usr|opt|tmp|content|root)/|\d%\||\d+(?:\.\d+)? ?(?:ms|s|µs|us|it/s|[KMG]i?B|W|C)\b|Warning|Traceback`)
)

// deterministic reports whether code seems to print the same each time.
func deterministic(code, output string) bool {
	return !unstableCode.MatchString(code) && !unstableText.MatchString(output) && strings.Count(output, "\n") < 20
}
