// Command bench measures gpudocs, beside Hugo and beside the least that any program must do.
//
//	go run ./test/bench                 builds of 250, 1,500 and 10,000 pages, against Hugo
//	go run ./test/bench -pages 1500 -runs 3
//	go run ./test/bench cost            what grows with pages, machines and checks
//	go run ./test/bench edits DIR       how soon serve shows edits of pages, titles, texts, templates, reports
//	go run ./test/bench site 1500 DIR   only makes the site, for both programs
//
// # The sites
//
// Pages are made of the documents below GPUDOCS_CORPUS, a folder with a folder of Markdown for each
// language, or of generated ones where that is not set. They are given to both programs alike: what only one
// of them understands is taken out, and where a document shows a file of code that is
// not there, a program stands that is the same in all languages. A site of 1,500 pages has
// 12 languages; a larger one has the documents several times, each time with other code.
//
// # What is compared
//
//   - gpudocs: everything that it publishes by default: pages, their Markdown, sections on one page, search, cards.
//   - lean: gpudocs with all of that but the pages switched off, which is the work that Hugo's theme asks for.
//   - hugo: the pinned version, with the theme in hugo/: navigation, contents, translations, highlighting.
//   - loop: goldmark on every page and chroma on each distinct block, one after the other; nothing is written.
//
// "cold" has empty caches, "warm" those of a run before; both write into a folder that is not there yet. "again" builds over its own
// output, "edited" too, after an edit of one page. They run in turns, so
// that whatever else the machine does meets all of them, and medians are told. Wall is time on the clock
// in seconds, CPU that of all processors, memory the largest resident set in MB (10^6 bytes).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	command := "compare"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		command, args = args[0], args[1:]
	}
	switch command {
	case "compare":
		return compare(ctx, args)
	case "cost":
		return cost(ctx, args)
	case "loop":
		return loop(args)
	case "edits":
		return edits(ctx, args)
	case "site":
		return makeSite(args)
	}
	return fmt.Errorf("no command %q; there are compare, cost, edits, site and loop", command)
}

func makeSite(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: bench site PAGES FOLDER")
	}
	pages, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	docs, from, err := documents(os.Getenv("GPUDOCS_CORPUS"))
	if err != nil {
		return err
	}
	fmt.Printf("%d pages of %s\n", pages, from)
	return newSite(pages, len(names), docs).write(args[1])
}
