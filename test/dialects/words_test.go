package dialects

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/text/unicode/norm"
)

// The words of a source are found without gpudocs's parser, by a few rules that recognize the markup in a
// line. Three consecutive words of the source must be consecutive on the page: so a lost paragraph, cell,
// item or line of code is found.

// A line is one of the source, with the words that a reader must find.
type line struct {
	number int
	words  []string
}

var (
	fenceForm = regexp.MustCompile("^[ \t>]*((```+)|(~~~+))(.*)$")
	// termyForm stands before a session in a terminal, whose tags are colours.
	termyForm = regexp.MustCompile(`<div class="termy">\s*$`)
	colours   = regexp.MustCompile(`</?(a|b|font|i|small|span|u)(\s[^<>]*)?>`)
	mathForm  = regexp.MustCompile(`^[ \t>]*\$\$`)
)

// hiddenParts are the parts of a line outside of code that no page shows.
var hiddenParts = []*regexp.Regexp{
	regexp.MustCompile(`^(In|Out) ?\[[^\]]*\]: ?`), // of a notebook that became text
	regexp.MustCompile(`<!--.*?-->`),
	regexp.MustCompile(`^\s*\*\[[^\]]+\]:.*$`),           // an abbreviation
	regexp.MustCompile(`^\s*\[[^\]^][^\]]*\]:\s*\S+.*$`), // a reference's address
	regexp.MustCompile(`\[\^[^\]]*\]:?`),                 // a footnote's mark
	regexp.MustCompile(`^\s*:(label|width|height|eqlabel|maxdepth|numbered):.*$`),
	regexp.MustCompile(":(numref|eqref|ref|label|cite[tp]?|begin_tab|end_tab|eqlabel):(`[^`]*`)?"),
	regexp.MustCompile(": (numref|cite): *`[^`]*`"),   // a role that a translation separated
	regexp.MustCompile(`\{%.*?%\}`),                   // of Jinja
	regexp.MustCompile(`^\s*/{3,}\s*[A-Za-z]*\s*\|?`), // a block's first line, but for its title
	regexp.MustCompile(`^\s*(!!!|\?\?\?\+?|===[+!]?)\s*[a-z]*`),
	regexp.MustCompile(`\{\s*[#.:][^}]*\}`), // attributes
	regexp.MustCompile(`</?[A-Za-z][^<>]*>`),
	regexp.MustCompile(`</?[A-Za-z][^<>]*$|^[^<>]*"\s*/?>`), // a tag over two lines
	regexp.MustCompile(`\$[^$]+\$`),
	regexp.MustCompile(`\\\(.*?\\\)`),
	regexp.MustCompile(`&[A-Za-z]+;|&#[0-9]+;`),
	regexp.MustCompile(`%%.*?%%`),
	regexp.MustCompile(`!\[\[[^\]]*\]\]`),
}

var (
	imageForm = regexp.MustCompile(`!\[[^\]]*\]\([^()]*(\([^()]*\)[^()]*)*\)`) // its text is an attribute
	linkForm  = regexp.MustCompile(`\]\((<[^>]*>|[^\s()]*(\([^\s()]*\)[^\s()]*)*)(\s+"[^"]*")?\)`)
	itemForm  = regexp.MustCompile(`^[\s>]*([0-9]+[.)]\s)?`)
	spanForm  = regexp.MustCompile(`</?(a|abbr|b|code|dfn|em|i|kbd|span|strong|sub|sup)\b[^<>]*>`) // they do not separate words
	emojiForm = regexp.MustCompile(`:[a-z0-9_+-]+:`)
)

// sourceLines are the lines of Markdown with what a reader must find of them.
func sourceLines(source string) []line {
	var out []line
	fence, toc, math, comment, style := "", false, false, false, false
	terminal, before := false, ""
	for i, text := range strings.Split(body(source), "\n") {
		m := fenceForm.FindStringSubmatch(text)
		if strings.TrimSpace(text) != "" {
			if fence == "" {
				terminal = termyForm.MatchString(before)
			}
			before = text
		}
		switch {
		case fence != "" && m != nil && strings.HasPrefix(m[1], fence) && strings.TrimSpace(m[4]) == "":
			fence = ""
			continue
		case fence != "":
			if toc || strings.HasPrefix(strings.TrimSpace(text), "#@") { // of d2lbook: a list of pages, a tab's name
				continue
			}
			if terminal {
				text = html.UnescapeString(colours.ReplaceAllString(text, ""))
			}
			out = append(out, line{i + 1, words(text)})
			continue
		case m != nil && !strings.Contains(m[4], "`"):
			fence, toc = m[1], strings.TrimSpace(m[4]) == "toc"
			continue
		}
		if comment || strings.Contains(text, "<!--") && !strings.Contains(text, "-->") {
			comment = !strings.Contains(text, "-->")
			continue
		}
		if strings.Contains(text, "<style>") || style {
			style = !strings.Contains(text, "</style>")
			continue
		}
		if mathForm.MatchString(text) || math {
			if strings.Count(text, "$$")%2 == 1 {
				math = !math
			}
			continue
		}
		out = append(out, line{i + 1, words(seen(text))})
	}
	return out
}

