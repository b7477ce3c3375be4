// Package blocks turns the fenced blocks of a page into nodes and checks.
//
// A [Reader] gets the fences of one page in order. [Reader.Read] reads the attributes of a fence and
// returns its node. bash, python and pycon blocks with run, and every gpu block, also become a
// [site.Block] of the page, and a block with expect an expectation of the block before it.
// [Reader.AssignIDs] is called after the last fence.
//
// For each fence, calls run from blocks.go to the files for one aspect each: input.go (cells of
// notedown), codefile.go (code of other files), display.go, expect.go, files.go (files of sessions), and gaps.go (lines that are
// left out).
package blocks
