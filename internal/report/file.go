package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

var machineName = regexp.MustCompile(`^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$`)

// deviceName matches names of devices on Windows, with any extension. No file there can
// have such a name.
var deviceName = regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)

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
	return diag.Diagnostic{Severity: diag.Warning, File: name, Message: diag.Say("report.label-reserved", "label", label),
		Hint: diag.Say("report.label-reserved-hint", "other", other)}, other != label
}

// Read reads one report. If its content is invalid, the error is a [diag.Diagnostic].
func Read(fsys fs.FS, name string) (*Report, error) {
	data, err := readFile(fsys, name)
	if err != nil {
		return nil, err
	}
	return Parse(name, data)
}

// readFile reads at most one byte more than a report may have.
func readFile(fsys fs.FS, name string) ([]byte, error) {
	if info, err := fs.Stat(fsys, name); err == nil {
		if !info.Mode().IsRegular() {
			return nil, diag.Say("report.file-not-regular") // a named pipe would never end
		}
		if info.Size() > MaxSize {
			return nil, tooLarge(name, nameOf(name)) // without reading it
		}
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, MaxSize+1))
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
	again := againHint(machine)
	var head struct{ Schema *int }
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, jsonFault(file, err, again)
	}
	if head.Schema == nil || *head.Schema != Schema {
		return nil, schemaFault(file, head.Schema, again)
	}
	r := &Report{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(r); err != nil {
		return nil, jsonFault(file, err, again)
	}
	if at, key := twice(data); key != "" {
		d := file.Error(at, at+len(key)+2, diag.Say("report.json-key-duplicate", "key", key), again)
		if len(d.Source) > 400 {
			d.Source = ""
		}
		return nil, d
	}
	if err := r.validate(machine); err != nil {
		return nil, diag.Diagnostic{File: name, Message: diag.Plain(err), Hint: again}
	}
	return r, nil
}

// againHint is the remedy for a damaged report: verify does not continue it, so it must
// be removed first.
func againHint(machine string) diag.Text {
	if CheckName(machine) != nil {
		machine = "NAME"
	}
	return diag.Say("report.restore-hint", "machine", machine)
}

func tooLarge(name, machine string) error {
	return diag.Diagnostic{File: name, Message: diag.Say("report.too-large", "most", MaxSize>>20), Hint: againHint(machine)}
}

func jsonFault(f *diag.File, err error, hint diag.Text) error {
	if start, end, found := conflict(f.Data); found {
		return f.Error(start, end, diag.Say("report.conflict"),
			diag.Say("report.conflict-hint", "name", f.Name))
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
		return f.Error(at, at+len(field), diag.Say("report.json-field-unknown", "field", field), hint)
	default: // a type's own error, such as that of a time, has no position
		return diag.Diagnostic{File: f.Name, Message: message, Hint: hint}
	}
	if strings.Contains(message.String(), "unexpected end") {
		message = diag.Say("report.cut-off", "message", message)
	}
	d := f.Error(at, at+1, message, hint)
	if len(d.Source) > 400 {
		d.Source = ""
	}
	return d
}

func schemaFault(f *diag.File, got *int, hint diag.Text) error {
	if got == nil {
		return diag.Diagnostic{File: f.Name, Message: diag.Say("report.schema-missing"),
			Hint: diag.Say("report.schema-missing-hint")}
	}
	at := max(bytes.Index(f.Data, []byte(`"schema"`)), 0)
	if *got > Schema {
		hint = diag.Say("report.schema-newer-hint")
	}
	return f.Error(at, at+len(`"schema"`), diag.Say("report.schema-unsupported", "schema", *got, "n", Schema), hint)
}

