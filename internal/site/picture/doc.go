// Package picture reads what a site needs to know of images: their sizes (images.go, svg.go), whether
// an SVG is well-formed, and what in an SVG would run or load something (active.go).
package picture
