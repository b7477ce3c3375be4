package site

// RuleCitation is for citations of works that the bibliography does not contain.
const RuleCitation = "citation"

// An SVG is published unchanged. Pages show it as an image, in which nothing runs and nothing is
// loaded. But it also has an address, and opened there it is a document of the site's origin. The
// headers that come with a site prevent it from running anything (package hosting), but not every
// server sends them: so active content is reported.

// RuleDrawing is for SVGs with active content.
const RuleDrawing = "drawing"

// RuleRunnable is for blocks that look as if they run, and do not. verify repeats these warnings.
const RuleRunnable = "runnable"

// RuleHTML is for raw HTML that sanitising changes.
const RuleHTML = "html"

// The rules of diagnostics; docs/content/en/check.md lists them.
const (
	RuleLink      = "link"      // a link, or an address that cannot be read
	RuleAnchor    = "anchor"    // a heading or an id that is not there
	RuleImage     = "image"     // an image that is not there, or cannot be shown
	RuleAlt       = "alt"       // an image without a text
	RuleFootnote  = "footnote"  // a reference without a definition
	RuleReference = "reference" // [text][label] without a definition
	RuleUnused    = "unused"    // a definition that nothing refers to, or a second one
	RuleID        = "id"        // an id that occurs twice

	RuleFirstPage = "home" // a language without a first page
)

// Characters that readers do not see are reported. The texts of front matter and gpudocs.toml go
// into pages, lists and feeds of the whole site, into line-based files and onto terminals: there
// such a character is an error. In a page's text and code it is a warning, for reviewers.

// RuleHidden is for control characters, characters that change the text direction, and invisible
// ones.
const RuleHidden = "hidden"
