// Package results says what machines found for the blocks of a site.
//
// [New] indexes their reports. [Results.For] returns what each machine found for a block and decides on its
// status (status.go); grid.go has the same for a whole page, tally.go for a site, spots.go finds the block of
// a check. A [Presenter] puts it into words for one page: a panel, a verdict, a value in a sentence, a
// table of machines.
package results