// validate checks what the JSON types do not ensure.
func (r *Report) validate(base string) error {
	m := r.Machine
	if err := CheckOldName(m.Name); err != nil {
		return err
	}
	if m.Name != base {
		return fmt.Errorf("the report of machine %q must be named %s.json", m.Name, m.Name)
	}
	if !slices.Contains([]string{GPUOk, GPUNone, GPUBroken}, m.GPU.Status) {
		return fmt.Errorf("unknown GPU status %q", m.GPU.Status)
	}
	if !slices.Contains([]string{"", LimitsCgroup, LimitsPrlimit}, m.Limits) || !slices.Contains([]string{"", SandboxBwrap}, m.Sandbox) {
		return fmt.Errorf("unknown limits %q or sandbox %q", m.Limits, m.Sandbox)
	}
	if !slices.Contains([]string{"", ContainmentNamespace, ContainmentCgroup, ContainmentReaper, ContainmentMark, ContainmentGroup}, m.Containment) {
		return fmt.Errorf("unknown containment %q", m.Containment)
	}
	if len(m.GPU.Devices) > maxDevices || len(r.Checks) > MaxChecks {
		return fmt.Errorf("more than %d devices or %d checks", maxDevices, MaxChecks)
	}
	short := []string{r.Generator, m.OS, m.Arch, m.CPU, m.Limits, m.Sandbox, m.GPU.Code, m.GPU.Detail, m.GPU.Source, m.GPU.Driver, m.GPU.CUDA}
	for _, d := range m.GPU.Devices {
		short = append(short, d.Name, d.Compute)
	}
	if err := errors.Join(bounded(maxShort, short...), m.validateMore()); err != nil {
		return err
	}
	seen := map[ID]bool{}
	for i := range r.Checks {
		c := &r.Checks[i]
		if seen[c.ID] {
			return fmt.Errorf("check %q stands twice", c.ID)
		}
		seen[c.ID] = true
		if err := c.validate(); err != nil {
			return fmt.Errorf("check %d: %w", i+1, err)
		}
	}
	return nil
}

func (c *Check) validate() error {
	switch {
	case !c.ID.valid():
		return fmt.Errorf("%q is not a check's ID", c.ID)
	case !slices.Contains([]string{KindBash, KindPython, KindPycon, KindGPU, KindSbatch}, c.Kind):
		return fmt.Errorf("unknown kind %q", c.Kind)
	case !slices.Contains([]Outcome{Passed, Failed, Errored, Skipped}, c.Outcome):
		return fmt.Errorf("unknown outcome %q", c.Outcome)
	case c.Outcome != Passed && c.Reason == nil:
		return fmt.Errorf("outcome %q without a reason", c.Outcome)
	case c.Ran.IsZero():
		return errors.New("no time")
	case !(c.DurationMS >= 0 && c.DurationMS < 1e12):
		return fmt.Errorf("duration %v", c.DurationMS)
	case len(c.Diff) > maxDiff || len(c.Places) > MaxChecks:
		return errors.New("too many lines or places")
	}
	if err := c.validateMore(); err != nil {
		return err
	}
	short := []string{c.Page, c.Name, c.Want, c.Found}
	places := c.Places
	var long []string
	if r := c.Reason; r != nil {
		short = append(short, r.Code, r.Need, r.Found)
		long = append(long, r.Detail)
		if r.Verdict != nil {
			short = append(short, texts(*r.Verdict)...)
		}
		if r.Place != nil {
			places = append(slices.Clip(places), *r.Place)
		}
	}
	for _, p := range places {
		if p.Cell < 0 {
			return fmt.Errorf("cell %d of a notebook", p.Cell)
		}
		if p.Line < 1 {
			return fmt.Errorf("line %d of a file", p.Line)
		}
		short = append(short, p.File)
	}
	for _, s := range []*Stream{c.Stdout, c.Stderr} {
		if s == nil {
			continue
		}
		if s.Cut < 0 || s.Bytes < 0 {
			return fmt.Errorf("%d bytes left out of %d", s.Cut, s.Bytes)
		}
		long = append(long, s.Text)
		short = append(short, s.SHA256)
	}
	for _, d := range c.Diff {
		if d.Op != " " && d.Op != "-" && d.Op != "+" {
			return fmt.Errorf("unknown mark %q in a difference", d.Op)
		}
		long = append(long, d.Text)
		if !d.takenFits() {
			return errors.New("a mark outside of its line of a difference")
		}
	}
	return errors.Join(bounded(maxShort, short...), bounded(maxText, long...))
}

