// Package project is the folder of a site: it opens it, reads what a build needs of it, and reads, locks, signs and
// writes its reports. It knows no command, stream or exit code.
//
// Data flows from the folder to what a build renders: content (package load), reports with the verdicts on their signatures
// (reports.go) and the theme make a [Loaded] (load.go). A [Reader] does it again and again for a preview, and decides
// what has changed. Reports of a run flow back through a [Signer], which a lock protects (lock.go).
//
// An error that the user can mend is a [diag.Fault].
package project
