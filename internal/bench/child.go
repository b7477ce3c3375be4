package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/cuda"
	"github.com/gpudocs/gpudocs/internal/report"
)

// Child is what the child does: it reads a request, measures in this process,
// and writes a line for each result as it comes.
func Child(ctx context.Context, in io.Reader, out io.Writer) error {
	q, err := readRequest(in)
	if err != nil {
		return err
	}
	t := teller{out}
	if q.CPU {
		m, err := measureCPU(q.Spec.N, q.Folders, t.alive)
		if err != nil {
			return t.say(line{Fault: faultOf(err)})
		}
		return errors.Join(t.say(line{CPU: m}), t.say(line{End: true}))
	}
	switch err := measureGPUs(ctx, q, t); {
	case errors.Is(err, errUnheard):
		return err
	case err != nil:
		return t.say(line{Fault: faultOf(err)})
	}
	return t.say(line{End: true})
}

// errUnheard says that nobody listens any more, so that there is no use going on.
var errUnheard = errors.New("nobody listens to the results")

// measureGPUs measures one after the other. An error is one of all of them.
func measureGPUs(ctx context.Context, q request, t teller) error {
	d, err := cuda.Open()
	if err != nil {
		return err
	}
	if err := d.Init(); err != nil {
		return err
	}
	count, err := d.Count()
	if err != nil {
		return err
	}
	if t.say(line{GPUs: &count}) != nil {
		return errUnheard
	}
	for i := q.First; i < count && ctx.Err() == nil; i++ {
		if q.Only != nil && !slices.Contains(q.Only, i) {
			continue
		}
		if t.say(line{Begin: &i}) != nil {
			return errUnheard
		}
		m := measureGPU(ctx, d, i, q, t)
		if t.say(line{Done: &m}) != nil {
			return errUnheard
		}
	}
	return ctx.Err()
}

// measureGPU measures one GPU, in a context that holds nothing afterwards.
func measureGPU(ctx context.Context, d *cuda.Driver, i int, q request, t teller) report.Measured {
	m := report.Measured{Device: i}
	err := func() (err error) {
		v, err := d.Device(i)
		if err != nil {
			return err
		}
		g := &device{Device: v, request: q, teller: t, m: &m}
		if err := g.describe(); err != nil {
			return err
		}
		if g.c, err = v.Context(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, g.c.Close()) }()
		return g.measure(ctx)
	}()
	if err != nil {
		f := faultOf(err)
		return report.Measured{Device: i, Why: f.Why, Detail: f.Detail}
	}
	return m
}

// faultOf says why something was not measured.
func faultOf(err error) *fault {
	var f *fault
	why := report.WhyFailed
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, cuda.OutOfMemory), errors.Is(err, cuda.BLASAllocFailed):
		why = report.WhyNoMemory
	case errors.Is(err, cuda.ErrNoLibrary):
		why = report.WhyNoLibrary
	case errors.Is(err, cuda.ErrUnsupported):
		why = report.WhyNotSupported
	}
	return &fault{why, tidy(err.Error())}
}

// maxDetail bounds the words of a fault, in bytes.
const maxDetail = 400

// private is what the words of drivers and linkers hold and a report must not:
// folders, PCI addresses and UUIDs.
var private = regexp.MustCompile(`/([^/\s"':]+/)+|([0-9A-Fa-f]{4,8}:)?[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]|(GPU|MIG)-[0-9A-Fa-f]{8}[-/0-9A-Fa-f]*`)

// tidy makes words fit for a report: on one line, without private things, and not
// too long.
func tidy(words string) string {
	words = strings.Join(strings.Fields(strings.ToValidUTF8(private.ReplaceAllString(words, ""), "")), " ")
	if len(words) > maxDetail {
		words = strings.ToValidUTF8(words[:maxDetail], "") + " ..."
	}
	return words
}

// gibibytes says an amount of memory.
func gibibytes(n uint64) string { return fmt.Sprintf("%.3g GiB", float64(n)/(1<<30)) }
