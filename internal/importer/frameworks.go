package importer

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/notebook"
)

// A tabBlock is text or code of d2lbook for some frameworks.
type tabBlock struct {
	lines span
	// names are nil for code that is for all of them.
	names []string
	// text is what stands in the tab, info that of a fence.
	text  string
	fence string
	info  string
}

var (
	beginTab  = lazyregexp.New("^ {0,3}:begin_tab:[ \t]*(?:`([^`]{1,200})`|([\\w, ]{1,200})$)")
	tabMark   = lazyregexp.New("^ {0,3}:(?:begin|end)_tab:")
	endTab    = lazyregexp.New("^ {0,3}:end_tab:[ \t]*$")
	tabLine   = lazyregexp.New(`^(?:# *@tab|%%tab)[ \t]+([\w, ]+?)[ \t]*$`)
	inputForm = lazyregexp.New(`\{\s*\.([\w+-]+)[^}]*\.input\b[^}]*\}`)
	openFence = lazyregexp.New("^( {0,3})(`{3,}|~{3,})(.*)$")
)

// frameworks makes tabs of what a page of d2lbook says of several frameworks, and
// plain fences of its .input fences. What one group says of a framework is one tab,
// as the book's own builder has it.
func (p *page) frameworks() {
	lines := linesOf(p.src.data)
	blocks := p.tabBlocks(lines)
	marked := slices.ContainsFunc(blocks, func(b tabBlock) bool { return b.names != nil && b.fence != "" })
	for i := range blocks {
		if marked && blocks[i].names == nil && blocks[i].info == "" && blocks[i].fence != "" {
			blocks[i].names = []string{markdown.DefaultFramework}
		}
	}
	var edits []edit
	for i := 0; i < len(blocks); {
		if len(blocks[i].names) == 0 {
			edits = append(edits, p.plainInput(blocks[i], lines)...)
			i++
			continue
		}
		end := i + 1
		for end < len(blocks) && len(blocks[end].names) > 0 && p.apart(lines, blocks[end-1].lines.end, blocks[end].lines.first) {
			end++
		}
		edits = append(edits, p.tabGroups(blocks[i:end], lines)...)
		i = end
	}
	p.src.apply(edits)
}

// apart tells whether nothing stands between two lines.
func (p *page) apart(lines []line, from, to int) bool {
	for _, l := range lines[from:to] {
		if strings.TrimSpace(string(p.src.data[l.start:l.stop])) != "" {
			return false
		}
	}
	return true
}

// tabBlocks finds the blocks at the margin that d2lbook treats.
func (p *page) tabBlocks(lines []line) (blocks []tabBlock) {
	at := func(i int) string { return string(p.src.data[lines[i].start:lines[i].stop]) }
	for i := 0; i < len(lines); i++ {
		if m := beginTab.FindStringSubmatchIndex(at(i)); m != nil {
			b := p.textTab(lines, i, m)
			blocks = append(blocks, b)
			i = b.lines.end - 1
			continue
		}
		m := openFence.FindStringSubmatch(at(i))
		if m == nil || m[2][0] == '`' && strings.Contains(m[3], "`") {
			continue
		}
		var f fenceState
		f.inside(at(i))
		end := i + 1
		for end < len(lines) && f.mark != "" {
			f.inside(at(end))
			end++
		}
		if f.mark != "" {
			return blocks
		}
		b := tabBlock{lines: span{i, end}, fence: m[2]}
		first := i + 1
		input := inputForm.FindStringSubmatch(m[3])
		if tab := tabLine.FindStringSubmatch(at(first)); tab != nil {
			if first++; !strings.EqualFold(strings.TrimSpace(tab[1]), "all") {
				b.names = tabNames(tab[1])
			} else {
				b.info = "all"
			}
		} else if input == nil {
			i = end - 1
			continue
		}
		b.text = p.between(lines, first, end-1)
		language := strings.TrimSpace(m[3])
		if input != nil {
			language = input[1]
		}
		b.fence = m[2] + language
		blocks = append(blocks, b)
		i = end - 1
	}
	return blocks
}

