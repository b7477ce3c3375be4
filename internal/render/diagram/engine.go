package diagram

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/script"
)

//go:embed mermaid/mermaid.js.gz
var mermaid []byte

// version is that of Mermaid in mermaid/ and of the code that draws with it.
const version = "mermaid 11.17.2, 3"

// library is Mermaid, compiled at the first diagram: that takes longer than drawing it.
var library = &script.Library{
	Name:     "mermaid",
	Source:   unpacked,
	Function: "draw",
	Depth:    5000, // nested trees are drawn by nested calls
	Timeout:  timeout,
}

func unpacked() (string, error) {
	z, err := gzip.NewReader(bytes.NewReader(mermaid))
	if err != nil {
		return "", err
	}
	source, err := io.ReadAll(z)
	return string(source), err
}

// timeout is a last resort. The deepest mind maps take half a minute on their own, and several times
// that on a loaded machine. Drawings that time out are not stored, so the next run tries again.
const timeout = 5 * time.Minute

var (
	errTooMuch = &Error{"it is too much to be drawn", 0}
	errTooSlow = &Error{fmt.Sprintf("it is not drawn within %g minutes", timeout.Minutes()), 0}
)

// draw returns the output of Mermaid, a drawn in JSON.
func (d *Drawer) draw(ctx context.Context, source string) ([]byte, error) {
	if strings.TrimSpace(source) == "" {
		return nil, &Error{"it is empty", 0}
	}
	if len(source) > maxLength {
		return nil, &Error{fmt.Sprintf("it is longer than %d KiB", maxLength>>10), 0}
	}
	out, err := d.mermaid.Call(ctx, source)
	_, thrown := errors.AsType[*script.Thrown](err)
	switch {
	case errors.Is(err, script.ErrSlow):
		return nil, errTooSlow
	case thrown, errors.Is(err, script.ErrDeep), errors.Is(err, script.ErrBroken):
		return nil, errTooMuch
	}
	return []byte(out), err
}

var (
	place     = regexp.MustCompile(`^(?:Parse|Lexical) error on line \d+[:.] ?`)
	expecting = regexp.MustCompile(`(?s)Expecting (.*), got '([^']*)'`)
	noType    = regexp.MustCompile(`(?s)No diagram type detected.*`)
)

// message returns Mermaid's message in one line.
func message(s string) string {
	switch {
	case noType.MatchString(s):
		return "Mermaid knows no diagram of this type"
	case strings.Contains(s, "Not a function"), strings.HasPrefix(s, "Cannot read propert"):
		return "Mermaid fails on it"
	}
	if m := expecting.FindStringSubmatch(s); m != nil {
		names := strings.Split(m[1], ", ")
		if len(names) > 6 {
			names = append(names[:6], "...")
		}
		return fmt.Sprintf("%s cannot stand here; expected %s", m[2], strings.ReplaceAll(strings.Join(names, ", "), "'", ""))
	}
	s = place.ReplaceAllString(s, "")
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSuffix(s, ".")
}
