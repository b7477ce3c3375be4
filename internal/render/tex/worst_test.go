package tex

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

// hostile are formulas of allowed length that take much time or memory.
func hostile() map[string]string {
	fill := func(open, body, end string) string {
		return open + strings.Repeat(body, (maxLength-len(open)-len(end))/len(body)) + end
	}
	many := strings.Repeat(`\a`, 900)
	return map[string]string{
		"braces":          fill("", "{", ""),
		"groups":          strings.Repeat(`\sqrt{`, 140) + strings.Repeat("}", 140),
		"letters":         fill("", "x", ""),
		"primes":          fill("x", "'", ""),
		"not ASCII":       fill("", "é", ""),
		"fences":          fill("", `\left(`, ""),
		"text":            fill(`\text{`, "a ", "}"),
		"loop":            `\def\a{\a\a}\a`,
		"long macro":      `\def\a{` + strings.Repeat("x", 1500) + `}` + many,
		"macro of macros": `\def\a{` + strings.Repeat(`\frac12`, 200) + `}\def\b{` + many + `}\b`,
		"doubling":        `\def\a#1{#1#1}` + strings.Repeat(`\a{`, 140) + "x" + strings.Repeat("}", 140),
		"arguments":       `\def\a#1{` + strings.Repeat("#1", 900) + `}\a{` + strings.Repeat("xy", 500) + "}",
		"few arguments":   `\def\a#1{` + strings.Repeat("#1", 20) + `}\a{` + strings.Repeat("xy", 1900) + "}",
		"expanded":        `\def\a{xxxxxxxxxx}` + strings.Repeat(`\edef\a{\a\a}`, 250) + `\a`,
		"wide row":        fill(`\begin{matrix}`, "&", `\end{matrix}`),
		"rows":            fill(`\begin{align}`, `&\\`, `\end{align}`),
		"square":          `\begin{matrix}` + strings.Repeat("&", 2000) + strings.Repeat(`\\`, 900) + `\end{matrix}`,
		"columns":         `\begin{array}{` + strings.Repeat("c", 2000) + "}" + strings.Repeat(`\\`, 900) + `\end{array}`,
		"small square":    `\begin{matrix}` + strings.Repeat("&", 36) + strings.Repeat(`\\`, 36) + `\end{matrix}`,
		"substack":        fill(`\substack{`, `a\\`, "}"),
	}
}

// TestWorst: no formula reaches the timeout; the memory that they take is bounded.
func TestWorst(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	c := New(nil)
	_, _ = c.Convert(t.Context(), "x", true)
	for name, s := range hostile() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		markup, err := c.Convert(t.Context(), s, true)
		runtime.ReadMemStats(&after)
		var fault *Error
		if errors.As(err, &fault) && fault.Message == tooSlow {
			t.Errorf("%s: %s", name, tooSlow)
		}
		if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 600 {
			t.Errorf("%s: %d MiB are allocated", name, made)
		}
		if len(markup) > 1<<20 {
			t.Errorf("%s: %d bytes of markup", name, len(markup))
		}
	}
}

// BenchmarkWorst measures the time of each.
func BenchmarkWorst(b *testing.B) {
	for name, s := range hostile() {
		b.Run(name, func(b *testing.B) {
			c := New(nil)
			_, _ = c.Convert(b.Context(), "x", true)
			for b.Loop() {
				_, _ = c.convert(b.Context(), formula{s, true})
			}
		})
	}
}
