package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

const least = `{"schema": 1, "generator": "g", "machine": {"name": "m", "os": "", "arch": "", "gpu": {"status": "none"}}, "checks": []}`

func printed(l diag.List) string {
	var b strings.Builder
	diag.Print(&b, l, diag.Style{})
	return b.String()
}

func TestCheckName(t *testing.T) {
	for _, good := range []string{"a", "7", "deepnine", "deep-nine", "deep_nine.lab", "a1", strings.Repeat("a", 63)} {
		if err := CheckName(good); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "A", "-a", "a-", ".a", "a.", "a..b", "a/b", `a\b`, "a b", "é", "a\n", "..", "a:b", strings.Repeat("a", 64)} {
		err := CheckName(bad)
		want := fmt.Sprintf("%q cannot name a machine: use 1 to 63 lower-case letters, digits, and . _ - between them", bad)
		if err == nil || err.Error() != want {
			t.Errorf("CheckName(%q) = %v", bad, err)
		}
	}
}

// TestDeviceNames: a device name of Windows is refused as a new label, and a report that has
// one is read, with a warning.
func TestDeviceNames(t *testing.T) {
	for _, device := range []string{"con", "prn", "aux", "nul", "com0", "com1", "com9", "lpt0", "lpt1", "lpt9"} {
		for _, name := range []string{device, device + ".lab", device + ".a.b", device + "." + strings.Repeat("a", 59-len(device)) + "-aa"} {
			err := CheckName(name)
			other := portableName(name)
			if err == nil || !strings.Contains(err.Error(), "write "+other) || CheckName(other) != nil {
				t.Errorf("CheckName(%q) = %v", name, err)
			}
			r := &Report{Schema: Schema, Machine: Machine{Name: name, GPU: GPU{Status: GPUNone}}, Checks: []Check{}}
			data, err := Encode(r)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Parse("results/"+name+".json", data); err != nil {
				t.Error(err)
			}
			if d, warned := NameWarning("results/"+name+".json", r); !warned || d.Severity != diag.Warning || !strings.Contains(d.Hint.String(), "--machine "+other+",") {
				t.Errorf("%s: %v, %+v", name, warned, d)
			}
		}
	}
	for _, good := range []string{"con-1", "console", "acon", "lab.con", "com", "com10", "lpt-1", "auxiliary", "nul_1", "com1a", "prn1", "con-1.lab"} {
		if err := CheckName(good); err != nil {
			t.Error(err)
		}
		if d, warned := NameWarning("x", &Report{Machine: Machine{Name: good}}); warned {
			t.Error(d)
		}
	}
}

