// Package myst reads the dialect of MyST and Jupyter Book, https://mystmd.org/guide.
//
// A directive is read in directive.go, its options in options.go. What directives become stands in
// tables by name ([directiveTables]); each file that adds some has its own.
package myst

import (
	"maps"
	"slices"

	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Syntax is the dialect of MyST and Jupyter Book.
var Syntax = markdown.Syntax{
	Dialect: markdown.MyST,
	Alone:   true,
	Forms:   forms,
	Parsers: func(markdown.Options) []parser.Option {
		return []parser.Option{
			parser.WithASTTransformers(
				util.Prioritized(lastSteps{}, 50),
				util.Prioritized(finisher{}, 60), // before figures are finished (100)
			),
			parser.WithBlockParsers( // before figures (85) and containers (90)
				util.Prioritized(directives{}, 80),
				util.Prioritized(lines{}, 80),
			),
			parser.WithInlineParsers(util.Prioritized(roles{}, 85)), // before attributes (95) and code (100)
		}
	},
	HTML: markdown.HTML{KindStyled: writeStyled},
}

// directiveTables are all directives, by name.
var directiveTables = []map[string]directive{boxDirectives, codeDirectives, mediaDirectives, statements, gridDirectives,
	tableDirectives, glossaryDirectives, includeDirectives}

// directiveOf returns the directive of a name in lower case.
func directiveOf(name string) (directive, bool) {
	for _, table := range directiveTables {
		if kind, known := table[name]; known {
			return kind, true
		}
	}
	return directive{}, false
}

// HasMarkdown reports whether the body of a directive is Markdown.
func HasMarkdown(name string) bool {
	kind, _ := directiveOf(name)
	return !kind.text
}

// directiveNames returns the names of all directives, sorted.
func directiveNames() (names []string) {
	for _, table := range directiveTables {
		names = slices.AppendSeq(names, maps.Keys(table))
	}
	slices.Sort(names)
	return names
}
