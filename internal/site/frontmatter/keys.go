package frontmatter

import (
	"reflect"

	"github.com/gpudocs/gpudocs/internal/text/tomlfile"
)

// keysOfPage are the keys of front matter with their documentation. [reader.value] reads them.
type keysOfPage struct {
	Title          string       `toml:"title" doc:"Title of the page. Default: its first heading of level 1, or else the name of its file."`
	Description    string       `toml:"description" doc:"One sentence for search engines and previews."`
	Weight         int          `toml:"weight" doc:"Position among its siblings. A translation without one has that of its source. Pages without a weight follow, sorted by name."`
	Translation    string       `toml:"translation" doc:"Key that all translations of the page share. Default: its path."`
	Draft          bool         `toml:"draft" doc:"build leaves the page out; serve shows it."`
	Blocks         keysOfBlocks `toml:"blocks" doc:"Defaults of the runnable blocks of this page."`
	Slug           string       `toml:"slug" doc:"Replaces the name of the file in the address."`
	Original       bool         `toml:"original" doc:"Translations are made from this page, whatever the source language of the site is."`
	Translated     any          `toml:"translated" doc:"Version of the source that the page translates. gpudocs translations --stamp writes it."`
	Dialects       any          `toml:"dialects" form:"text|texts" doc:"Dialects of the page, instead of those of the site."`
	Punctuation    string       `toml:"punctuation" enum:"smart,plain" doc:"Whether quotation marks and dashes get the form of the language."`
	Updated        any          `toml:"updated" form:"date" doc:"Day of the last change: 2026-11-02. Default: from git."`
	Tags           any          `toml:"tags" form:"text|texts" doc:"Tags, shown below the title. Each leads to the pages that have it."`
	Aliases        any          `toml:"aliases" form:"text|texts" doc:"Other names of the page, for links of Obsidian."`
	RedirectFrom   any          `toml:"redirect_from" form:"text|texts" doc:"Earlier addresses of the page."`
	Group          string       `toml:"group" doc:"Group of the page in the sidebar."`
	Hidden         bool         `toml:"hidden" doc:"Only links lead to the page; it is in no list."`
	Image          string       `toml:"image" doc:"Image that other sites show beside links to the page. Default: that of the site."`
	Time           any          `toml:"time" form:"number|boolean" doc:"Minutes that the page takes, or false to show none."`
	Requires       any          `toml:"prerequisites" form:"text|texts" doc:"Keys of the pages to read before."`
	NoIndex        bool         `toml:"noindex" doc:"Keeps the page from search engines and the sitemap."`
	TOC            bool         `toml:"toc" doc:"false shows no contents list."`
	Prev           any          `toml:"prev" form:"text|boolean" doc:"Key of the page that the link to the page before leads to, or false for none."`
	Next           any          `toml:"next" form:"text|boolean" doc:"Key of the page that the link to the page after leads to, or false for none."`
	SolutionsAfter any          `toml:"solutions_after" form:"date" doc:"Day from which on solutions of exercises are published: 2026-12-01. Default: at once."`
}

type keysOfBlocks struct {
	Session string `toml:"session" doc:"Session of the blocks."`
	Env     string `toml:"env" doc:"Environment of the blocks, a table [env.NAME] of gpudocs.toml."`
	Kernel  string `toml:"kernel" doc:"Jupyter kernel of the blocks."`
	Needs   string `toml:"needs" doc:"What the blocks need of a machine: gpus >= 1."`
	Timeout string `toml:"timeout" doc:"Time limit of a block: 30s, 2m, 1h."`
	Retries int    `toml:"retries" doc:"How often a block that does not pass is tried again."`
	Run     bool   `toml:"run" doc:"Run the cells of a D2L page."`
	Files   any    `toml:"files" form:"text|texts" doc:"Patterns of files that every session of the page gets."`
}

var pageKeys, blockKeys = tomlfile.Keys(reflect.TypeFor[keysOfPage]()), tomlfile.Keys(reflect.TypeFor[keysOfBlocks]())

// Schema returns the JSON Schema of front matter. Pages of other tools have further keys.
func Schema() []byte {
	return tomlfile.Schema("Front matter of a gpudocs page", reflect.TypeFor[keysOfPage](), true)
}
