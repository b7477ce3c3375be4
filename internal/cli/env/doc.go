// Package env has what all commands of gpudocs share: the streams, the texts of the terminal in
// the reader's language, exit codes, and how diagnostics, progress and results are printed.
//
// Commands get an [Env] and nothing global, so that a test can run them on its own streams.
//
// args.go, exit.go and slurm.go are for flags and exit codes, terminal.go, printer.go and
// diagnostics.go for the terminal, catalog.go, reasons.go and measurement.go for texts. progress.go
// shows a run on the terminal. outputs.go hands its results to programs, through events.go and github.go.
package env
