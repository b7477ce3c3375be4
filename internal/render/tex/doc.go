// Package tex turns TeX formulas into MathML, which browsers lay out without
// JavaScript, a font or a request.
//
// It runs Temml (https://temml.org, MIT), whose released file of version 0.13.5 is in temml/, by
// internal/render/script. Temml knows the commands of LaTeX and AMS, and reports where a formula is
// wrong. Its trust setting is off, so a formula has no links, images, styles or attributes of its own.
//
// Its output is not trusted: [clean] allows elements and attributes of MathML by name, and turns style
// attributes, which a strict content security policy forbids, into classes, for which a theme has the
// style.
//
// A bad formula does not break its page: the length, the depth, the cells of arrays and the tokens
// from macros are limited, and every failure, even a panic of the interpreter, is an [*Error] with a
// position. Only the last of these limits is a timeout.
//
// Temml starts with the first formula, and not for those that an earlier run has stored
// ([Converter.Store], internal/memo).
//
// To update Temml: npm pack temml, copy dist/temml.min.js and LICENSE to temml/, set the new version
// in tex.go, run the tests, and look at the test page in a browser.
package tex
