package junit

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
)

var writer = Writer{Because: func(c *report.Check) string { return "because " + c.Reason.Code + c.Reason.Said }, Below: "docs"}

func sample() *report.Report {
	ran := time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)
	at := []report.Place{{File: "content/pt/p.md", Line: 3}}
	return &report.Report{Generator: "gpudocs 1", Machine: report.Machine{Name: "lab", OS: "Debian", GPU: report.GPU{Status: "ok", Driver: "550.54.14", CUDA: "12.4",
		Devices: []report.Device{{Name: "T4"}}}},
		Checks: []report.Check{
			{Page: "p", Name: "ok", Outcome: report.Passed, Ran: ran, DurationMS: 1500, Places: at, Stdout: &report.Stream{Text: "a <b> & ]]>\n"}},
			{Page: "q", Name: "bad", Outcome: report.Failed, Ran: ran, DurationMS: 0.0001, Places: at, Reason: &report.Reason{Code: "output-differs"},
				Diff: []report.DiffLine{{Op: "-", Text: "want"}, {Op: "+", Text: "got\x1b[31m"}}, Stderr: &report.Stream{Text: "oh\x00 \xff\n"}},
			{Page: "q", Name: "err", Outcome: report.Errored, Ran: ran, DurationMS: 1e9, Places: at, Reason: &report.Reason{Code: "crash"}, Stdout: &report.Stream{Text: "partial\n"}},
			{Page: "p", Name: "skip", Outcome: report.Skipped, Ran: ran, Places: at, Reason: &report.Reason{Code: "needs-unmet"}},
		}}
}

func TestMarshal(t *testing.T) {
	t.Parallel()
	data, err := writer.Marshal(sample())
	if err != nil {
		t.Fatal(err)
	}
	want := `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="gpudocs" tests="4" failures="1" errors="1" time="1000001.500">
  <testsuite name="lab.p" tests="2" failures="0" errors="0" time="1.500" skipped="1" timestamp="2026-03-14T15:09:26">
    <properties>
      <property name="machine" value="lab"></property>
      <property name="os" value="Debian"></property>
      <property name="gpu" value="ok"></property>
      <property name="driver" value="550.54.14"></property>
      <property name="cuda" value="12.4"></property>
      <property name="device" value="T4"></property>
      <property name="generator" value="gpudocs 1"></property>
    </properties>
    <testcase classname="lab.p" name="ok" file="docs/content/pt/p.md" line="3" time="1.500">
      <system-out>a &lt;b&gt; &amp; ]]&gt;&#xA;</system-out>
    </testcase>
    <testcase classname="lab.p" name="skip" file="docs/content/pt/p.md" line="3" time="0.000">
      <skipped type="needs-unmet" message="because needs-unmet">because needs-unmet</skipped>
    </testcase>
  </testsuite>
  <testsuite name="lab.q" tests="2" failures="1" errors="1" time="1000000.000" skipped="0" timestamp="2026-03-14T15:09:26">
    <properties>
      <property name="machine" value="lab"></property>
      <property name="os" value="Debian"></property>
      <property name="gpu" value="ok"></property>
      <property name="driver" value="550.54.14"></property>
      <property name="cuda" value="12.4"></property>
      <property name="device" value="T4"></property>
      <property name="generator" value="gpudocs 1"></property>
    </properties>
    <testcase classname="lab.q" name="bad" file="docs/content/pt/p.md" line="3" time="0.000">
      <failure type="output-differs" message="because output-differs">because output-differs&#xA;docs/content/pt/p.md:3&#xA;&#xA;- expected, + found:&#xA;- want&#xA;+ got` + "\uFFFD" + `[31m&#xA;&#xA;stderr:&#xA;oh` + "\uFFFD \uFFFD" + `&#xA;</failure>
      <system-err>oh` + "\uFFFD \uFFFD" + `&#xA;</system-err>
    </testcase>
    <testcase classname="lab.q" name="err" file="docs/content/pt/p.md" line="3" time="1000000.000">
      <error type="crash" message="because crash">because crash&#xA;docs/content/pt/p.md:3&#xA;&#xA;stdout:&#xA;partial&#xA;</error>
      <system-out>partial&#xA;</system-out>
    </testcase>
  </testsuite>
</testsuites>
`
	if d := cmp.Diff(want, string(data)); d != "" {
		t.Error(d)
	}
}

// TestMachinesApart: two machines with the same pages have separate suites, and the totals
// include both.
func TestMachinesApart(t *testing.T) {
	t.Parallel()
	other := sample()
	other.Machine.Name = "other"
	data, err := writer.Marshal(sample(), other)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<testsuites name="gpudocs" tests="8" failures="2" errors="2"`, `classname="lab.p" name="ok"`, `classname="other.p" name="ok"`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %s", want)
		}
	}
}

// FuzzMarshal: whatever a snippet printed, the file is XML, from which the text can be read
// back as far as XML can represent it.
func FuzzMarshal(f *testing.F) {
	for _, s := range []string{"plain", "]]>", "\x00\x1b[31m\u0085\u202e", "\xff\xfe", "a\r\nb\tc", "&#0;", "\ufffe\U0010ffff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := sample()
		c := &r.Checks[1]
		c.Page, c.Name, c.Places[0].File, c.Reason.Said = s, s, s, s
		c.Stdout, c.Diff = &report.Stream{Text: s}, []report.DiffLine{{Op: "+", Text: s}}
		data, err := writer.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(data) {
			t.Fatal("not UTF-8")
		}
		d := xml.NewDecoder(strings.NewReader(string(data)))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%v\n%s", err, data)
			}
		}
		var back struct {
			Cases []struct {
				Name string `xml:"name,attr"`
				Out  string `xml:"system-out"`
			} `xml:"testsuite>testcase"`
		}
		if err := xml.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		want := strings.Map(func(r rune) rune {
			if r == utf8.RuneError || r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
				return utf8.RuneError
			}
			return r
		}, s)
		found := false
		for _, c := range back.Cases {
			found = found || c.Name == want && c.Out == want
		}
		if !found {
			t.Errorf("no testcase %q with its output\n%s", want, data)
		}
	})
}
