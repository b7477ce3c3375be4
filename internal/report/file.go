package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

var machineName = regexp.MustCompile(`^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$`)

// deviceName matches names of devices on Windows, with any extension. No file there can
// have such a name.
var deviceName = regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)

// kindName matches the kinds of checks. Besides [Kinds] these are names of recipes.
var kindName = regexp.MustCompile(`^[a-z][a-z0-9_+-]{0,31}$`)

// ValidKind reports whether a text can be the kind of a check.
func ValidKind(kind string) bool { return kindName.MatchString(kind) }

// CheckName returns why a label cannot name the machine of a new report, or nil. A
// label becomes a file name, part of URLs, and an HTML id. Device names of Windows are
// refused, because the site could not be checked out there.
func CheckName(name string) error {
	if err := CheckOldName(name); err != nil {
		return err
	}
	if other := portableName(name); other != name {
		return diag.Say("report.machine-name-reserved", "name", name, "other", other)
	}
	return nil
}

// CheckOldName returns why a label cannot be that of an existing report, or nil. It
// allows device names, which were not refused at first.
func CheckOldName(name string) error {
	if machineName.MatchString(name) && !strings.Contains(name, "..") {
		return nil
	}
	return diag.Say("report.machine-name-invalid", "name", name)
}

// portableName returns the label, or a similar one if it is a device name on Windows.
func portableName(label string) string {
	if !deviceName.MatchString(label) {
		return label
	}
	other := deviceName.ReplaceAllString(label, "$1-1$2")
	return strings.TrimRight(other[:min(len(other), 63)], "._-")
}

// NameWarning returns a warning about the report in the named file if [CheckName] refuses
// its label.
func NameWarning(name string, r *Report) (d diag.Diagnostic, warned bool) {
	label := r.Machine.Name
	other := portableName(label)
	return diag.About(diag.Warning, name, diag.Say("report.label-reserved", "label", label, "other", other)), other != label
}

// clockSlack is how far ahead a result may be dated: clocks and time zones are set wrong by a few hours.
const clockSlack = 24 * time.Hour

// now is the time for [Future]. Tests replace it.
var now = time.Now

// Future reports whether a result is dated so far ahead that the clock of its machine was wrong.
func Future(ran time.Time) bool { return ran.Sub(now()) > clockSlack }

// Ahead returns a warning about the report in the named file if a result in it is dated ahead.
func Ahead(name string, r *Report) (d diag.Diagnostic, warned bool) {
	for _, c := range r.Checks {
		if Future(c.Ran) {
			return diag.About(diag.Warning, name, diag.Say("report.future", "machine", r.Machine.Name,
				"day", c.Ran.UTC().Format(time.DateOnly))), true
		}
	}
	return d, false
}

// readFile reads the file of a report. It refuses one that is too large without reading it.
func readFile(fsys fs.FS, name string) ([]byte, error) {
	if info, err := fs.Stat(fsys, name); err == nil && info.Size() > MaxSize {
		return nil, tooLarge(name, nameOf(name))
	}
	return ReadRegular(fsys, name, MaxSize)
}

// ReadRegular reads a regular file. Of a file with more than limit bytes it reads limit+1.
func ReadRegular(fsys fs.FS, name string, limit int64) ([]byte, error) {
	if info, err := fs.Stat(fsys, name); err == nil && !info.Mode().IsRegular() {
		return nil, diag.Say("report.file-not-regular") // a named pipe would never end
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit+1))
}

// Parse parses the content of the named file, whose base must be the machine's name.
func Parse(name string, data []byte) (*Report, error) {
	return ParseAs(name, nameOf(name), data)
}

// nameOf returns the machine's name from the name of its report's file.
func nameOf(file string) string { return strings.TrimSuffix(path.Base(file), ".json") }

