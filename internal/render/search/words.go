package search

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// isLetter reports whether a character is a letter, a digit, or a mark on a letter. The ranges are
// those of the browser's script: what a regular expression takes for a letter differs between
// browsers.
func isLetter(r rune) bool {
	switch {
	case r < 0xb5:
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	case r == 0xb5, r >= 0xc0 && r <= 0x1fff && r != 0xd7 && r != 0xf7, r >= 0x2c00 && r <= 0x2dff,
		r >= 0x3040 && r <= 0xd7ff, r >= 0xf900 && r <= 0xfdff:
		return true
	}
	return false
}

// fold normalises what readers type in several ways: it removes capitals and accents. ñ is not an n
// with an accent.
func fold(s string) string {
	s = strings.ReplaceAll(norm.NFD.String(strings.ToLower(s)), "n\u0303", "ñ")
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x300 && r <= 0x36f:
			return -1
		case r == 'ς':
			return 'σ'
		}
		return r
	}, s)
}

// Limits of the lengths of words, numbers, and names with signs in them.
const minWord, maxWord, maxNumber, maxName = 2, 40, 6, 60

// terms calls emit with the terms of a text: the stem of each word, the parts of names (cuda and
// malloc of cudaMalloc), and names with signs in them as a whole and with their members:
// torch.cuda.device_count and device_count, nvidia-smi, --gpus, C++.
func (s *stemmer) terms(text string, emit func(term string)) {
	names(text, func(name string) { s.name(name, emit) })
}

// names calls f with the words of a text. Words that are joined by signs are one name.
func names(text string, f func(name string)) {
	for at := 0; at < len(text); {
		if c := text[at]; c < utf8.RuneSelf {
			if !inWord[c] {
				at++
				continue
			}
		} else if r, size := utf8.DecodeRuneInString(text[at:]); !isLetter(r) {
			at += size
			continue
		}
		end := nameEnd(text, at)
		f(text[at-flagMark(text[:at]) : end])
		at = end
	}
}

// nameEnd returns the end of the name that begins at an offset.
func nameEnd(text string, at int) int {
	for {
		at += wordLength(text[at:])
		rest := text[at:]
		joint := 0
		switch {
		case rest == "" || rest[0] == ' ': // as after most words
			return at
		case strings.HasPrefix(rest, "::"), strings.HasPrefix(rest, "->"):
			joint = 2
		case rest[0] == '.', rest[0] == '-':
			joint = 1
		}
		if joint == 0 || wordLength(rest[joint:]) == 0 {
			break
		}
		at += joint
	}
	switch rest := text[at:]; {
	case strings.HasPrefix(rest, "++"):
		at += 2
	case strings.HasPrefix(rest, "#"):
		at++
	}
	return at
}

// inWord has the ASCII letters, digits and "_".
var inWord = func() (in [utf8.RuneSelf]bool) {
	for c := range rune(utf8.RuneSelf) {
		in[c] = isLetter(c) || c == '_'
	}
	return in
}()

// wordLength returns the number of bytes of letters and "_" at the beginning of a text.
func wordLength(text string) int {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < utf8.RuneSelf {
			if !inWord[c] {
				return i
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isLetter(r) {
			return i
		}
		i += size - 1
	}
	return len(text)
}

// flagMark returns the length of the "-" or "--" at the end of a text, if it begins a flag.
func flagMark(before string) int {
	if !strings.HasSuffix(before, "-") {
		return 0
	}
	rest := strings.TrimRight(before[max(0, len(before)-3):], "-")
	n := min(3, len(before)) - len(rest)
	if n > 2 {
		return 0
	}
	r, _ := utf8.DecodeLastRuneInString(before[:len(before)-n])
	if isLetter(r) || r == '_' {
		return 0
	}
	return n
}

// name calls emit with the terms of a name.
func (s *stemmer) name(name string, emit func(string)) {
	parts := 0
	for from := 0; from < len(name); {
		n := 0
		for i, r := range name[from:] {
			if !isLetter(r) {
				break
			}
			n = i + utf8.RuneLen(r)
		}
		if n > 0 {
			s.part(name[from:from+n], emit)
			parts++
		}
		from += max(1, n)
	}
	if parts == 0 || parts == 1 && isAllLetters(name) {
		return
	}
	if members := strings.FieldsFunc(joints.Replace(name), func(r rune) bool { return r == ' ' }); len(members) > 1 {
		for _, m := range members { // device_count of torch.cuda.device_count
			if !isAllLetters(m) && strings.ContainsFunc(m, isLetter) {
				emitFolded(m, emit)
			}
		}
	}
	emitFolded(name, emit)
}

// joints are between the members of a name.
var joints = strings.NewReplacer(".", " ", "::", " ", "->", " ")

func emitFolded(name string, emit func(string)) {
	if f := fold(name); utf8.RuneCountInString(f) <= maxName {
		emit(f)
	}
}

func isAllLetters(name string) bool {
	for _, r := range name {
		if !isLetter(r) {
			return false
		}
	}
	return true
}

// part emits a word, and its parts if capitals separate them.
func (s *stemmer) part(word string, emit func(string)) {
	s.word(fold(word), emit)
	from := 0
	for i := 1; i < len(word); i++ {
		if beginsPart(word, i) {
			s.word(fold(word[from:i]), emit)
			from = i
		}
	}
	if from > 0 {
		s.word(fold(word[from:]), emit)
	}
}

// beginsPart reports whether a part begins at i: cuda|Malloc, HTTP|Server. GPUs is one word.
func beginsPart(word string, i int) bool {
	upper := func(i int) bool { return i < len(word) && word[i] >= 'A' && word[i] <= 'Z' }
	lower := func(i int) bool { return i < len(word) && word[i] >= 'a' && word[i] <= 'z' }
	if !upper(i) {
		return false
	}
	return !upper(i-1) || lower(i+1) && lower(i+2)
}

func (s *stemmer) word(w string, emit func(string)) {
	n := utf8.RuneCountInString(w)
	if n < minWord || n > maxWord || s.stop[w] {
		return
	}
	if n > maxNumber && strings.Trim(w, "0123456789") == "" {
		return
	}
	emit(s.stem(w))
}
