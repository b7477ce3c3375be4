// Package report is the only contract between a lab machine and the build:
// what `gpudocs verify` found on one machine, as one JSON file.
//
// verify writes a [Report] to results/<machine>.json. build and serve read the files of
// that folder and show under each block the [Check] with its [ID].
// docs/report.schema.json describes the file for other programs, docs/content/en/report.md explains
// it. As a report is published with the site, gpudocs writes no host name, user, path,
// UUID, serial number or PCI address to it (verify redacts those it knows in a snippet's
// output). As it comes from another machine, [Parse] trusts nothing: it checks the schema
// version, the names, and the size of every text.
//
// Data flows from a machine to the build. Both use the packages of this folder: ask parses and judges what a
// page asks of a machine, match compares output, compat says which software runs and why, trust signs the file and
// verifies its signature, compare and junit read finished reports.
//
// Times are UTC. Durations are milliseconds of wall-clock time measured by gpudocs around
// the block, including its own overhead of well under 5 ms. Memory is in bytes.
package report
