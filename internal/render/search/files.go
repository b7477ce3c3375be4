package search

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A File is one of the index, a script. Its name is below the index's folder.
type File struct {
	Name string
	Data []byte
}

// Head is the name of the file that is loaded first; it says where the others are.
const Head = "index.js"

// head is what Head holds. Everything else is below the folder Dir, whose name is made of all that
// is in the index, so that caches may keep it and no part meets one of another build.
type head struct {
	Version int    `json:"v"`
	Dir     string `json:"dir"`
	// Pages says how many chunks each page has, Texts how many pages each file of texts, and how
	// long the line is that tells where they are in it.
	Pages []int `json:"pages"`
	Texts []int `json:"texts"`
	// Tries is how many files of terms are read at most for a word that is nowhere.
	Tries int `json:"tries"`
	// Terms are what the terms of each file begin with or come behind.
	Terms []string `json:"terms"`
	// Steps, Stop and Alts are the rules of the language.
	Steps string     `json:"steps"`
	Stop  string     `json:"stop"`
	Alts  [][]string `json:"alts"`
}

// Build makes the index of a language. The same pages give the same bytes.
func Build(language string, pages []Page) []File {
	h := head{Version: 2, Pages: make([]int, len(pages))}
	var chunks []chunk
	for i, p := range pages {
		before := len(chunks)
		chunks = cut(chunks, i, p)
		h.Pages[i] = len(chunks) - before
	}
	x := invert(language, pages, chunks)
	h.Steps, h.Stop, h.Alts = x.form(), strings.Join(x.words, " "), x.alts
	files := append(termFiles(x, chunks, &h), textFiles(pages, chunks, &h)...)
	sum := sha256.New()
	for _, f := range files {
		fmt.Fprintf(sum, "%s %d\n", f.Name, len(f.Data))
		sum.Write(f.Data)
	}
	h.Dir = hex.EncodeToString(sum.Sum(nil))[:8]
	for i := range files {
		files[i].Name = h.Dir + "/" + files[i].Name
	}
	return append([]File{{Head, headFile(h)}}, files...)
}

// Files call a function of the browser's part: file:// allows nothing else than
// scripts to be loaded, and the content security policy no other script than a file.
const call = "gpudocs.search."

func headFile(h head) []byte {
	var b bytes.Buffer
	b.WriteString(call + "head(")
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(h) // strings, numbers and lists of them
	b.Truncate(b.Len() - 1)
	b.WriteString(")\n")
	return b.Bytes()
}

// appendQuoted appends a text as JSON, which is JavaScript too. Most of it is copied as it is.
func appendQuoted[T string | []byte](b []byte, text T) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			continue
		}
		size := 1
		if c >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRuneInString(string(text[i:min(len(text), i+utf8.UTFMax)]))
			if size > 1 && r != '\u2028' && r != '\u2029' { // which were no part of a string once
				i += size - 1
				continue
			}
		}
		b = append(b, text[from:i]...)
		switch {
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c < ' ':
			b = append(b, `\u00`...)
			b = append(b, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		case c < utf8.RuneSelf:
			b = append(b, '\\', c)
		case size == 1:
			b = append(b, "\ufffd"...) // no UTF-8
		default:
			b = append(b, `\u202`...)
			b = append(b, text[i+2]-0xa0+'0')
		}
		i += size - 1
		from = i + 1
	}
	b = append(b, text[from:]...)
	return append(b, '"')
}