func TestParseFaults(t *testing.T) {
	check := `{"id": "` + string(id(1)) + `", "kind": "bash", "page": "p", "name": "#1", "places": [], "outcome": "passed", "ran": "2026-01-02T03:04:05Z", "duration_ms": 1}`
	with := func(checks ...string) string {
		return strings.Replace(least, `"checks": []`, "\n\"checks\": [\n"+strings.Join(checks, ",\n")+"\n]", 1)
	}
	const again = "  hint: restore its last good version from Git, or move it away and run gpudocs verify --machine m there\n"
	tests := []struct{ name, data, want string }{
		{
			"cut off", `{"schema": 1,` + "\n" + `"generator": "g`,
			"m.json:2:15: error: the report is cut off: unexpected end of JSON input\n    2 | \"generator\": \"g\n      |               ^\n" + again,
		},
		{"empty", "", "m.json:1:1: error: the report is cut off: unexpected end of JSON input\n" + again},
		{
			"no JSON", "{\n  'schema': 1}",
			"m.json:2:3: error: invalid character '\\'' looking for beginning of object key string\n    2 |   'schema': 1}\n      |   ^\n" + again,
		},
		{
			"more behind it", least + " x",
			"m.json:1:" + fmt.Sprint(len(least)+2) + ": error: invalid character 'x' after top-level value\n" +
				"    1 | " + least + " x\n      | " + strings.Repeat(" ", len(least)+1) + "^\n" + again,
		},
		{
			"a list", `[]`,
			"m.json:1:1: error: unexpected array\n    1 | []\n      | ^\n" + again,
		},
		{"null", `null`, "m.json: error: not a gpudocs report: it has no schema number\n  hint: move it away: results/ holds nothing but reports\n"},
		{"of another program", `{"name": "x"}`, "m.json: error: not a gpudocs report: it has no schema number\n  hint: move it away: results/ holds nothing but reports\n"},
		{
			"an older schema", "{\n  \"schema\": 0\n}",
			"m.json:2:3: error: the report has schema 0; this gpudocs reads schemas 1 and 2\n    2 |   \"schema\": 0\n      |   ^~~~~~~~\n" + again,
		},
		{
			"a newer schema, with fields that are not known yet", "{\n  \"future\": {}, \"schema\": 3\n}",
			"m.json:2:17: error: the report has schema 3; this gpudocs reads schemas 1 and 2\n    2 |   \"future\": {}, \"schema\": 3\n      |                 ^~~~~~~~\n" +
				"  hint: a newer gpudocs wrote it: update gpudocs\n",
		},
		{
			"unknown field", "{\"schema\": 1,\n\"hostname\": \"x\"}",
			"m.json:2:1: error: unknown field \"hostname\" in a report of schema 1\n    2 | \"hostname\": \"x\"}\n      | ^~~~~~~~~~\n" + again,
		},
		{
			"wrong type", "{\"schema\": 1,\n\"checks\": \"x\"}",
			"m.json:2:13: error: checks: unexpected string\n    2 | \"checks\": \"x\"}\n      |             ^\n" + again,
		},
		{
			"a time that is none", with(strings.Replace(check, "2026-01-02", "2026-02-30", 1)),
			"m.json: error: parsing time \"2026-02-30T03:04:05Z\": day out of range\n" + again,
		},
		{
			"another machine", strings.Replace(least, `"m"`, `"n"`, 1),
			"m.json: error: the report of machine \"n\" must be named n.json\n" + again,
		},
		{
			"a name with a slash", strings.Replace(least, `"m"`, `"../m"`, 1),
			"m.json: error: \"../m\" cannot name a machine: use 1 to 63 lower-case letters, digits, and . _ - between them\n" + again,
		},
		{"the same ID twice", with(check, check), "m.json: error: check \"" + string(id(1)) + "\" occurs twice\n" + again},
		{
			"a fault of the second check", with(check, strings.Replace(strings.Replace(check, string(id(1)), string(id(2)), 1), "passed", "failed", 1)),
			"m.json: error: check 2: outcome \"failed\" without a reason\n" + again,
		},
		{
			"deep nesting", `{"schema": 1, "checks": ` + strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20) + `}`,
			"m.json:1:10024: error: invalid character '[' exceeded max depth\n" + again,
		},
		{"larger than a report may be", strings.Repeat(" ", MaxSize+1), "m.json: error: the report is larger than 64 MiB\n" + again},
		{
			"conflict markers", "{\"schema\": 1,\r\n<<<<<<< HEAD\r\n\"generator\": \"g\"\n=======\n>>>>>>> other\n",
			"m.json:2:1: error: Git could not merge two versions of this report and left conflict markers in it\n    2 | <<<<<<< HEAD\n      | ^~~~~~~~~~~~\n" +
				"  hint: keep one side, git checkout --theirs -- m.json, or move the file away and run gpudocs verify again\n",
		},
		{
			"one marker that was left over", "{\"schema\": 1,\n||||||| 1843976\n}\n",
			"m.json:2:1: error: Git could not merge two versions of this report and left conflict markers in it\n    2 | ||||||| 1843976\n      | ^~~~~~~~~~~~~~~\n" +
				"  hint: keep one side, git checkout --theirs -- m.json, or move the file away and run gpudocs verify again\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Parse("m.json", []byte(tt.data))
			var d diag.Diagnostic
			if !errors.As(err, &d) || d.Hint.IsZero() {
				t.Fatalf("%+v, %v", r, err)
			}
			if diff := cmp.Diff(tt.want, printed(diag.List{d})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestMarksOfADifference: captures lie within their line and do not overlap, because pages
// split the line there.
func TestMarksOfADifference(t *testing.T) {
	for _, tt := range []struct {
		taken [][2]int
		good  bool
	}{
		{nil, true},
		{[][2]int{{0, 3}}, true},
		{[][2]int{{0, 1}, {1, 2}, {2, 2}, {3, 3}}, true},
		{[][2]int{{-1, 1}}, false},
		{[][2]int{{0, 4}}, false},
		{[][2]int{{4, 4}}, false},
		{[][2]int{{2, 1}}, false},
		{[][2]int{{0, 2}, {1, 3}}, false},
		{[][2]int{{2, 3}, {0, 1}}, false},
	} {
		r := sample()
		r.Checks[1].Diff = []DiffLine{{Op: " ", Text: "abc", Taken: tt.taken}}
		data, err := json.Marshal(store(r))
		if err != nil {
			t.Fatal(err)
		}
		_, err = Parse(r.Machine.Name+".json", data)
		if tt.good && err != nil || !tt.good && !strings.Contains(fmt.Sprint(err), "a mark outside of its line") {
			t.Errorf("%v: error %v", tt.taken, err)
		}
	}
}

func TestReadDir(t *testing.T) {
	report := func(name string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(strings.Replace(least, `"m"`, `"`+name+`"`, 1))}
	}
	tests := []struct {
		name  string
		fsys  fs.FS
		want  []string
		diags string
	}{
		{"no folder", fstest.MapFS{}, nil, ""},
		{"an empty folder", fstest.MapFS{"results": {Mode: fs.ModeDir | 0o755}}, nil, ""},
		{
			"by name; nothing but reports",
			fstest.MapFS{
				"results/b.json": report("b"), "results/a.json": report("a"), "results/a.b.json": report("a.b"),
				"results/README.md": {}, "results/.a.json.123": {Data: []byte("{")}, "results/old/c.json": report("c"), "results/x.json/y": {},
			},
			[]string{"a.b", "a", "b"}, "",
		},
		{
			"one broken file does not hide the others",
			fstest.MapFS{"results/a.json": {Data: []byte("{")}, "results/b.json": report("b"), "results/c.json": report("d")},
			[]string{"b"},
			"results/a.json:1:1: error: the report is cut off: unexpected end of JSON input\n    1 | {\n      | ^\n" +
				"  hint: restore its last good version from Git, or move it away and run gpudocs verify --machine a there\n" +
				"results/c.json: error: the report of machine \"d\" must be named d.json\n" +
				"  hint: restore its last good version from Git, or move it away and run gpudocs verify --machine c there\n",
		},
		{
			"a file that may not be read",
			refusing{fstest.MapFS{"results/a.json": report("a"), "results/b.json": report("b")}, "results/a.json", fs.ErrPermission},
			[]string{"b"},
			"results/a.json: error: cannot be read: permission denied\n  hint: let the user who runs gpudocs read it: chmod u+r, and u+x for a folder\n",
		},
		{
			"a folder that may not be read",
			refusing{fstest.MapFS{"results/a.json": report("a")}, "results", fs.ErrPermission},
			nil,
			"results: error: cannot be read: permission denied\n  hint: let the user who runs gpudocs read it: chmod u+r, and u+x for a folder\n",
		},
		{
			"a link out of the site",
			refusing{fstest.MapFS{"results/a.json": report("a")}, "results/a.json", errors.New("path escapes from parent")},
			nil,
			"results/a.json: error: cannot be read: a symbolic link that leads out of the site\n  hint: copy the file into the site\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reports, diags := ReadDir(tt.fsys, "results")
			var names []string
			for _, r := range reports {
				names = append(names, r.Machine.Name)
			}
			if diff := cmp.Diff(tt.want, names); diff != "" {
				t.Errorf("reports (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(tt.diags, printed(diags)); diff != "" {
				t.Errorf("diagnostics (-want +got)\n%s", diff)
			}
			for _, d := range diags {
				if d.Hint.IsZero() {
					t.Errorf("no hint: %v", d)
				}
			}
		})
	}
}

// refusing is a file system that returns an error for one name.
type refusing struct {
	fs.FS
	name string
	err  error
}

func (r refusing) Open(name string) (fs.File, error) {
	if name == r.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: r.err}
	}
	return r.FS.Open(name)
}

