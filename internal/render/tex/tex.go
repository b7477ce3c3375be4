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
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/render/script"
)

//go:embed temml/temml.min.js
var temml string

// version is that of Temml in temml/ and of what we change: counting, macros.
const version = "temml 0.13.5, 4"

// library is Temml, compiled at the first formula: that takes longer than a hundred formulas.
var library = &script.Library{
	Name:     "temml",
	Source:   func() (string, error) { return counting(temml) },
	Function: "temml.renderToString",
	Depth:    3000, // it uses about 15 calls for each nested group
	Timeout:  timeout,
}

// counting changes Temml to count the tokens that it reads and those that macros insert, and to stop
// when there are too many. Its own limit is the number of expansions, of which a thousand can make
// millions of tokens. A timeout instead would depend on the machine's load.
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
	// maxSteps limits the tokens that are read, see [counting]. The longest formula without macros
	// takes half of it.
	maxSteps = 30_000
	// timeout is a last resort. The longest formula takes a second, so no machine is slow enough to
	// reach it.
	timeout = time.Minute
	// maxCached limits the number of formulas in the cache.
	maxCached = 1 << 14
)

const (
	// tooLong is Temml's message for a formula that exceeds maxSteps.
	tooLong = "Its macros make too much of it"
	// tooSlow is the message for one that exceeds timeout.
	tooSlow = "this formula takes too long"
)

// An Error is the reason why a formula cannot be converted.
type Error struct {
	Message string
	// Offset is the position in the formula, in bytes, or -1 if it is not known.
	Offset int
}

func (e *Error) Error() string { return e.Message }

// A Converter turns formulas into MathML and caches them: translations repeat the same ones, and so
// does a site that is rebuilt. It is safe for use by several goroutines.
type Converter struct {
	stored *memo.Table // Temml's markup
	cache  *memo.Memo[string]
	temml  *script.Pool
}

// New returns a Converter that uses what [Converter.Store] has written in an earlier run. open, which may be nil,
// returns it when the first formula is converted.
func New(open func() ([]byte, error)) *Converter {
	stored := memo.NewTable(version, open)
	return &Converter{stored, memo.New[string](stored, maxCached), script.NewPool(library)}
}

type formula struct {
	tex     string
	display bool
}

func (f formula) key() memo.Key { return memo.KeyOf(f.tex, strconv.FormatBool(f.display)) }

// Convert returns a math element, in display or inline style. An error is an [*Error], that of ctx, or
// says that Temml itself does not run.
func (c *Converter) Convert(ctx context.Context, tex string, display bool) (string, error) {
	f := formula{tex, display}
	return c.cache.Get(ctx, f.key(),
		func(ctx context.Context) ([]byte, error) { return c.convert(ctx, f) },
		func(markup []byte) (string, error) { return clean(string(markup), f) })
}

// Known reports whether the formula is in the cache, so that Convert need not run Temml.
func (c *Converter) Known(tex string, display bool) bool {
	return c.cache.Known(formula{tex, display}.key())
}

// Fresh reports whether Store would write more than was read.
func (c *Converter) Fresh() bool { return c.stored.Fresh() }

// Store writes the cache for a later run.
func (c *Converter) Store(w io.Writer) error { return c.stored.Write(w) }

// convert returns Temml's markup.
func (c *Converter) convert(ctx context.Context, f formula) ([]byte, error) {
	if err := bounds(f.tex); err != nil {
		return nil, err
	}
	options := map[string]any{"displayMode": f.display, "throwOnError": true, "trust": false,
		"macros": map[string]any{`\mbox`: `\text{#1}`, `\hbox`: `\text{#1}`}} // as in MathJax
	markup, err := c.temml.Call(ctx, f.tex, options)
	if err != nil {
		return nil, fault(f.tex, err)
	}
	return []byte(markup), nil
}

// fault returns the error for a failed formula. What Temml throws other than its own errors are bugs
// of Temml.
func fault(tex string, err error) error {
	thrown, ok := errors.AsType[*script.Thrown](err)
	switch {
	case ok && thrown.Name == "ParseError":
		at := -1
		if thrown.Position >= 0 {
			at = byteOffset(tex, thrown.Position)
		}
		return &Error{message(thrown.Message), at}
	case ok, errors.Is(err, script.ErrBroken):
		return &Error{"this formula is too much for Temml", -1}
	case errors.Is(err, script.ErrSlow):
		return &Error{tooSlow, -1}
	case errors.Is(err, script.ErrDeep):
		return &Error{"this formula is nested too deeply", -1}
	}
	return err
}

// where is what Temml adds to its message: the position, and the text there.
var where = regexp.MustCompile(`(?s) at (position \d+: \n|end of input: ).*$`)

func message(s string) string {
	s = strings.TrimSpace(where.ReplaceAllString(s, ""))
	s = strings.ReplaceAll(s, "'EOF'", "the end")
	if r, n := utf8.DecodeRuneInString(s); n > 0 && r < utf8.RuneSelf {
		s = strings.ToLower(s[:n]) + s[n:]
	}
	return s
}

// byteOffset converts an index of JavaScript, which counts UTF-16 code units, to bytes.
func byteOffset(s string, index int) int {
	for i, r := range s {
		if index <= 0 {
			return i
		}
		index -= utf16.RuneLen(r)
	}
	return len(s)
}
