// Package tex turns TeX formulas into MathML, which browsers lay out without
// JavaScript, a font or a request.
//
// The work is done by Temml (https://temml.org, MIT), of which temml/ holds the
// released file of version 0.13.5 as it is, run by goja, an interpreter of
// JavaScript written in Go. Temml knows the commands of LaTeX and AMS, and says
// where a formula is wrong. It runs with its trust setting off, so that a
// formula has no links, images, styles or attributes of its own.
//
// Nothing of what it writes is believed: [clean] lets elements and attributes
// of MathML pass by name, and turns style attributes, which a strict content
// security policy forbids, into classes. A theme gives those their look.
//
// A formula cannot take a page with it: it is bounded in length, in the depth
// and number of its expansions, and in time; whatever goes wrong is an [*Error]
// with a place, a panic of the interpreter too.
//
// To take a newer Temml: npm pack temml, dist/temml.min.js and LICENSE go into
// temml/, then the tests, and a look at the test page in a browser.
package tex
