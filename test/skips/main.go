// Skips finds the tests that no step of CI ran. It reads the output of go test -json:
//
//	go test -json ./... | skips record FILE
//	skips judge LIST FILE...
//
// Record prints what go test prints without -json, then each skipped test with its reason,
// and writes to FILE which tests ran and which did not. It fails if a test failed.
//
// Judge prints each test that was skipped in all of the files, and fails if one of them is
// not on the list. A test that root has to skip, and that an ordinary user has passed in
// another step, has run. Judge also fails if the list allows a test that does not exist.
//
// A line of the list is "package test: text". The test may be a pattern of path.Match, and the
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

// A line is a line of output and its test, which is empty for the package.
type line struct{ test, text string }

// outcomes are by package and test, as "internal/report TestRead/empty": why the test was skipped, or empty
// if it ran.
type outcomes map[string]string

const module = "github.com/gpudocs/gpudocs/"

// A packageRun is a package whose tests have not ended.
type packageRun struct {
	output []line
	quiet  map[string]bool // the tests that passed or were skipped
}

// maxLine bounds a line of the input.
const maxLine = 64 << 20

// record reads the events and prints what go test prints without -json.
func record(events io.Reader, out io.Writer) (found outcomes, failed bool, err error) {
	found = outcomes{}
	running := map[string]*packageRun{}
	lines := bufio.NewScanner(events)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Action == "" {
			fmt.Fprintln(out, lines.Text()) // of the go command itself
			continue
		}
		if e.Action == "build-output" {
			fmt.Fprint(out, e.Output)
		}
		if e.Package == "" {
			continue
		}
		p := running[e.Package]
		if p == nil {
			p = &packageRun{quiet: map[string]bool{}}
			running[e.Package] = p
		}
		ended := e.Action == "pass" || e.Action == "skip" || e.Action == "fail"
		switch {
		case e.Action == "output":
			p.output = append(p.output, line{e.Test, e.Output})
		case ended && e.Test != "":
			p.quiet[e.Test] = e.Action != "fail"
			why := ""
			if e.Action == "skip" {
				why = reason(p.output, e.Test)
			}
			found[strings.TrimPrefix(e.Package, module)+" "+e.Test] = why
		case ended:
			failed = failed || e.Action == "fail"
			p.print(out, e)
			delete(running, e.Package)
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(running)) { // the go command was killed
		failed = true
		running[pkg].print(out, event{Action: "fail", Package: pkg})
	}
	for _, n := range slices.Sorted(maps.Keys(found)) {
		if found[n] != "" {
			fmt.Fprintf(out, "skipped: %s: %s\n", n, found[n])
		}
	}
	return found, failed, lines.Err()
}

var (
	progress = regexp.MustCompile(`^=== (RUN|PAUSE|CONT|NAME) `)
	ending   = regexp.MustCompile(`^(ok  |\?   |FAIL)\t`)
)

// print prints the output of a package as go test does without -v: that of tests that failed or never
// ended, and the last line of the package. The go command writes that line; a test that was started
// without it has none.
func (p *packageRun) print(out io.Writer, end event) {
	ended := false
	for _, l := range p.output {
		last := l.test == "" && ending.MatchString(l.text)
		ended = ended || last
		if last || end.Action == "fail" && !p.quiet[l.test] && !progress.MatchString(l.text) {
			fmt.Fprint(out, l.text)
		}
	}
	if !ended {
		word := map[string]string{"pass": "ok", "skip": "?", "fail": "FAIL"}[end.Action]
		fmt.Fprintf(out, "%-4s\t%s\t%.3fs\n", word, end.Package, end.Elapsed)
	}
}

var place = regexp.MustCompile(`^[\w.-]+\.go:\d+: `)

// reason returns why a test was skipped: its last message, or the line of its script that skips.
func reason(output []line, test string) string {
	var text, script string
	for _, l := range output {
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
	data, err := json.MarshalIndent(found, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
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

// add adds the outcomes in a file of recordTo. A test that ran in one of them has run.
func (all outcomes) add(data []byte) error {
	var more outcomes
	if err := json.Unmarshal(data, &more); err != nil {
		return fmt.Errorf("not written by skips record: %w", err)
	}
	for n, why := range more {
		if old, seen := all[n]; !seen || old != "" {
			all[n] = why
		}
	}
	return nil
}

// An allowance is a line of the list.
type allowance struct{ pkg, test, text string }

func (a allowance) covers(n string) bool {
	pkg, test, _ := strings.Cut(n, " ")
	ok, _ := path.Match(a.test, test) // readList has checked the pattern
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

// judge prints the tests that never ran and returns the number of faults.
func judge(all outcomes, list []allowance, out io.Writer) (faults int) {
	names := slices.Sorted(maps.Keys(all))
	for _, n := range names {
		why := all[n]
		switch {
		case why == "":
		case slices.ContainsFunc(list, func(a allowance) bool { return a.covers(n) && strings.Contains(why, a.text) }):
			fmt.Fprintf(out, "skipped, as allowed: %s: %s\n", n, why)
		default:
			faults++
			fmt.Fprintf(out, "SKIPPED: %s: %s\n", n, why)
		}
	}
	for _, a := range list {
		if !slices.ContainsFunc(names, a.covers) {
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
			err = all.add(data)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
	}
	if n := judge(all, list, out); n > 0 {
		return fmt.Errorf("%d faults: let the tests run, or allow the skips in %s", n, listFile)
	}
	return nil
}
