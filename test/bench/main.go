// Command bench makes sites to measure gpudocs with, and the same for Hugo.
//
//	GPUDOCS_CORPUS=folder go run ./test/bench PAGES FOLDER
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: bench PAGES FOLDER")
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
