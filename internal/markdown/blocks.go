package markdown

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// containers are the blocks of every page that hold other blocks: ::: and alerts.
type containers struct{ obsidian bool }

func (e containers) Extend(md goldmark.Markdown) {
	md.Parser().AddOptions(parser.WithBlockParsers(
		util.Prioritized(containerParser{}, 90),
		util.Prioritized(alertParser{e.obsidian, parser.NewBlockquoteParser()}, 790), // before quotes (800)
	))
}
