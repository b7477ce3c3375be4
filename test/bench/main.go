// Command bench measures gpudocs, and compares it with Hugo and with the minimal work of any such program.
//
//	go run ./test/bench                 builds of 250, 1,500 and 10,000 pages, compared with Hugo
//	go run ./test/bench -pages 1500 -runs 3
//	go run ./test/bench -pages 1550 -languages 1   a site in which no block of code repeats
//	go run ./test/bench cost            the costs that grow with pages, machines and checks
//	go run ./test/bench edits DIR       how soon serve shows edits of pages, titles, texts, templates, reports
//	go run ./test/bench site 1500 DIR   only writes the site, for both programs
//
// # The sites
//
// Pages are the documents below GPUDOCS_CORPUS, a folder with a folder of Markdown for each language. If
// it is not set, they are generated. Both programs get the same pages, without the syntax that only one of
// them understands. A file of code that a document shows is read from the corpus, at its path without the leading "../"; if it
// is not there, a generated program takes its place, the same one in all languages. A site of 1,500 pages has 12 languages,
// which repeat the code of each other, as translations do; that flatters gpudocs, which tokenises a block once. With -languages 1
// and more pages than documents, the documents are repeated, each time with other code.
//
// # What is compared
//
//   - gpudocs: everything that it publishes by default: pages, their Markdown, sections on one page, search.
//   - lean: gpudocs with only the pages, which is the work that Hugo's theme does.
//   - hugo: the pinned version, with the theme in hugo/: navigation, contents, translations, highlighting.
//   - loop: goldmark on every page and chroma on each distinct block, one after the other; nothing is written.
//
// "cold" runs have empty caches, "warm" ones those of an earlier run; both write into a new folder. "again"
// builds over its own output. They run in turns, so that other load on the machine affects all of them, and
// medians are printed. Wall is elapsed time in seconds, CPU the time of all CPUs, memory the maximum resident set
// in MB (10^6 bytes). Ratios are of CPU time, which other load changes least.
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
	flags := flag.NewFlagSet("site", flag.ContinueOnError)
	languages := flags.Int("languages", len(names), "`number` of languages")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if args = flags.Args(); len(args) != 2 {
		return errors.New("usage: bench site [-languages N] PAGES FOLDER")
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
	return newSite(pages, *languages, docs).write(args[1])
}
