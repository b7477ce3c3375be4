// Package junit writes reports as JUnit XML for Jenkins, GitLab, GitHub's actions and most
// other programs that show test results.
//
// There is no standard. The elements and attributes are those of Jenkins' junit-10.xsd,
// with file and line on a testcase as in pytest's xunit1 and GitLab. A page is a testsuite
// and a check a testcase. The classname is <machine>.<page>, so that Jenkins shows a
// machine as a package and separates the results of machines. A failed check is a failure,
// and one that did not run to its end an error. Some readers show only the message, GitLab
// only the element's text. So the text has everything that explains the failure: reason,
// place, difference, outputs. Tries before the last one are Surefire's flakyFailure and flakyError of a
// check that passed, and else rerunFailure and rerunError.
//
// It uses encoding/xml, because libraries for JUnit are a few structs without file and line
// that neither count nor remove characters that are invalid in XML.
package junit

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
)

type testsuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	counts
	Suites []*testsuite `xml:"testsuite"`
}

type testsuite struct {
	Name string `xml:"name,attr"`
	counts
	Skipped    int        `xml:"skipped,attr"`
	Timestamp  string     `xml:"timestamp,attr"`
	Properties []property `xml:"properties>property"`
	Cases      []testcase `xml:"testcase"`
}

type counts struct {
	Tests    int     `xml:"tests,attr"`
	Failures int     `xml:"failures,attr"`
	Errors   int     `xml:"errors,attr"`
	Time     seconds `xml:"time,attr"`
}

func (c *counts) add(more counts) {
	c.Tests += more.Tests
	c.Failures += more.Failures
	c.Errors += more.Errors
	c.Time += more.Time
}

// seconds are written without an exponent, which readers do not accept.
type seconds float64

func (s seconds) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(s), 'f', 3, 64), nil
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testcase struct {
	Classname string  `xml:"classname,attr"`
	Name      string  `xml:"name,attr"`
	File      string  `xml:"file,attr,omitempty"`
	Line      int     `xml:"line,attr,omitempty"`
	Time      seconds `xml:"time,attr"`
	Failure   *result `xml:"failure"`
	Error     *result `xml:"error"`
	Skipped   *result `xml:"skipped"`
	Reruns    []rerun
	SystemOut string `xml:"system-out,omitempty"`
	SystemErr string `xml:"system-err,omitempty"`
}

// A rerun is a try of a check before its last one, as Surefire writes it.
type rerun struct {
	XMLName   xml.Name // flakyFailure, rerunError, ...
	Type      string   `xml:"type,attr"`
	Message   string   `xml:"message,attr"`
	Text      string   `xml:"stackTrace"`
	SystemOut string   `xml:"system-out,omitempty"`
	SystemErr string   `xml:"system-err,omitempty"`
}

type result struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// A Writer writes reports as JUnit files.
type Writer struct {
	// Because returns why a check did not pass, as a text of one line.
	Because func(*report.Check) string
	// Below is the site's folder relative to the repository's root, for readers that link
	// to files. It is empty for the root itself.
	Below string
}