// textTab is :begin_tab: in line i, with its text, which may begin in that line.
// One that nothing closes before the next ends with its paragraph. The tabs of the
// page's AST do not help: text and code of a framework are one there.
func (p *page) textTab(lines []line, i int, m []int) tabBlock {
	at := func(i int) string { return string(p.src.data[lines[i].start:lines[i].stop]) }
	b := tabBlock{names: tabNames(at(i)[max(m[2], m[4]):max(m[3], m[5])])}
	if behind := strings.TrimLeft(at(i)[m[1]:], " \t"); behind != "" {
		b.text = behind + p.eol
	}
	var f fenceState
	end := i + 1
	for end < len(lines) && (f.inside(at(end)) || !tabMark.MatchString(at(end))) {
		end++
	}
	closed := end < len(lines) && endTab.MatchString(at(end))
	if !closed {
		for end = i + 1; end < len(lines) && strings.TrimSpace(at(end)) != "" && !tabMark.MatchString(at(end)); {
			end++
		}
		p.say(diag.Warning, lines[i].start, lines[i].stop, diag.Say("the tab is not closed, and ends with its paragraph"), diag.Say("end it with :end_tab:"))
	}
	if b.text += p.between(lines, i+1, end); b.text != "" && !strings.HasSuffix(b.text, "\n") {
		b.text += p.eol
	}
	if b.lines = (span{i, end}); closed {
		b.lines.end++
	}
	return b
}

func (p *page) between(lines []line, from, to int) string {
	if from >= to {
		return ""
	}
	return string(p.src.data[lines[from].start:lines[to-1].next])
}

func tabNames(s string) (names []string) {
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// open is the first line of a fence, to be run in the session of its framework.
func (p *page) open(b tabBlock, attributes ...string) string {
	language := strings.TrimLeft(b.fence, "`~")
	if p.options.Run && (language == "python" || language == "bash") && !installs(b.text) {
		name := notebook.Session
		if len(b.names) == 1 {
			name = b.names[0]
		}
		attributes = append(attributes, "run", "session="+name)
	}
	if len(attributes) > 0 {
		language += " {" + strings.Join(attributes, " ") + "}"
	}
	return b.mark() + language + p.eol
}

// plainInput is an .input fence that is for all.
func (p *page) plainInput(b tabBlock, lines []line) []edit {
	first := lines[b.lines.first]
	stop := first.next
	if b.info == "all" {
		stop = lines[b.lines.first+1].next
	}
	return []edit{{first.start, stop, p.open(b)}}
}

// tabGroups writes a run of blocks as tabs, as few groups as can be: a block that
// says something of two frameworks of which a group has one alone begins another.
func (p *page) tabGroups(blocks []tabBlock, lines []line) []edit {
	start, stop := lines[blocks[0].lines.first].start, lines[blocks[len(blocks)-1].lines.end-1].next
	var groups [][][]tabBlock
	for _, b := range blocks {
		if n := len(groups); n > 0 {
			group := groups[n-1]
			if i := slices.IndexFunc(group, func(t []tabBlock) bool { return slices.Equal(t[0].names, b.names) }); i >= 0 {
				group[i] = append(group[i], b)
				continue
			}
			if !slices.ContainsFunc(group, func(t []tabBlock) bool { return overlap(t[0].names, b.names) }) {
				groups[n-1] = append(group, []tabBlock{b})
				continue
			}
		}
		groups = append(groups, [][]tabBlock{{b}})
	}
	var b strings.Builder
	for i, group := range groups {
		if i > 0 {
			b.WriteString(p.eol)
		}
		p.writeGroup(&b, group, len(groups) > 1)
	}
	text := b.String()
	if stop > 0 && p.src.data[stop-1] != '\n' { // the text ends without a line end
		text = strings.TrimSuffix(text, p.eol)
	}
	return []edit{{start, stop, text}}
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// writeGroup writes fences with tab= where each tab is one, else containers.
func (p *page) writeGroup(b *strings.Builder, group [][]tabBlock, several bool) {
	simple := !several && !slices.ContainsFunc(group, func(t []tabBlock) bool { return len(t) > 1 || t[0].fence == "" })
	if several {
		b.WriteString("::::tabs" + p.eol)
	}
	for i, tab := range group {
		if i > 0 && simple {
			b.WriteString(p.eol)
		}
		title := markdown.FrameworkTitle(tab[0].names)
		if !simple {
			b.WriteString(":::tab " + title + p.eol)
		}
		for j, block := range tab {
			if j > 0 {
				b.WriteString(p.eol)
			}
			switch {
			case block.fence == "":
				b.WriteString(block.text)
			case simple:
				b.WriteString(p.open(block, `tab="`+title+`"`) + block.text + block.mark() + p.eol)
			default:
				b.WriteString(p.open(block) + block.text + block.mark() + p.eol)
			}
		}
		if !simple {
			b.WriteString(":::" + p.eol)
		}
	}
	if several {
		b.WriteString("::::" + p.eol)
	}
}

// mark is what closes the fence of a block.
func (b tabBlock) mark() string {
	return b.fence[:len(b.fence)-len(strings.TrimLeft(b.fence, "`~"))]
}