// ParseAs parses the report of a machine from a file of any name. The error is a
// [diag.Diagnostic] of that file with a hint.
func ParseAs(name, machine string, data []byte) (*Report, error) {
	if len(data) > MaxSize {
		return nil, tooLarge(name, machine)
	}
	file := diag.NewFile(name, data)
	hint := restoreHint(machine)
	var head struct{ Schema *int }
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, jsonFault(file, 0, err, hint)
	}
	if head.Schema == nil || *head.Schema != Schema && *head.Schema != oldSchema {
		return nil, schemaFault(file, head.Schema, hint)
	}
	r, stored := &Report{}, &storedReport{}
	into := any(stored)
	if *head.Schema == oldSchema {
		into = r
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return nil, jsonFault(file, *head.Schema, err, hint)
	}
	if at, key := duplicateKey(data); key != "" {
		return nil, faultAt(file, at, at+len(key)+2, diag.Say("report.json-key-duplicate", "key", key).WithHint(hint))
	}
	var err error
	if *head.Schema == oldSchema {
		upgrade(r)
	} else {
		r, err = stored.report()
	}
	if err == nil {
		err = r.validate(machine)
	}
	if err != nil {
		return nil, diag.About(diag.Error, name, diag.Plain(err).WithHint(hint))
	}
	return r, nil
}

// restoreHint is the remedy for a damaged report: verify does not continue it, so it must
// be removed first.
func restoreHint(machine string) diag.Text {
	if CheckName(machine) != nil {
		machine = "NAME"
	}
	return diag.Say("report.restore-hint", "machine", machine)
}

func tooLarge(name, machine string) error {
	return diag.About(diag.Error, name, diag.Say("report.too-large", "most", MaxSize>>20).WithHint(restoreHint(machine)))
}

func jsonFault(f *diag.File, schema int, err error, hint diag.Text) error {
	if start, end, found := conflict(f.Data); found {
		return f.Error(start, end, diag.Say("report.conflict", "name", f.Name))
	}
	message := diag.Plain(strings.TrimPrefix(err.Error(), "json: "))
	var at int
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = int(syntax.Offset) - 1
	case errors.As(err, &kind):
		at = int(kind.Offset) - 1
		message = diag.Say("diag.unexpected", "quote", kind.Value)
		if kind.Field != "" {
			message = diag.Say("report.json-value-unexpected", "field", kind.Field, "value", kind.Value)
		}
	case strings.HasPrefix(err.Error(), "json: unknown field "):
		field := strings.TrimPrefix(err.Error(), "json: unknown field ")
		at = bytes.Index(f.Data, []byte(field))
		return f.Error(at, at+len(field), diag.Say("report.json-field-unknown", "field", field, "schema", schema).WithHint(hint))
	default: // a type's own error, such as that of a time, has no position
		return diag.About(diag.Error, f.Name, message.WithHint(hint))
	}
	if strings.Contains(message.String(), "unexpected end") {
		message = diag.Say("report.cut-off", "message", message)
	}
	return faultAt(f, at, at+1, message.WithHint(hint))
}

// faultAt returns a diagnostic about a part of the file, without its line if that is long, as in
// JSON without line breaks.
func faultAt(f *diag.File, start, end int, message diag.Text) diag.Diagnostic {
	d := f.Error(start, end, message)
	if len(d.Source) > 400 {
		d.Source = ""
	}
	return d
}

func schemaFault(f *diag.File, got *int, hint diag.Text) error {
	if got == nil {
		return diag.About(diag.Error, f.Name, diag.Say("report.schema-missing"))
	}
	at := max(bytes.Index(f.Data, []byte(`"schema"`)), 0)
	if *got > Schema {
		hint = diag.Say("report.schema-newer-hint")
	}
	return f.Error(at, at+len(`"schema"`), diag.Say("report.schema-unsupported", "schema", *got, "old", oldSchema, "n", Schema).WithHint(hint))
}

// validate checks what the JSON types do not ensure.
func (r *Report) validate(base string) error {
	m := r.Machine
	if err := CheckOldName(m.Name); err != nil {
		return err
	}
	switch {
	case m.Name != base:
		return diag.Say("report.invalid-name-of-file", "machine", m.Name)
	case !slices.Contains([]string{GPUOk, GPUNone, GPUBroken}, m.GPU.Status):
		return diag.Say("report.invalid-gpu-status", "name", m.GPU.Status)
	case !slices.Contains([]string{"", LimitsCgroup, LimitsPrlimit}, m.Limits),
		!slices.Contains([]string{"", SandboxBwrap}, m.Sandbox):
		return diag.Say("report.invalid-limits", "limits", m.Limits, "sandbox", m.Sandbox)
	case !slices.Contains([]string{"", ContainmentNamespace, ContainmentCgroup, ContainmentReaper, ContainmentMark,
		ContainmentGroup}, m.Containment):
		return diag.Say("report.invalid-containment", "name", m.Containment)
	case m.Had != nil && m.Had.Ran.IsZero():
		return diag.Say("report.invalid-no-time")
	case len(r.Checks) > MaxChecks:
		return diag.Say("report.invalid-too-many-checks", "n", MaxChecks)
	}
	if err := errors.Join(bounded(r.Generator), bounded(m)); err != nil {
		return err
	}
	seen := map[ID]bool{}
	for i := range r.Checks {
		c := &r.Checks[i]
		if seen[c.ID] {
			return diag.Say("report.invalid-check-twice", "id", c.ID)
		}
		seen[c.ID] = true
		if err := c.validate(); err != nil {
			return diag.Say("report.invalid-check", "n", i+1, "why", err)
		}
	}
	return nil
}