// validateMore validates the optional fields of a check.
func (c *Check) validateMore() error {
	if len(c.Captures) > MaxCaptures || len(c.Figures) > MaxFigures || len(c.Packages) > MaxPackages || len(c.History) > MaxHistory {
		return fmt.Errorf("more than %d captures, %d figures, %d packages or %d earlier outcomes",
			MaxCaptures, MaxFigures, MaxPackages, MaxHistory)
	}
	short := []string{c.Interpreter}
	for _, v := range c.Captures {
		short = append(short, v.Name, v.Value, v.Unit)
	}
	for _, p := range c.Packages {
		short = append(short, p.Name, p.Version)
	}
	for _, f := range c.Figures {
		if _, _, err := f.Size(); err != nil {
			return err
		}
	}
	for _, p := range c.History {
		if !slices.Contains([]Outcome{Passed, Failed, Errored, Skipped}, p.Outcome) || p.Ran.IsZero() || !(p.DurationMS >= 0 && p.DurationMS < 1e12) {
			return fmt.Errorf("earlier outcome %q at %v in %v ms", p.Outcome, p.Ran, p.DurationMS)
		}
		if len(p.Captures) > MaxCaptures {
			return fmt.Errorf("more than %d captures of an earlier outcome", MaxCaptures)
		}
		short = append(short, p.Code)
		short = append(short, texts(p.Captures)...)
	}
	if m := c.Measurement; m != nil {
		if len(m.GPUs) > maxDevices || slices.ContainsFunc(m.GPUs, func(g Measured) bool { return len(g.Throttle) > maxCodes }) {
			return fmt.Errorf("a measurement of more than %d GPUs or with more than %d reasons", maxDevices, maxCodes)
		}
		short = append(short, texts(*m)...)
	}
	return bounded(maxShort, short...)
}

// validateMore validates GPUs and environments in addition to their names.
func (m Machine) validateMore() error {
	for _, d := range m.GPU.Devices {
		if r := d.Readings; r != nil && (len(r.Throttle) > maxCodes || len(r.Unknown) > maxCodes || len(r.MIG.Instances) > maxInstances) {
			return fmt.Errorf("more than %d codes or %d MIG devices of a GPU", maxCodes, maxInstances)
		}
	}
	many := func(e Environment) bool { return len(e.Frameworks) > MaxFrameworks }
	if len(m.Environments) > MaxEnvironments || slices.ContainsFunc(m.Environments, many) {
		return fmt.Errorf("more than %d environments or %d frameworks", MaxEnvironments, MaxFrameworks)
	}
	return bounded(maxShort, slices.Concat(texts(m.GPU), texts(m.Environments), texts(m.Slurm))...)
}

// texts returns all strings in a value, however deep.
func texts(v any) []string {
	var out []string
	var walk func(reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			out = append(out, v.String())
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			for _, f := range v.Fields() {
				walk(f)
			}
		}
	}
	walk(reflect.ValueOf(v))
	return out
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

func bounded(limit int, texts ...string) error {
	for _, t := range texts {
		if len(t) > limit {
			return fmt.Errorf("a text of %d bytes, more than %d", len(t), limit)
		}
	}
	return nil
}

// Newest returns the time of the newest result, or the zero time.
func (r *Report) Newest() (t time.Time) {
	for _, c := range r.Checks {
		if c.Ran.After(t) {
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

// Encode returns the bytes of a report's file.
func Encode(r *Report) ([]byte, error) {
	var data bytes.Buffer
	encoder := json.NewEncoder(&data)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false) // "<" would take six bytes
	if err := encoder.Encode(r); err != nil {
		return nil, err
	}
	if _, err := Parse(r.Machine.Name+".json", data.Bytes()); err != nil {
		return nil, fmt.Errorf("gpudocs made a report that it would not read: %w", err)
	}
	return data.Bytes(), nil
}
