// Package search makes the index of a language's pages that readers search in their browser.
package search