func (c *Check) validate() error {
	switch {
	case !c.ID.valid():
		return diag.Say("report.invalid-id", "id", c.ID)
	case !ValidKind(c.Kind):
		return diag.Say("report.invalid-kind", "name", c.Kind)
	case c.Outcome != Passed && c.Reason == nil:
		return diag.Say("report.invalid-no-reason", "outcome", c.Outcome)
	}
	if err := errors.Join(bounded(*c), c.Past().validate()); err != nil {
		return err
	}
	for _, r := range c.reasons() {
		if r.Detail1 != "" {
			return diag.Say("report.json-field-unknown", "field", "detail", "schema", Schema)
		}
	}
	for _, p := range c.History {
		if err := p.validate(); err != nil {
			return diag.Say("report.invalid-past", "why", err)
		}
	}
	for _, t := range c.Tries {
		if t.Outcome != Failed && t.Outcome != Errored {
			return diag.Say("report.invalid-try-outcome", "outcome", t.Outcome)
		}
		as := Check{
			ID:         c.ID,
			Kind:       c.Kind,
			Ran:        c.Ran,
			Outcome:    t.Outcome,
			Reason:     t.Reason,
			DurationMS: t.DurationMS,
			Stdout:     t.Stdout,
			Stderr:     t.Stderr,
			Diff:       t.Diff,
		}
		if err := as.validate(); err != nil {
			return diag.Say("report.invalid-try", "why", err)
		}
	}
	places := c.Places
	if c.Reason != nil && c.Reason.Place != nil {
		places = append(slices.Clip(places), *c.Reason.Place)
	}
	for _, p := range places {
		if p.Cell < 0 || p.Line < 1 {
			return diag.Say("report.invalid-place", "line", p.Line, "cell", p.Cell)
		}
	}
	streams := []*Stream{c.Stdout, c.Stderr}
	if c.Build != nil {
		if c.Build.Outcome != Passed && c.Build.Outcome != Failed {
			return diag.Say("report.invalid-build-outcome", "outcome", c.Build.Outcome)
		}
		streams = append(streams, c.Build.Stdout, c.Build.Stderr)
	}
	for _, s := range streams {
		if s != nil && (s.Cut < 0 || s.Bytes < 0) {
			return diag.Say("report.invalid-cut", "cut", s.Cut, "bytes", s.Bytes)
		}
	}
	for _, t := range c.Tasks {
		if err := (Past{Ran: c.Ran, Outcome: t.Outcome, DurationMS: t.DurationMS}).validate(); err != nil {
			return diag.Say("report.invalid-task", "n", t.Index, "why", err)
		}
		if t.Index < 0 || t.Bytes < 0 || t.Outcome != Passed && t.Reason == nil {
			return diag.Say("report.invalid-task-outcome", "task", t.Index, "bytes", t.Bytes, "outcome", t.Outcome)
		}
	}
	for _, f := range c.Files {
		if f.Bytes < 0 {
			return diag.Say("report.invalid-file-size", "bytes", f.Bytes)
		}
	}
	for _, d := range c.Diff {
		if d.Op != " " && d.Op != "-" && d.Op != "+" {
			return diag.Say("report.invalid-diff-mark", "name", d.Op)
		}
		if !d.takenFits() {
			return diag.Say("report.invalid-diff-place")
		}
	}
	for _, f := range c.Figures {
		if _, _, err := f.Size(); err != nil {
			return err
		}
	}
	return nil
}

func (p Past) validate() error {
	switch {
	case !slices.Contains([]Outcome{Passed, Failed, Errored, Skipped}, p.Outcome):
		return diag.Say("report.invalid-outcome", "outcome", p.Outcome)
	case p.Ran.IsZero():
		return diag.Say("report.invalid-no-time")
	case !(p.DurationMS >= 0 && p.DurationMS < 1e12):
		return diag.Say("report.invalid-duration", "ms", p.DurationMS)
	case !(p.BuildMS >= 0 && p.BuildMS < 1e12):
		return diag.Say("report.invalid-build-duration", "ms", p.BuildMS)
	}
	return nil
}

