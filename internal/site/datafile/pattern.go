package datafile

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// maxPattern bounds the length of a pattern, in bytes.
const maxPattern = 1000

// A Problem is the reason why a pattern gives no files.
type Problem struct{ Message, Hint diag.Text }

// A Pattern names files by their path: "data/*.csv".
type Pattern struct {
	// Root is set if the path begins at the site's folder. Otherwise it begins in a folder, or Up
	// levels above it.
	Root bool
	Up   int
	// Segments are the names between the slashes. "**" stands for any number of folders, and at the end
	// for all files below. Other names have the syntax of [path.Match].
	Segments []string
}

// Parse reads a pattern.
func Parse(s string) (p Pattern, _ *Problem) {
	rest, root := strings.CutPrefix(s, "/")
	p.Root = root
	for segment := range strings.SplitSeq(rest, "/") {
		_, malformed := path.Match(segment, "")
		switch {
		case segment == "." && len(p.Segments) == 0:
		case segment == ".." && len(p.Segments) == 0 && !root:
			p.Up++
		case segment == "..":
			return p, &Problem{diag.Say("files.outside-site", "pattern", s), diag.Say("diag.copy-into-site-hint")}
		case strings.HasPrefix(segment, "."):
			return p, &Problem{diag.Say("files.hidden", "name", s), diag.Say("include.file-hidden-hint")}
		case segment == "" || malformed != nil || !ValidName(segment) || len(s) > maxPattern:
			return p, &Problem{diag.Say("files.pattern-invalid", "pattern", diag.Clip(s, 100)), diag.Say("files.pattern-hint")}
		default:
			p.Segments = append(p.Segments, segment)
		}
	}
	if len(p.Segments) == 0 {
		return p, &Problem{diag.Say("files.pattern-invalid", "pattern", s), diag.Say("files.pattern-hint")}
	}
	return p, nil
}

// ValidName reports whether a name can be shown and sent to other machines.
func ValidName(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsRune(name, '\\') && !strings.ContainsFunc(name, unicode.IsControl)
}

// literal reports whether a segment stands for itself.
func literal(segment string) bool { return !strings.ContainsAny(segment, "*?[") }

// A state is the set of positions in the segments that a path has reached.
type state []int

// start is the state before the first name.
func (p Pattern) start(i int) state { return p.close(state{i}) }

// close adds the positions behind "**", which may stand for no folder.
func (p Pattern) close(s state) state {
	for i := 0; i < len(s); i++ {
		if next := s[i] + 1; p.Segments[s[i]] == "**" && next < len(p.Segments) && !slices.Contains(s, next) {
			s = append(s, next)
		}
	}
	return s
}

// file reports whether a file of this name completes the pattern.
func (p Pattern) file(s state, name string) bool {
	return slices.ContainsFunc(s, func(i int) bool {
		return i == len(p.Segments)-1 && matches(p.Segments[i], name)
	})
}

// folder returns the state in a folder of this name, which is empty if no file in it can match.
func (p Pattern) folder(s state, name string) (next state) {
	add := func(i int) {
		if i < len(p.Segments) && !slices.Contains(next, i) {
			next = append(next, i)
		}
	}
	for _, i := range s {
		if name[0] == '.' {
			continue
		}
		if p.Segments[i] == "**" {
			add(i)
		} else if matches(p.Segments[i], name) {
			add(i + 1)
		}
	}
	return p.close(next)
}

// matches reports whether a segment stands for a name. Hidden names are never meant.
func matches(segment, name string) bool {
	ok, _ := path.Match(segment, name)
	return ok && name[0] != '.'
}
