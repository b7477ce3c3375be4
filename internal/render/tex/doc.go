// Package tex turns TeX formulas into MathML, which browsers lay out without
// JavaScript, a font or a request.
//
// The work is done by Temml (https://temml.org, MIT), of which temml/ holds the
// released file of version 0.13.5 as it is, run by internal/render/script. Temml knows the commands of LaTeX and AMS, and says
// where a formula is wrong. It runs with its trust setting off, so that a
// formula has no links, images, styles or attributes of its own.
//
// Nothing of what it writes is believed: [clean] lets elements and attributes
// of MathML pass by name, and turns style attributes, which a strict content
// security policy forbids, into classes. A theme gives those their look.
//
// A formula cannot take a page with it: it is bounded in length, in depth, in the
// cells of its arrays and the tokens that its macros make; whatever goes wrong is
// an [*Error] with a place, a panic of the interpreter too. No limit but the last
// resort is a clock's.
//
// Temml is not run before the first formula, and not for one that an earlier run
// has stored ([Converter.Store], internal/memo).
//
// To take a newer Temml: npm pack temml, dist/temml.min.js and LICENSE go into
// temml/, a new version into tex.go, then the tests, and a look at the test page in a browser.
package tex
