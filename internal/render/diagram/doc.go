// Package diagram turns the source of a Mermaid diagram into SVG within a page: no JavaScript in the
// reader's browser, no request, no style attribute.
//
// It runs Mermaid itself (https://mermaid.js.org, MIT) by internal/render/script, so that the same
// sources are valid, and the same errors reported, as everywhere else. Mermaid draws into a browser's
// document; mermaid/ implements the part of it that Mermaid uses. What a browser would measure is
// computed: boxes of shapes from their numbers, of text from the widths of Arial's letters, which
// Liberation Sans and Helvetica share and which the theme asks for.
//
// # Colours
//
// The colours are the theme's. Each colour of Mermaid's theme is a sentinel, which is replaced in the
// drawing by a class: "diagram-fill-box", "diagram-stroke-line". Colours that an author sets (style,
// classDef) are kept, with black or white for the text on them.
//
// # Limits
//
// Mermaid's output is not trusted: clean allows elements and attributes of SVG by name. Length, edges,
// depth of calls and time are limited, and every failure, even a panic of the interpreter, is an
// [*Error] with a line. Mind maps are laid out as trees; architecture diagrams are not drawn, because
// their layout library would be a third of the whole.
//
// # A newer Mermaid
//
// In mermaid/: change package.json, npm install --ignore-scripts, npm run build, which writes
// mermaid.js.gz and LICENSES. Then change version in engine.go, run go test -update, and look at the
// test page in a browser.
package diagram
