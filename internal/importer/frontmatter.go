package importer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"
	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// frontEnd is the offset of the line that closes the front matter, and 0 where
// the text has none.
func frontEnd(data []byte) int {
	lines := linesOf(data)
	if len(lines) == 0 || strings.TrimRight(string(data[:lines[0].stop]), " \t") != "---" {
		return 0
	}
	for _, l := range lines[1:] {
		if s := strings.TrimRight(string(data[l.start:l.stop]), " \t"); s == "---" || s == "..." {
			return l.start
		}
	}
	return 0
}

// Aliases are the further names that the front matter of a note has, as a link is
// compared with them: https://help.obsidian.md/aliases.
func Aliases(data []byte) (list []string) {
	end := frontEnd(data)
	if end == 0 {
		return nil
	}
	var keys struct {
		Aliases any `yaml:"aliases"`
	}
	_, head, _ := bytes.Cut(data[:end], []byte("\n"))
	if len(head) > maxNav || yaml.Unmarshal(head, &keys) != nil { // the build says what is wrong
		return nil
	}
	switch names := keys.Aliases.(type) {
	case string:
		list = strings.Split(names, ",")
	case []any:
		for _, n := range names {
			list = append(list, fmt.Sprint(n))
		}
	}
	for i := range list {
		list[i] = folded(list[i])
	}
	return list
}

func folded(name string) string { return strings.ToLower(norm.NFC.String(strings.TrimSpace(name))) }

var dialectsKey = lazyregexp.New(`(?m)^dialects[ \t]*:.*(?:\r?\n[ \t]*- .*)*(?:\r?\n|$)`)

// frontMatter takes out the page's dialects, which it needs no more, and puts in
// what the navigation says.
func (p *page) frontMatter() {
	data := p.src.data
	end := frontEnd(data)
	head := data[:end]
	var edits []edit
	if m := dialectsKey.FindIndex(head); m != nil {
		edits = append(edits, edit{m[0], m[1], ""})
	}
	has := func(key string) bool {
		return regexp.MustCompile(`(?m)^['"]?` + key + `['"]?[ \t]*:`).Match(head)
	}
	keys := ""
	if p.options.Title != "" && !has("title") && !heading.Match(data[end:]) {
		title, _ := json.Marshal(p.options.Title)
		keys += "title: " + string(title) + p.eol
	}
	if p.options.Weight > 0 && !has("weight") {
		keys += fmt.Sprintf("weight: %d%s", p.options.Weight, p.eol)
	}
	switch {
	case keys == "":
	case end > 0:
		edits = append(edits, edit{end, end, keys})
	default:
		bom := len(data) - len(bytes.TrimPrefix(data, []byte("\ufeff")))
		edits = append(edits, edit{bom, bom, "---" + p.eol + keys + "---" + p.eol + p.eol})
	}
	p.src.apply(edits)
}

// heading is a page's title in its text.
var heading = lazyregexp.New(`(?m)^ {0,3}#[ \t]+\S|^=+[ \t]*$`)