// readReport reads one report.
func readReport(fsys fs.FS, name string) (*Report, error) {
	data, err := readFile(fsys, name)
	if err != nil {
		return nil, err
	}
	return Parse(name, data)
}

func TestReadRefusesAnEndlessFile(t *testing.T) {
	_, err := readReport(endless{}, "m.json")
	if err == nil || !strings.Contains(err.Error(), "larger than 64 MiB") {
		t.Error(err)
	}
}

// TestReadRefusesALargeFile: a text of 100 MB, for example, is not read into memory.
func TestReadRefusesALargeFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.json")
	if err := os.WriteFile(file, []byte(`{"schema": 1, "generator": "`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, 100_000_000); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := readReport(os.DirFS(filepath.Dir(file)), "m.json")
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "larger than 64 MiB") {
		t.Error(err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
}

// endless is an infinite file.
type endless struct{ fs.File }

func (endless) Open(string) (fs.File, error) { return endless{}, nil }
func (endless) Close() error                 { return nil }
func (endless) Stat() (fs.FileInfo, error)   { return fs.Stat(fstest.MapFS{"m": {}}, "m") }
func (endless) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestReadRefusesWhatIsNoFile: such an entry is not even opened, since opening a named pipe
// waits for a writer.
func TestReadRefusesWhatIsNoFile(t *testing.T) {
	fsys := fstest.MapFS{"results/a.json": {Mode: fs.ModeNamedPipe | 0o644}, "results/b.json": {Mode: fs.ModeSocket | 0o644}, "results/c.json": {
		Data: []byte(strings.Replace(least, `"m"`, `"c"`, 1)),
	}}
	reports, diags := ReadDir(fsys, "results")
	if len(reports) != 1 || reports[0].Machine.Name != "c" {
		t.Errorf("%d reports", len(reports))
	}
	const why = ": error: cannot be read: it is not a regular file\n  hint: make it a plain file that can be read, or remove it\n"
	if diff := cmp.Diff("results/a.json"+why+"results/b.json"+why, printed(diags)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestReadWithoutPermission(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "m.json"), []byte(least), 0o200); err != nil {
		t.Fatal(err)
	}
	if _, err := readReport(os.DirFS(dir), "m.json"); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
}

func TestWriteAndRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results", "deep-nine.lab_2.json")
	for range 2 { // the second one replaces the first
		if err := Write(file, sample()); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readReport(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample(), got); diff != "" {
		t.Errorf("(-written +read)\n%s", diff)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	onlyFile(t, filepath.Dir(file), filepath.Base(file))
	if data := read(t, file); !strings.HasSuffix(string(data), "\n}\n") || !strings.HasPrefix(string(data), "{\n  \"schema\": 2,\n") {
		t.Errorf("unexpected format: %.40q", data)
	}
}

// onlyFile checks that nothing else is in the file's folder.
func onlyFile(t *testing.T, dir, name string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != name {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestWriteEscapesNoHTML: output is written to the report unescaped, and Unicode's line
// separators, which are special in JavaScript, are read back.
func TestWriteEscapesNoHTML(t *testing.T) {
	const text = "<a href=\"x\">&amp; > \u2028\u2029</a>\n"
	file := filepath.Join(t.TempDir(), "deep-nine.lab_2.json")
	r := sample()
	r.Checks[0].Stdout.Text = text
	if err := Write(file, r); err != nil {
		t.Fatal(err)
	}
	data := string(read(t, file))
	if !strings.Contains(data, `<a href=\"x\">&amp; > `) {
		t.Errorf("the text is not in\n%s", data)
	}
	for _, escape := range []string{`\u003c`, `\u003e`, `\u0026`} {
		if strings.Contains(data, escape) {
			t.Errorf("the report has %s", escape)
		}
	}
	got, err := readReport(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		t.Fatal(err)
	}
	if got.Checks[0].Stdout.Text != text {
		t.Errorf("%q became %q", text, got.Checks[0].Stdout.Text)
	}
}

// TestWriteRefuses: a report that could not be read back does not replace a valid one.
func TestWriteRefuses(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*Report)
		want  string
	}{
		{"no schema number", func(r *Report) { r.Schema = 0 }, "schema 0"},
		{"a name with a slash", func(r *Report) { r.Machine.Name = "a/b" }, "cannot name a machine"},
		{"no name", func(r *Report) { r.Machine.Name = "" }, "cannot name a machine"},
		{"no reason", func(r *Report) { r.Checks[1].Reason = nil }, "without a reason"},
		{"two of an ID", func(r *Report) { r.Checks[1].ID = r.Checks[0].ID }, "occurs twice"},
		{"a long text", func(r *Report) { r.Machine.CPU = strings.Repeat("x", maxShort+1) }, "a text of 1025 bytes, more than 1024"},
		{"a text that grows when it is written", func(r *Report) { r.Checks[0].Stdout.Text = strings.Repeat("\xff", 256<<10) }, "more than 262144"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "m.json")
			if err := os.WriteFile(file, []byte("before"), 0o644); err != nil {
				t.Fatal(err)
			}
			r := sample()
			tt.spoil(r)
			err := Write(file, r)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "gpudocs made a report that it would not read: ") {
				t.Errorf("%v, want %s", err, tt.want)
			}
			if got := read(t, file); string(got) != "before" {
				t.Errorf("the file became %q", got)
			}
			onlyFile(t, dir, "m.json")
		})
	}
}

