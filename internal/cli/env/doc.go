// Package env is what all commands of gpudocs share: the streams, the texts of the terminal in
// the reader's language, exit codes, and how diagnostics, progress and results are printed.
//
// [Env] carries them. Commands get one and nothing global; a run on injected streams is a test.
package env