// bounded returns an error if a text or a list within a value exceeds its limit: that of the tag max of its field, or maxShort for a
// text without one.
func bounded(v any) error { return boundedField(reflect.ValueOf(v), boundary{}) }

// A boundary is the name of a field in the file and its limit, or 0.
type boundary struct {
	name  string
	limit int
}

// boundaries are those of the fields of a struct, by its type.
var boundaries sync.Map // of reflect.Type to []boundary

func boundariesOf(t reflect.Type) []boundary {
	if known, ok := boundaries.Load(t); ok {
		return known.([]boundary)
	}
	var list []boundary
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		limit, _ := strconv.Atoi(f.Tag.Get("max"))
		list = append(list, boundary{name, limit})
	}
	boundaries.Store(t, list)
	return list
}

// boundedField does the same for the value of a field.
func boundedField(v reflect.Value, b boundary) error {
	switch v.Kind() {
	case reflect.String:
		if limit := cmp.Or(b.limit, maxShort); v.Len() > limit {
			return diag.Say("report.invalid-text-length", "bytes", v.Len(), "most", limit)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return boundedField(v.Elem(), b)
		}
	case reflect.Slice:
		if b.limit > 0 && v.Len() > b.limit {
			return diag.Say("report.invalid-list-length", "name", b.name, "most", b.limit)
		}
		if kind := v.Type().Elem().Kind(); kind == reflect.Struct || kind == reflect.String {
			for i := range v.Len() {
				if err := boundedField(v.Index(i), boundary{}); err != nil {
					return err
				}
			}
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return nil
		}
		for i, b := range boundariesOf(v.Type()) {
			if err := boundedField(v.Field(i), b); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d DiffLine) takenFits() bool {
	end := 0
	for _, t := range d.Taken {
		if t[0] < end || t[1] < t[0] || t[1] > len(d.Text) {
			return false
		}
		end = t[1]
	}
	return true
}

// Newest returns the time of the newest result, or the zero time. One that is dated ahead counts only if all are.
func (r *Report) Newest() (t time.Time) {
	for _, c := range r.Checks {
		ahead, was := Future(c.Ran), Future(t)
		if t.IsZero() || was && !ahead || was == ahead && c.Ran.After(t) {
			t = c.Ran
		}
	}
	return t
}

// A File is a report with the bytes that it was read from.
type File struct {
	Name   string
	Data   []byte
	Report *Report
	// Fault is why Report is nil.
	Fault *diag.Diagnostic
}

// Machine returns the name of the machine that the file is named after.
func (f File) Machine() string { return nameOf(f.Name) }

// ReadDir reads every *.json of a folder, sorted by name. A missing folder has no
// reports.
func ReadDir(fsys fs.FS, dir string) ([]*Report, diag.List) {
	var reports []*Report
	var faults diag.List
	diags := EachFile(fsys, dir, func(f File) {
		if f.Fault != nil {
			faults.Add(*f.Fault)
			return
		}
		reports = append(reports, f.Report)
	})
	return reports, append(diags, faults...)
}

// EachFile calls use for every *.json of a folder, sorted by name. Files that cannot be
// read have a Fault. The diagnostics are about the folder.
func EachFile(fsys fs.FS, dir string, use func(File)) diag.List {
	var diags diag.List
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		diags.Add(diag.Unreadable(dir, err))
	}
	for _, e := range entries {
		if e.IsDir() || path.Ext(e.Name()) != ".json" {
			continue
		}
		name := path.Join(dir, e.Name())
		data, err := readFile(fsys, name)
		var r *Report
		if err == nil {
			r, err = Parse(name, data)
		}
		if err != nil {
			d := diag.Unreadable(name, err)
			use(File{Name: name, Data: data, Fault: &d})
			continue
		}
		use(File{Name: name, Data: data, Report: r})
	}
	return diags
}

// Write writes the report to its file atomically, and removes the signature of the report
// that it replaces; see [WriteSigned].
func Write(file string, r *Report) error {
	data, err := Encode(r)
	if err != nil {
		return err
	}
	return WriteSigned(file, data, nil)
}
