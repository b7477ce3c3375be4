// Package servecmd has the command serve: it loads the site again after each edit, hands it to
// package serve, and runs blocks that a page asks for.
package servecmd
