// Package status makes the pages of all checks on all machines, with a [Writer] for each language. The
// first page has the machines, the table of checks (status.go), charts of measurements (charts.go),
// and values and outcomes over time (history.go). If the table is too large for it, it has pages of
// its own.
package status
