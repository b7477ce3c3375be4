// Package results finds the results of machines for the blocks of a site.
//
// [NewIndex] indexes their reports. [Index.For] returns what each machine found for a block and decides its
// status (status.go). page.go does so for a whole page, tally.go for a site; locations.go finds the block of
// a check. A [Presenter] makes the views of one page in its language: panels, verdicts, values in
// sentences, the table of machines.
package results