func seen(text string) string {
	text = itemForm.ReplaceAllString(text, "")
	text = imageForm.ReplaceAllString(text, "\x01")
	text = spanForm.ReplaceAllString(text, "")
	text = linkForm.ReplaceAllString(text, "]")
	for _, r := range hiddenParts {
		text = r.ReplaceAllString(text, "\x01")
	}
	return emojiForm.ReplaceAllString(text, "\x01")
}

// body blanks the front matter.
func body(source string) string {
	if !strings.HasPrefix(source, "---\n") {
		return source
	}
	front, rest, ok := strings.Cut(source[4:], "\n---\n")
	if !ok {
		return source
	}
	return strings.Repeat("\n", strings.Count(front, "\n")+3) + rest
}

// marks do not separate words if they are markup; if they are not, the page shows them.
var marks = strings.NewReplacer("*", "", "_", "", "`", "", "~", "", "=", "", "\\", "")

// words are runs of letters and digits, in lower case. A byte \x01 stands for what was
// taken out: no three words are in a row across it.
func words(text string) []string {
	var out []string
	for i, part := range strings.Split(norm.NFKC.String(text), "\x01") {
		if i > 0 {
			out = append(out, "\x01")
		}
		out = append(out, strings.FieldsFunc(marks.Replace(strings.ToLower(part)), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
		})...)
	}
	return out
}

// inline elements do not separate words.
var inline = map[string]bool{"a": true, "abbr": true, "b": true, "bdi": true, "cite": true, "code": true, "del": true, "dfn": true, "em": true, "i": true,
	"ins": true, "kbd": true, "mark": true, "q": true, "s": true, "samp": true, "small": true, "span": true, "strong": true, "sub": true, "sup": true, "u": true, "var": true}

// hidden elements show no text of the author's.
var hidden = map[string]bool{"script": true, "style": true, "svg": true, "template": true, "head": true, "nav": true}

// pageText returns the text that a page shows.
func pageText(page string) string {
	var b strings.Builder
	skip := 0
	for z := html.NewTokenizer(strings.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			if skip == 0 {
				b.Write(z.Text())
			}
		case html.StartTagToken:
			name, _ := z.TagName()
			if hidden[string(name)] {
				skip++
			} else if !inline[string(name)] {
				b.WriteByte(' ')
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if hidden[string(name)] {
				skip = max(0, skip-1)
			} else if !inline[string(name)] {
				b.WriteByte(' ')
			}
		}
	}
}

// lost returns the lines of a source that have three consecutive words, or in a shorter line all words,
// that are not consecutive on the page.
func lost(source, page string) []line {
	text := words(pageText(page))
	here := map[string]bool{}
	for n := 1; n <= 3; n++ {
		for i := 0; i+n <= len(text); i++ {
			here[strings.Join(text[i:i+n], " ")] = true
		}
	}
	var out []line
	for _, l := range sourceLines(source) {
		if run := missing(l.words, here); run != nil {
			out = append(out, line{l.number, run})
		}
	}
	return out
}

func missing(all []string, here map[string]bool) []string {
	for rest := all; len(rest) > 0; {
		n := 0
		for n < len(rest) && rest[n] != "\x01" {
			n++
		}
		part := rest[:n]
		rest = rest[min(n+1, len(rest)):]
		size := min(3, len(part))
		for i := 0; size > 0 && i+size <= len(part); i++ {
			if !here[strings.Join(part[i:i+size], " ")] {
				return part[i : i+size]
			}
		}
	}
	return nil
}

// prose returns the text that a page shows outside of code and formulas.
func prose(page string) string {
	var b strings.Builder
	within := 0
	for z := html.NewTokenizer(strings.NewReader(page)); ; {
		t := z.Next()
		if t == html.ErrorToken {
			return b.String()
		}
		token := z.Token()
		skip := hidden[token.Data] || token.Data == "pre" || token.Data == "code" || token.Data == "math"
		switch {
		case t == html.StartTagToken && skip:
			within++
		case t == html.EndTagToken && skip:
			within = max(0, within-1)
		case t == html.TextToken && within == 0:
			b.WriteString(token.Data)
		case t == html.StartTagToken && !inline[token.Data]:
			b.WriteByte('\n')
		}
	}
}

// markup are the marks of dialects, which no reader should see.
var markup = regexp.MustCompile("(?m)^[ \\t]*(/{3,}|:{3,}|!!!|\\?\\?\\?|===\\+? ?\").*|^[ \\t]*>? ?\\[!\\w+\\].*|:(label|numref|eqref|eqlabel|cite[tp]?|begin_tab|end_tab|width|height):`?.{0,30}|#@(tab|save).*|\\{\\*.*\\*\\}|\\[\\[.{0,40}|%%.{0,30}|\\$\\$.{0,30}|\\\\(begin|label|eqref)\\{.{0,20}")
