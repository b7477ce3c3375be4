// Package book makes PDFs of a site's books: of each section, and of all pages of a language.
//
// They are made of one HTML document ([render.Book]): document.go reads it and takes out what paper cannot do. pdf.go has a
// Chromium print it, twice or more: the first time to learn the page of each place, then with these numbers in the
// contents and beside references. pdffile.go reads the places in the PDF, and takes out of it what differs from run to run.
//
// Chromium reaches no network: a proxy here answers all that it asks for, with files of the site. It runs no script of the
// pages, has a profile of its own that is removed, and is killed with all that it started if it takes too long.
package book

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// PrintOptions are the options of [Add].
type PrintOptions struct {
	// Output is the folder of the site that an earlier build wrote. A PDF in it that was made of the same is not printed
	// again.
	Output string
	// Generator names the program and its version.
	Generator string
	// Date replaces the dates of the content, if it is not zero.
	Date time.Time
	// Limit is how long Chromium may take, and PerPage for each page beyond that.
	Limit, PerPage time.Duration
	// Progress is called with the number of finished files, by several goroutines. It may be nil.
	Progress func(done, all int)
	// Lookup returns a file of the site; Add sets it.
	Lookup func(name string) ([]byte, bool)
}

// limit and perPage are the defaults of the limits, for a slow and busy machine.
const limit, perPage = 3 * time.Minute, 2 * time.Second

// Add makes the documents of a site's books and adds them to it. A document that cannot be made is left out, with a
// diagnostic. An error is that of ctx.
func Add(ctx context.Context, s *render.Site, o PrintOptions) (diags diag.List, err error) {
	o.Lookup = func(name string) ([]byte, bool) {
		data, ok, err := s.File(name)
		return data, ok && err == nil
	}
	o.Limit, o.PerPage = cmp.Or(o.Limit, limit), cmp.Or(o.PerPage, perPage)
	books := s.Books()
	fault := func(name string, err error) {
		if faults, ok := errors.AsType[*theme.Faults](err); ok {
			diags.Add(faults.List[0])
			return
		}
		diags.Add(diag.Diagnostic{File: name, Message: diag.Plain(err), Hint: diag.Say("book.chromium-hint", "variable", Variable)})
	}
	if len(books) == 0 {
		return nil, nil
	}
	c, err := find(ctx, o.Limit, o.PerPage)
	if err != nil {
		fault(books[0].Path+".pdf", err)
		return diags, ctx.Err()
	}
	made := make([][]byte, len(books))
	var mu sync.Mutex
	g := errgroup.Group{}
	g.SetLimit(min(4, runtime.GOMAXPROCS(0)))
	working, stop := context.WithCancel(ctx)
	defer stop()
	done := 0
	for i, b := range books {
		if !o.Date.IsZero() {
			b.Changed = o.Date
		}
		g.Go(func() error {
			d, err := parse(b)
			if err == nil {
				earlier, _ := os.ReadFile(filepath.Join(o.Output, filepath.FromSlash(b.Path+".pdf")))
				made[i], err = c.pdf(working, d, o, earlier)
			}
			mu.Lock()
			defer mu.Unlock()
			if done++; o.Progress != nil {
				o.Progress(done, len(books))
			}
			if err != nil && working.Err() == nil {
				fault(b.Path+".pdf", err)
				if errors.Is(err, errHung) {
					stop() // it would with the others
				}
			}
			return nil
		})
	}
	_ = g.Wait()
	files := map[string][]byte{}
	for i, b := range books {
		if made[i] != nil {
			files[b.Path+".pdf"] = made[i]
		}
	}
	s.Add(files)
	return diags.Sorted(), ctx.Err()
}
