// Package sitecmd has the commands that work on the pages of a site: build, check, init, import,
// theme and translations.
package sitecmd
