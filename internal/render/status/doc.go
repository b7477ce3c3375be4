// Package status makes the pages of all checks on all machines: a [Writer] for each language. The first page
// holds the machines, the table of checks (status.go), charts of what was measured (charts.go), and values and
// outcomes over time (history.go). A table that is too large for it has pages of its own.
package status
