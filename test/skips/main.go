// Skips counts the tests that were skipped. CI runs it on what go test -json writes:
//
//	go test -json ./... | skips record FILE
//	skips judge LIST FILE...
//
// Record prints what go test prints without -json, then each skipped test with its reason,
// and writes to FILE which tests ran and which did not. It fails if a test failed.
//
// Judge prints each test that was skipped in all of the files, and fails if one of them is
// not on the list: a test that root has to skip, and that an ordinary user has passed in
// another step, has run. It also fails if the list allows what is no test any more.
//
// A line of the list is "package test: text"; the test may be a pattern of path.Match, and the
// reason must contain the text. Lines with # are comments.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

func main() {
	var err error
	switch args := os.Args[1:]; {
	case len(args) == 2 && args[0] == "record":
		err = recordTo(args[1], os.Stdin, os.Stdout)
	case len(args) >= 3 && args[0] == "judge":
		err = judgeFiles(args[1], args[2:], os.Stdout)
	default:
		err = errors.New("usage: go test -json ./... | skips record FILE; skips judge LIST FILE [FILE]")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "skips:", err)
		os.Exit(1)
	}
}

// An event is a line of go test -json (go doc test2json).
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64 // in seconds
}

// A line is a line of output and the test that it is of, which is empty for the package.
type line struct{ test, text string }

// An outcome is what a step did with a test. Reason is why it was skipped.
type outcome struct {
	skipped bool
	reason  string
}

// outcomes are by package and test, as "internal/report TestRead/empty".
type outcomes map[string]outcome

const module = "github.com/gpudocs/gpudocs/"

func name(pkg, test string) string { return strings.TrimPrefix(pkg, module) + " " + test }

// record reads the events and prints what people read of them.
func record(events io.Reader, out io.Writer) (found outcomes, failed bool, err error) {
	found = outcomes{}
	said := map[string][]line{}             // by package, until it ends
	quiet := map[string]map[string]bool{}   // by package: the tests that passed or were skipped
	r := bufio.NewReaderSize(events, 1<<16) // a line of output may be longer than a Scanner takes
	for {
		text, err := r.ReadString('\n')
		if err != nil && err != io.EOF {
			return nil, false, err
		}
		if text != "" {
			var e event
			if json.Unmarshal([]byte(text), &e) != nil || e.Action == "" {
				fmt.Fprint(out, text) // of the go command itself
				continue
			}
			switch {
			case e.Action == "build-output":
				fmt.Fprint(out, e.Output)
			case e.Action == "output":
				said[e.Package] = append(said[e.Package], line{e.Test, e.Output})
			case e.Test != "" && (e.Action == "pass" || e.Action == "skip" || e.Action == "fail"):
				o := outcome{skipped: e.Action == "skip"}
				if o.skipped {
					o.reason = reason(said[e.Package], e.Test)
				}
				found[name(e.Package, e.Test)] = o
				if e.Action != "fail" {
					if quiet[e.Package] == nil {
						quiet[e.Package] = map[string]bool{}
					}
					quiet[e.Package][e.Test] = true
				}
			case e.Test == "" && (e.Action == "pass" || e.Action == "skip" || e.Action == "fail"):
				failed = failed || e.Action == "fail"
				printPackage(out, e, said[e.Package], quiet[e.Package])
				delete(said, e.Package)
				delete(quiet, e.Package)
			}
		}
		if err == io.EOF {
			break
		}
	}
	// A package that never ended: the go command was killed.
	for _, pkg := range slices.Sorted(maps.Keys(said)) {
		failed = true
		printPackage(out, event{Action: "fail", Package: pkg}, said[pkg], quiet[pkg])
	}
	for _, n := range slices.Sorted(maps.Keys(found)) {
		if o := found[n]; o.skipped {
			fmt.Fprintf(out, "skipped: %s: %s\n", n, o.reason)
		}
	}
	return found, failed, nil
}

var (
	progress = regexp.MustCompile(`^=== (RUN|PAUSE|CONT|NAME) `)
	ending   = regexp.MustCompile(`^(ok  |\?   |FAIL)\t`)
)

// printPackage prints the output of a package as go test does without -v: that of tests
// that failed or never ended, and the line that says how the package ended. The go command
// writes that line; a test that was started without it has none.
func printPackage(out io.Writer, end event, said []line, quiet map[string]bool) {
	ended := false
	for _, l := range said {
		last := l.test == "" && ending.MatchString(l.text)
		ended = ended || last
		if last || end.Action == "fail" && !quiet[l.test] && !progress.MatchString(l.text) {
			fmt.Fprint(out, l.text)
		}
	}
	if !ended {
		fmt.Fprintf(out, "%-4s\t%s\t%.3fs\n", map[string]string{"pass": "ok", "skip": "?", "fail": "FAIL"}[end.Action], end.Package, end.Elapsed)
	}
}

