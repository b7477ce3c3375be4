// Package diagram turns the source of a Mermaid diagram into SVG that a page
// holds: no JavaScript in the reader's browser, no request, no style attribute.
//
// The work is done by Mermaid itself (https://mermaid.js.org, MIT), run by
// internal/render/script: so that what is a diagram, and what is
// wrong in it, is what it is everywhere else. Mermaid draws into a browser's
// document; mermaid/ has as much of one as it asks for. What a browser would
// measure is computed there: boxes of shapes from their numbers, of text from the
// widths of Arial's letters, which Liberation Sans and Helvetica share and which
// the theme asks for.
//
// # Colours
//
// The colours are the theme's. Each colour of Mermaid's own theme is a sentinel by
// which it is known again in the drawing, where a class takes its place:
// "diagram-fill-box", "diagram-stroke-line". Colours that an author gives (style,
// classDef) stay, with black or white for the text on them.
//
// # Limits
//
// Nothing of what Mermaid writes is believed: clean lets elements and attributes of
// SVG pass by name. A diagram is bounded in length, edges, depth of calls and time;
// whatever goes wrong is an [*Error] with a line, a panic of the interpreter too.
// Mind maps are laid out as trees; architecture diagrams are not drawn, because
// their layout library would be a third of the whole.
//
// # A newer Mermaid
//
// In mermaid/: change package.json, npm install --ignore-scripts, npm run build,
// which writes mermaid.js.gz and LICENSES; then change version in engine.go, go test
// -update, and look at the test page in a browser.
package diagram
