package render

import (
	"html/template"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/i18n"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// CheckTheme tells what is wrong in a theme without making a page: what does not parse,
// templates and texts that are missing, and files that take the place of nothing.
func CheckTheme(theme fs.FS, languages []string) diag.List {
	_, _, diags := readTheme(theme, languages)
	return diags
}

// readTheme reads its templates and texts; with errors among the diagnostics they are not whole.
func readTheme(theme fs.FS, languages []string) (*template.Template, map[string]i18n.Strings, diag.List) {
	var diags diag.List
	add := func(err error) {
		if f, ok := err.(*ThemeFaults); ok { //nolint:errorlint // made by us, unwrapped
			diags.Add(f.List...)
		}
	}
	set, err := layouts(theme)
	if err != nil {
		add(err)
	} else {
		diags.Add(unused(theme, set)...)
	}
	texts := map[string]i18n.Strings{}
	for _, code := range languages {
		if texts[code], err = i18n.Load(code, layers(theme)...); err != nil {
			add(textFault(theme, err))
		}
	}
	return set, texts, diags.Sorted()
}

// asked calls f for each place where a template asks for another.
func asked(set *template.Template, f func(file string, n *parse.TemplateNode)) {
	for _, t := range set.Templates() {
		if t.Tree == nil || t.Tree.Root == nil {
			continue
		}
		for _, n := range templateNodes(t.Tree.Root) {
			f("layouts/"+t.Tree.ParseName, n)
		}
	}
}

func templateNodes(n parse.Node) (found []*parse.TemplateNode) {
	branch := func(b parse.BranchNode) {
		found = append(found, templateNodes(b.List)...)
		if b.ElseList != nil {
			found = append(found, templateNodes(b.ElseList)...)
		}
	}
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return nil
		}
		for _, c := range n.Nodes {
			found = append(found, templateNodes(c)...)
		}
	case *parse.IfNode:
		branch(n.BranchNode)
	case *parse.RangeNode:
		branch(n.BranchNode)
	case *parse.WithNode:
		branch(n.BranchNode)
	case *parse.TemplateNode:
		found = append(found, n)
	}
	return found
}

// missing names each template that is asked for and not there: mostly a file took the
// place of the default's and does not define what that defines.
func missing(theme fs.FS, set *template.Template) (diags diag.List) {
	told := map[string]bool{}
	tell := func(name string, d diag.Diagnostic) {
		if told[name] || set.Lookup(name) != nil {
			return
		}
		told[name] = true
		if file := replaced(theme, name); file != "" {
			d = diag.Diagnostic{File: winner(theme, file), Message: diag.Say("the template %q is missing: the default's file of this name defines it", name),
				Hint: diag.Say(`write {{define "%s"}} … {{end}} around the text; gpudocs theme show --default %s prints the default's`, name, file)}
		}
		diags.Add(d)
	}
	for _, name := range required {
		tell(name, diag.Diagnostic{File: path.Join(defaultDir, "layouts"), Message: diag.Say("the template %q is missing", name)})
	}
	asked(set, func(file string, n *parse.TemplateNode) {
		text, err := fs.ReadFile(theme, file)
		if err != nil {
			return
		}
		f := diag.NewFile(winner(theme, file), text)
		at := int(n.Pos)
		width := len(n.Name) + 2
		if i := strings.Index(string(text[at:]), `"`+n.Name+`"`); i >= 0 && i < 20 {
			at += i
		}
		tell(n.Name, f.Error(at, at+width, diag.Say("there is no template %q", n.Name), diag.Suggest(n.Name, names(set), diag.Say(`{{define "%s"}} … {{end}} makes it`, n.Name))))
	})
	return diags
}

// replaced is the file that defines a template in the default theme and has another in its
// place, or empty.
func replaced(theme fs.FS, name string) string {
	all := layers(theme)
	lowest := all[len(all)-1]
	files, err := filesBelow(lowest, "layouts")
	if err != nil {
		return ""
	}
	for _, file := range files {
		text, err := fs.ReadFile(lowest, file)
		if err == nil && slices.Contains(defines(file, string(text)), name) && slices.ContainsFunc(all[:len(all)-1], func(l fs.FS) bool { return holds(l, file) }) {
			return file
		}
	}
	return ""
}

var define = lazyregexp.New(`\{\{-?\s*(?:define|block)\s+"([^"]+)"`)

// defines are the templates that a file makes, the one named like it among them.
func defines(file, text string) []string {
	list := []string{strings.TrimPrefix(file, "layouts/")}
	for _, m := range define.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

// themeFolders are what a theme is made of.
var themeFolders = []string{"layouts", "assets", "i18n", "theme.toml"}

// unused warns of files that change nothing: mostly their name is misspelt.
func unused(theme fs.FS, set *template.Template) (diags diag.List) {
	wanted := map[string]bool{}
	for _, name := range required {
		wanted[name] = true
	}
	asked(set, func(_ string, n *parse.TemplateNode) { wanted[n.Name] = true })
	all := layers(theme)
	for i, layer := range all[:len(all)-1] {
		l, named := layer.(Layer)
		if !named {
			continue
		}
		files, err := filesBelow(layer, ".")
		if err != nil {
			continue
		}
		for _, file := range files {
			if d, found := l.unused(file, all[i+1:], wanted); found {
				diags.Add(d)
			}
		}
	}
	return diags
}

func (l Layer) unused(file string, below []fs.FS, wanted map[string]bool) (d diag.Diagnostic, found bool) {
	d = diag.Diagnostic{Severity: diag.Warning, File: path.Join(l.Dir, file)}
	top, rest, folder := strings.Cut(file, "/")
	switch ext := path.Ext(file); {
	case file == "theme.toml", folder && (top == "assets" || top == "i18n"):
		return d, false
	case !folder || top != "layouts":
		if !slices.Contains([]string{".html", ".css", ".js", ".toml", ".svg"}, ext) {
			return d, false // a README, a licence
		}
		d.Message = diag.Say("gpudocs reads nothing here")
		d.Hint = diag.Suggest(top, themeFolders, diag.Say("templates stand in layouts/, other files in assets/, texts in i18n/"))
		return d, true
	case ext != ".html":
		d.Message, d.Hint = diag.Say("a template's name ends with .html"), diag.Say("rename it, or move it into assets/")
		return d, true
	}
	var others []string
	for _, layer := range below {
		if holds(layer, file) {
			return d, false
		}
		names, err := filesBelow(layer, "layouts")
		if err != nil {
			continue
		}
		for _, name := range names {
			others = append(others, strings.TrimPrefix(name, "layouts/"))
		}
	}
	text, err := fs.ReadFile(l, file)
	if err != nil || slices.ContainsFunc(defines(file, string(text)), func(name string) bool { return wanted[name] }) {
		return d, false
	}
	d.Message = diag.Say("takes the place of no template, and none asks for it")
	d.Hint = diag.Suggest(rest, others, diag.Say("gpudocs theme show lists the files that there are"))
	return d, true
}