var place = regexp.MustCompile(`^[\w.-]+\.go:\d+: `)

// reason is why a test was skipped: the last it said, or the line of its script that skips.
func reason(said []line, test string) string {
	var text, script string
	for _, l := range said {
		trimmed := strings.TrimSpace(l.text)
		if l.test != test || trimmed == "" || progress.MatchString(l.text) || strings.HasPrefix(trimmed, "--- SKIP: ") {
			continue
		}
		if command, ok := strings.CutPrefix(trimmed, "> "); ok {
			script = command
		}
		if at := place.FindString(trimmed); at != "" {
			text = trimmed[len(at):]
		} else if text != "" {
			text += " " + trimmed // a reason of several lines
		}
	}
	switch {
	case strings.Contains(script, "skip"):
		return script
	case text == "":
		return "(no reason)"
	}
	return text
}

func recordTo(file string, events io.Reader, out io.Writer) error {
	found, failed, err := record(events, out)
	if err != nil {
		return err
	}
	var data strings.Builder
	for _, n := range slices.Sorted(maps.Keys(found)) {
		if o := found[n]; o.skipped {
			fmt.Fprintf(&data, "skipped\t%s\t%s\n", n, o.reason)
		} else {
			fmt.Fprintf(&data, "ran\t%s\t\n", n)
		}
	}
	if err := os.WriteFile(file, []byte(data.String()), 0o644); err != nil {
		return err
	}
	if failed {
		return errors.New("a test failed")
	}
	if len(found) == 0 {
		return errors.New("no test ran")
	}
	return nil
}

// add takes over what a file of recordTo says.
func (all outcomes) add(data string) error {
	for text := range strings.Lines(data) {
		f := strings.Split(strings.TrimSuffix(text, "\n"), "\t")
		if len(f) < 3 || f[0] != "ran" && f[0] != "skipped" {
			return fmt.Errorf("not written by skips record: %q", text)
		}
		if o, seen := all[f[1]]; !seen || o.skipped {
			all[f[1]] = outcome{f[0] == "skipped", strings.Join(f[2:], " ")}
		}
	}
	return nil
}

// An allowance is a line of the list.
type allowance struct{ pkg, test, text string }

func (a allowance) covers(n string) bool {
	pkg, test, _ := strings.Cut(n, " ")
	ok, _ := path.Match(a.test, test) // the pattern was tried when it was read
	return pkg == a.pkg && ok
}

func readList(data string) (list []allowance, err error) {
	for text := range strings.Lines(data) {
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			continue
		}
		who, why, ok1 := strings.Cut(text, ": ")
		pkg, test, ok2 := strings.Cut(who, " ")
		if _, err := path.Match(test, ""); !ok1 || !ok2 || why == "" || err != nil {
			return nil, fmt.Errorf("%q is not of the form: package test: text", text)
		}
		list = append(list, allowance{pkg, test, why})
	}
	return list, nil
}

// judge prints the tests that never ran and returns how many faults there are.
func judge(all outcomes, list []allowance, out io.Writer) (faults int) {
	for _, n := range slices.Sorted(maps.Keys(all)) {
		o := all[n]
		if !o.skipped {
			continue
		}
		if slices.ContainsFunc(list, func(a allowance) bool { return a.covers(n) && strings.Contains(o.reason, a.text) }) {
			fmt.Fprintf(out, "skipped, as allowed: %s: %s\n", n, o.reason)
			continue
		}
		faults++
		fmt.Fprintf(out, "SKIPPED: %s: %s\n", n, o.reason)
	}
	for _, a := range list {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(all)), a.covers) {
			faults++
			fmt.Fprintf(out, "NO SUCH TEST: %s %s\n", a.pkg, a.test)
		}
	}
	return faults
}

func judgeFiles(listFile string, files []string, out io.Writer) error {
	data, err := os.ReadFile(listFile)
	if err != nil {
		return err
	}
	list, err := readList(string(data))
	if err != nil {
		return fmt.Errorf("%s: %w", listFile, err)
	}
	all := outcomes{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err == nil {
			err = all.add(string(data))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
	}
	if n := judge(all, list, out); n > 0 {
		return fmt.Errorf("%d faults: let the tests run, or say in %s why they need not", n, listFile)
	}
	return nil
}
