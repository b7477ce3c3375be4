package theme

import (
	"html/template"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Check reports what is wrong in a theme without making a page: files that do not parse, templates and
// texts that are missing, and files without an effect.
func Check(theme fs.FS, languages []string) diag.List {
	_, _, diags := readTheme(theme, languages)
	return diags
}

// readTheme reads the templates and texts of a theme, which are not complete if there are errors.
func readTheme(theme fs.FS, languages []string) (*template.Template, map[string]text.Catalog, diag.List) {
	set, diags := layouts(theme)
	if len(diags) == 0 {
		diags.Add(unused(theme, set)...)
	}
	texts := map[string]text.Catalog{}
	for _, code := range languages {
		var err error
		if texts[code], err = text.ForTheme(code, layers(theme)...); err != nil {
			diags.Add(textFault(theme, err))
		}
	}
	return set, texts, diags.Sorted()
}

// calls calls f for each template call in a set.
func calls(set *template.Template, f func(file string, n *parse.TemplateNode)) {
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

// missing reports each template that is called and not defined: mostly, a file has replaced one of the
// default theme and does not define the same templates.
func missing(theme fs.FS, set *template.Template) (diags diag.List) {
	reported := map[string]bool{}
	report := func(name string, d diag.Diagnostic) {
		if reported[name] || set.Lookup(name) != nil {
			return
		}
		reported[name] = true
		if file := replaced(theme, name); file != "" {
			d = diag.About(diag.Error, winningFile(theme, file), diag.Say("theme.template-undefined", "name", name, "file", file))
		}
		diags.Add(d)
	}
	for _, name := range required {
		report(name, diag.About(diag.Error, path.Join(defaultDir, "layouts"), diag.Say("theme.template-missing", "name", name)))
	}
	calls(set, func(file string, n *parse.TemplateNode) {
		text, err := fs.ReadFile(theme, file)
		if err != nil {
			return
		}
		f := diag.NewFile(winningFile(theme, file), text)
		at := int(n.Pos)
		width := len(n.Name) + 2
		if i := strings.Index(string(text[at:]), `"`+n.Name+`"`); i >= 0 && i < 20 {
			at += i
		}
		report(n.Name, f.Error(at, at+width, unknownTemplate(n.Name, set)))
	})
	return diags
}

// replaced returns the file that defines a template in the default theme and is replaced by another,
// or an empty string.
func replaced(theme fs.FS, name string) string {
	all := layers(theme)
	lowest := len(all) - 1
	files, _ := filesBelow(all[lowest], "layouts") // it is embedded
	i := slices.IndexFunc(files, func(file string) bool {
		text, err := fs.ReadFile(all[lowest], file)
		return err == nil && slices.Contains(defines(file, string(text)), name) && winner(theme, file) < lowest
	})
	if i < 0 {
		return ""
	}
	return files[i]
}

var define = lazyregexp.New(`\{\{-?\s*(?:define|block)\s+"([^"]+)"`)

// defines returns the templates that a file defines, including the one with its name.
func defines(file, text string) []string {
	list := []string{strings.TrimPrefix(file, "layouts/")}
	for _, m := range define.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

// themeFolders are the parts of a theme.
var themeFolders = []string{"layouts", "assets", "i18n", "theme.toml"}

// unused warns of files without an effect: mostly, their names are misspelt.
func unused(theme fs.FS, set *template.Template) (diags diag.List) {
	called := map[string]bool{}
	for _, name := range required {
		called[name] = true
	}
	calls(set, func(_ string, n *parse.TemplateNode) { called[n.Name] = true })
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
			if d, found := l.unused(file, all[i+1:], called); found {
				diags.Add(d)
			} else {
				diags.Add(outside(theme, path.Join(l.Dir, file), file, set, called)...)
			}
		}
	}
	return diags
}

// outside warns of text around the templates that a file defines: no page shows it, unless a template asks for
// the file by its name.
func outside(theme fs.FS, name, file string, set *template.Template, called map[string]bool) (diags diag.List) {
	template, layout := strings.CutPrefix(file, "layouts/")
	of := set.Lookup(template)
	if !layout || called[template] || of == nil || of.Tree == nil || of.Tree.Root == nil || winningFile(theme, file) != name {
		return nil
	}
	text, err := fs.ReadFile(theme, file)
	if err != nil {
		return nil
	}
	for _, n := range of.Tree.Root.Nodes {
		shown := strings.TrimSpace(n.String())
		if shown == "" {
			continue
		}
		at := int(n.Position())
		if n.Type() == parse.NodeText {
			at += strings.Index(n.String(), shown)
		}
		line, _, _ := strings.Cut(shown, "\n")
		return diag.List{diag.NewFile(name, text).Warning(at, at+len(line), diag.Say("theme.text-outside"))}
	}
	return nil
}

func (l Layer) unused(file string, below []fs.FS, called map[string]bool) (d diag.Diagnostic, found bool) {
	d = diag.Diagnostic{Severity: diag.Warning, File: path.Join(l.Dir, file)}
	top, rest, folder := strings.Cut(file, "/")
	switch ext := path.Ext(file); {
	case file == "theme.toml", folder && (top == "assets" || top == "i18n"):
		return d, false
	case !folder || top != "layouts":
		if !slices.Contains([]string{".html", ".css", ".js", ".toml", ".svg"}, ext) {
			return d, false // a README, a licence
		}
		d.Message = diag.Say("theme.file-unused")
		d.Hint = diag.Suggest(top, themeFolders, diag.Say("theme.folders-hint"))
		return d, true
	case ext != ".html":
		d.Message, d.Hint = diag.Say("theme.template-extension-hint"), diag.Say("theme.file-unused-hint")
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
	if err != nil || slices.ContainsFunc(defines(file, string(text)), func(name string) bool { return called[name] }) {
		return d, false
	}
	d.Message = diag.Say("theme.template-unused")
	d.Hint = diag.Suggest(rest, others, diag.Say("theme.files-list-hint"))
	return d, true
}
