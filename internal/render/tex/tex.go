package tex

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/render/script"
)

//go:embed temml/temml.min.js
var temml string

// version is that of Temml in temml/ and of what counting makes of it.
const version = "temml 0.13.5, 2"

// library is Temml, compiled once and not before the first formula: that takes
// longer than a hundred of them.
var library = &script.Library{
	Name:     "temml",
	Source:   func() (string, error) { return counting(temml) },
	Function: "temml.renderToString",
	Depth:    3000, // it descends into groups, with about 15 calls for each
	Patience: patience,
}

// counting has Temml count the tokens that it reads and those that macros put in
// their place, and end where they are too many. Its own limit is one of
// expansions, of which a thousand make millions of tokens. A clock instead would
// tell formulas apart by the machine's load.
func counting(source string) (string, error) {
	for _, change := range [][2]string{
		{`this.expansionCount=0`, `this.expansionCount=0,this.steps=0`},
		{`popToken(){`, `popToken(){if(++this.steps>` + strconv.Itoa(maxSteps) + `)throw new e("` + tooLong + `");`},
		{`pushTokens(e){`, `pushTokens(e){this.steps+=e.length;`},
	} {
		if strings.Count(source, change[0]) != 1 {
			return "", fmt.Errorf("%q does not stand once in it", change[0])
		}
		source = strings.Replace(source, change[0], change[1], 1)
	}
	return source, nil
}

const (
	// maxSteps bounds the tokens that are read, see [counting]. The longest formula
	// without macros takes half of it.
	maxSteps = 30_000
	// patience ends what no other limit has ended. The longest formula takes a
	// second, so that no machine is slow enough to see it.
	patience = time.Minute
	// maxKept bounds the formulas that are remembered.
	maxKept = 1 << 14
)

const (
	// tooLong is what Temml says of a formula that ends maxSteps.
	tooLong = "Its macros make too much of it"
	// tooSlow is what is said of one that ends patience.
	tooSlow = "this formula takes too long"
)

// An Error says why a formula cannot be read.
type Error struct {
	Message string
	// Offset is where in the formula, in bytes; -1 where that is not known.
	Offset int
}

func (e *Error) Error() string { return e.Message }

// A Converter turns formulas into MathML and remembers them: translations
// repeat the same, and so does a site that is rebuilt. It is for many goroutines
// at once.
type Converter struct {
	made  *memo.Memo[string, string] // markup as Temml writes it, and cleaned
	temml *script.Pool
}

// New returns a Converter. open opens what [Converter.Store] has written in an earlier
// run, when the first formula is converted; it may be nil.
func New(open func() (io.ReadCloser, error)) *Converter {
	o := memo.Options[string]{Version: version, Open: open, Size: func(markup string) int { return len(markup) }, Kept: maxKept}
	return &Converter{memo.New[string, string](o), script.NewPool(library)}
}

type formula struct {
	tex     string
	display bool
}

// key tells formulas apart, as a dollar and two would not: a formula may begin with one.
func (f formula) key() string {
	if f.display {
		return "display:" + f.tex
	}
	return "inline:" + f.tex
}

// Convert returns a math element, in display style or in that of a line of
// text. An error is an [*Error], that of ctx, or says that Temml itself does not run.
func (c *Converter) Convert(ctx context.Context, tex string, display bool) (string, error) {
	f := formula{tex, display}
	return c.made.Get(ctx, f.key(),
		func(ctx context.Context) (string, error) { return c.convert(ctx, f) },
		func(markup string) (string, error) { return clean(markup, f) })
}

// Known tells whether Convert need not run Temml for the formula.
func (c *Converter) Known(tex string, display bool) bool {
	return c.made.Known(formula{tex, display}.key())
}

// Fresh tells whether Store would write more than was read.
func (c *Converter) Fresh() bool { return c.made.Fresh() }

// Store writes what was made, for a later run.
func (c *Converter) Store(w io.Writer) error { return c.made.Write(w) }

// convert returns Temml's markup.
func (c *Converter) convert(ctx context.Context, f formula) (string, error) {
	if err := bounds(f.tex); err != nil {
		return "", err
	}
	options := map[string]any{"displayMode": f.display, "throwOnError": true, "trust": false}
	markup, err := c.temml.Call(ctx, f.tex, options)
	if err != nil {
		return "", fault(f.tex, err)
	}
	return markup, nil
}

// fault words what ended a formula. What Temml throws but for its own errors are
// faults of Temml that this formula has met.
func fault(tex string, err error) error {
	var thrown *script.Thrown
	switch {
	case errors.As(err, &thrown) && thrown.Name == "ParseError":
		at := -1
		if thrown.Position >= 0 {
			at = byteOffset(tex, thrown.Position)
		}
		return &Error{message(thrown.Message), at}
	case thrown != nil, errors.Is(err, script.ErrBroken):
		return &Error{"this formula is too much for Temml", -1}
	case errors.Is(err, script.ErrSlow):
		return &Error{tooSlow, -1}
	case errors.Is(err, script.ErrDeep):
		return &Error{"this formula is nested too deeply", -1}
	}
	return err
}

// where is what Temml puts behind its message: the place, and the text there.
var where = regexp.MustCompile(`(?s) at (position \d+: \n|end of input: ).*$`)

func message(s string) string {
	s = strings.TrimSpace(where.ReplaceAllString(s, ""))
	s = strings.ReplaceAll(s, "'EOF'", "the end")
	if r, n := utf8.DecodeRuneInString(s); n > 0 && r < utf8.RuneSelf {
		s = strings.ToLower(s[:n]) + s[n:]
	}
	return s
}

// byteOffset turns an index of JavaScript, which counts characters up to U+FFFF,
// into bytes.
func byteOffset(s string, index int) int {
	for i := range s {
		if index <= 0 {
			return i
		}
		index--
	}
	return len(s)
}
