package search

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A File is a file of the index, a script. Its name is relative to the index's folder.
type File struct {
	Name string
	Data []byte
}

// Head is the name of the file that is loaded first; it has the names of the others.
const Head = "index.js"

// head is the content of Head. All other files are below the folder Dir, whose name depends on the
// whole index, so that caches may keep them and no file is used with one of another build.
type head struct {
	Version int    `json:"v"`
	Dir     string `json:"dir"`
	// Pages has the number of chunks of each page. Texts has, for each file of texts, the number of
	// its pages and the length of the line with the positions.
	Pages []int `json:"pages"`
	Texts []int `json:"texts"`
	// Tries is the maximum number of files of terms that are read for a word that is not found.
	Tries int `json:"tries"`
	// Terms has a prefix of the first term of each file, which follows all terms of the file before.
	Terms []string `json:"terms"`
	// Steps, Stop and Alts are the rules of the language.
	Steps string     `json:"steps"`
	Stop  string     `json:"stop"`
	Alts  [][]string `json:"alts"`
	// Same are the words that mean the same.
	Same []group `json:"same"`
	// Lesson are the words of a query that mean a page of a number, if pages have numbers.
	Lesson string `json:"lesson,omitempty"`
	// Own are the queries that ask for the field of :::my-gpu, if a page has it.
	Own string `json:"own,omitempty"`
}

// A lesson is found by one term, "lesson5x" or "lesson5x1x", which begins no other number, for each of these words and its number.
const lesson, lessonWords = "lesson", "aula|capitulo|chapter|clase|class|leccion|lesson|licao|tutorial"

// OwnGPU is the term of the field of :::my-gpu. "My GPU" as a whole query asks for it; in a longer one, "my" says nothing.
const OwnGPU, ownQueries = "owngpu", `((corre|funciona|roda|runs?|works?) (em|en|na|on) )?(mi|minha|my) (card|gpu|placa|tarjeta)`

// Build returns the files of a language's index, with the site's own synonyms. The same pages give the same bytes.
func Build(language string, pages []Page, synonyms [][]string) []File {
	h := head{Version: 2, Pages: make([]int, len(pages))}
	var chunks []chunk
	for i, p := range pages {
		before := len(chunks)
		chunks = cut(chunks, i, p)
		h.Pages[i] = len(chunks) - before
		if slices.ContainsFunc(p.Sections, func(s Section) bool { return s.Also == OwnGPU }) {
			h.Own = ownQueries
		}
		if p.Number != "" {
			h.Lesson = lessonWords
		}
	}
	x := invert(language, pages, chunks)
	h.Steps, h.Stop, h.Alts = x.form(), strings.Join(x.words, " "), x.alts
	h.Same = x.synonyms(language, synonyms)
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
	return append([]File{{Head, append(appendJSON([]byte(call+"head("), h), ")\n"...)}}, files...)
}

// Files call a function of the browser's script, because from file:// nothing but scripts can be
// loaded, and the content security policy allows only scripts that are files.
const call = "gpudocs.search."

// appendJSON appends a value as JSON, which is JavaScript too. The value has no types that cannot be encoded.
func appendJSON(b []byte, value any) []byte {
	out := bytes.NewBuffer(b)
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	_ = e.Encode(value)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