func TestWriteWhereItCannot(t *testing.T) {
	t.Run("the folder is a file", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "results")
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := Write(filepath.Join(file, "m.json"), sample()); err == nil {
			t.Error("no error")
		}
	})
	t.Run("the name is a folder's", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "m.json", "x"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := Write(filepath.Join(dir, "m.json"), sample()); err == nil {
			t.Error("no error")
		}
		onlyFile(t, dir, "m.json")
	})
	t.Run("the folder is not writable", func(t *testing.T) {
		if os.Getuid() == 0 {
			t.Skip("root may write everywhere")
		}
		dir := t.TempDir()
		file := filepath.Join(dir, "m.json")
		if err := os.WriteFile(file, []byte("before"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(dir, 0o700)
		if err := Write(file, sample()); !errors.Is(err, fs.ErrPermission) {
			t.Error(err)
		}
		if got := read(t, file); string(got) != "before" {
			t.Errorf("the file became %q", got)
		}
	})
}

// FuzzParse: nothing panics, and a parsed report can be written and read again without a
// change.
func FuzzParse(f *testing.F) {
	data, err := Encode(sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(least))
	f.Add([]byte(`{"schema": 1, "x": 2}`))
	f.Add([]byte(`{"schema": 1, "checks": [{"ran": "x"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		// The file has the name that the report requires.
		var head struct{ Machine struct{ Name string } }
		_ = json.Unmarshal(data, &head)
		name := head.Machine.Name + ".json"
		r, err := Parse(name, data)
		if err != nil {
			var d diag.Diagnostic
			if !errors.As(err, &d) || d.Message.IsZero() || d.Hint.IsZero() || d.File != name {
				t.Fatalf("%#v", err)
			}
			return
		}
		again, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		r2, err := Parse(name, again)
		if err != nil {
			t.Fatalf("%v\n%s", err, again)
		}
		if diff := cmp.Diff(r, r2, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("(-first +second)\n%s", diff)
		}
	})
}

// TestListsAreLimited: every list of a report has a limit, which is the one that others know, and a new field of another kind is
// noticed.
func TestListsAreLimited(t *testing.T) {
	t.Parallel()
	known := map[string]int{
		"Report.Checks": 0, "DiffLine.Taken": 0, // parse compares them with a number and with the text
		"Check.Captures": MaxCaptures, "Check.Figures": MaxFigures, "Check.Packages": MaxPackages, "Check.Files": MaxFiles,
		"Check.Tasks": MaxTasks, "Check.Tries": MaxTries, "Check.History": MaxHistory, "Check.Places": MaxChecks,
		"Past.Captures": MaxCaptures, "Machine.Environments": MaxEnvironments, "Machine.Answers": MaxAnswers,
		"Environment.Frameworks": MaxFrameworks, "Environment.Modules": MaxModules,
		"Figure.SVG": MaxFigure, "Figure.HTML": MaxMarkup, "Figure.LaTeX": MaxMarkup,
	}
	var visit func(of reflect.Type)
	visit = func(of reflect.Type) {
		for f := range of.Fields() {
			field, kind := of.Name()+"."+f.Name, f.Type
			if kind.Kind() == reflect.Pointer {
				kind = kind.Elem()
			}
			limit, _ := strconv.Atoi(f.Tag.Get("max"))
			if want, is := known[field]; is && limit != want {
				t.Errorf("%s has the limit %d, want %d", field, limit, want)
			}
			delete(known, field)
			if kind.Kind() == reflect.Slice && kind != reflect.TypeFor[[]byte]() {
				if limit == 0 && field != "Report.Checks" && field != "DiffLine.Taken" {
					t.Errorf("%s has no limit", field)
				}
				kind = kind.Elem()
			}
			switch kind.Kind() {
			case reflect.Struct:
				if kind != reflect.TypeFor[time.Time]() {
					visit(kind)
				}
			case reflect.Map, reflect.Interface, reflect.Pointer:
				t.Errorf("%s is a %s, which has no limit", field, f.Type)
			}
		}
	}
	visit(reflect.TypeFor[Report]())
	if len(known) > 0 {
		t.Errorf("%v are no fields of a report", known)
	}
}