// Marshal writes reports as one JUnit file.
func (w Writer) Marshal(reports ...*report.Report) ([]byte, error) {
	all := testsuites{Name: "gpudocs"}
	for _, r := range reports {
		for _, s := range w.suites(r) {
			all.add(s.counts)
			all.Suites = append(all.Suites, s)
		}
	}
	var out bytes.Buffer
	out.WriteString(xml.Header)
	e := xml.NewEncoder(&out)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// suites returns one suite for each page, in the order of their first checks.
func (w Writer) suites(r *report.Report) []*testsuite {
	var out []*testsuite
	byPage := map[string]*testsuite{}
	for i := range r.Checks {
		c := &r.Checks[i]
		if !standing.Of(c).Counts() {
			continue
		}
		s := byPage[c.Page]
		if s == nil {
			s = &testsuite{Name: r.Machine.Name + "." + c.Page, Properties: properties(r), Timestamp: c.Ran.UTC().Format("2006-01-02T15:04:05")}
			byPage[c.Page] = s
			out = append(out, s)
		}
		s.add(counts{Tests: 1, Time: seconds(c.DurationMS / 1000)})
		if c.Measurement != nil && c.Found != "" { // readers take properties of a suite only
			s.Properties = append(s.Properties, property{c.Name, c.Found})
		}
		for _, v := range c.Captures {
			if v.Bound != "" || v.Reference != 0 || v.Drift != nil {
				s.Properties = append(s.Properties, property{c.Name + "." + v.Name, strings.TrimSpace(v.Value + " " + v.Unit)})
			}
		}
		s.Cases = append(s.Cases, w.testcase(s, c))
	}
	return out
}

// properties returns the known properties of the machine.
func properties(r *report.Report) []property {
	g := r.Machine.GPU
	all := []property{{"machine", r.Machine.Name}, {"os", r.Machine.OS}, {"arch", r.Machine.Arch}, {"cpu", r.Machine.CPU},
		{"gpu", g.Status}, {"driver", g.Driver}, {"cuda", g.CUDA}}
	for _, d := range g.Devices {
		all = append(all, property{"device", d.Name})
	}
	all = append(all, property{"generator", r.Generator})
	return slices.DeleteFunc(all, func(p property) bool { return p.Value == "" })
}

// testcase returns the element of a check, and counts it in its suite.
func (w Writer) testcase(s *testsuite, c *report.Check) testcase {
	t := testcase{
		Classname: s.Name,
		Name:      c.Name,
		Time:      seconds(c.DurationMS / 1000),
		SystemOut: c.Stdout.String(),
		SystemErr: c.Stderr.String(),
	}
	if len(c.Places) > 0 {
		t.File = w.file(c.Places[0])
		if c.Places[0].Cell == 0 { // else it is no line of the file
			t.Line = c.Places[0].Line
		}
	}
	for _, try := range c.Tries {
		t.Reruns = append(t.Reruns, w.rerun(c, try))
	}
	if c.Outcome == report.Passed || c.Reason == nil {
		return t
	}
	why := &result{Type: c.Reason.Code, Message: w.Because(c)}
	switch standing.Of(c).Standing {
	case standing.Failed:
		s.Failures++
		t.Failure, why.Text = why, w.explained(c, why.Message)
	case standing.Errored:
		s.Errors++
		t.Error, why.Text = why, w.explained(c, why.Message)
	default: // JUnit knows neither what is not applicable nor an answer
		s.Skipped++
		t.Skipped, why.Text = why, why.Message
	}
	return t
}

// rerun returns the element of a try. Of a check that passed it is flaky.
func (w Writer) rerun(c *report.Check, try report.Try) rerun {
	as := report.Check{Places: c.Places, Outcome: try.Outcome, Reason: try.Reason, Stdout: try.Stdout, Stderr: try.Stderr, Diff: try.Diff}
	name := "rerun"
	if c.Unsteady() {
		name = "flaky"
	}
	if try.Outcome == report.Failed {
		name += "Failure"
	} else {
		name += "Error"
	}
	because := w.Because(&as)
	return rerun{xml.Name{Local: name}, try.Reason.Code, because, w.explained(&as, because), try.Stdout.String(), try.Stderr.String()}
}

// explained returns a complete explanation of a result.
func (w Writer) explained(c *report.Check, reason string) string {
	var b strings.Builder
	fmt.Fprintln(&b, reason)
	for _, p := range c.Places {
		p.File = w.file(p)
		fmt.Fprintln(&b, p)
	}
	if len(c.Diff) > 0 {
		b.WriteString("\n- expected, + found:\n")
		for _, d := range c.Diff {
			fmt.Fprintf(&b, "%s %s\n", d.Op, d.Text)
		}
	} else if out := c.Stdout.String(); out != "" {
		fmt.Fprintf(&b, "\nstdout:\n%s\n", strings.TrimRight(out, "\n"))
	}
	if c.Build != nil {
		if out := c.Build.Stdout.String() + c.Build.Stderr.String(); out != "" {
			fmt.Fprintf(&b, "\ncompiler:\n%s\n", strings.TrimRight(out, "\n"))
		}
	}
	if out := c.Stderr.String(); out != "" {
		fmt.Fprintf(&b, "\nstderr:\n%s\n", strings.TrimRight(out, "\n"))
	}
	return b.String()
}

func (w Writer) file(p report.Place) string { return path.Join(w.Below, p.File) }
