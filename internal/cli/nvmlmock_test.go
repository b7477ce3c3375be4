package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify/doctor"
)

// A mock is NVIDIA's mock of NVML, with a profile of a machine for each of several GPUs. It is no part of
// this repository: https://github.com/NVIDIA/k8s-test-infra, pkg/gpu/mocknvml.
type mock struct{ dir string }

func newMock(t *testing.T) mock {
	t.Helper()
	if can, _ := condition("cgo"); !can || runtime.GOARCH != "amd64" {
		t.Skip("the mock of NVML is for Linux on amd64, and a gpudocs with cgo")
	}
	dir := cmp.Or(os.Getenv("GPUDOCS_NVML_MOCK"), filepath.Join("..", "..", "..", "shared", "nvml-mock"))
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "libnvidia-ml.so.1")); err != nil {
		t.Skipf("there is no mock of NVML in %s; GPUDOCS_NVML_MOCK names its folder", dir)
	}
	return mock{dir}
}

// file returns the file of a profile.
func (m mock) file(profile string) string {
	return filepath.Join(m.dir, "configs", "mock-nvml-config-"+profile+".yaml")
}

// run runs a program on the machine of a profile: gpudocs, if it has no slash.
func (m mock) run(t *testing.T, file, dir, program string, args ...string) (stdout, stderr []byte, code int) {
	t.Helper()
	cmd := exec.Command(program, args...)
	if !strings.Contains(program, "/") {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd = &exec.Cmd{Path: self, Args: append([]string{program}, args...)}
	}
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	cmd.Env = []string{"LD_LIBRARY_PATH=" + m.dir, "MOCK_NVML_CONFIG=" + file, "HOME=" + dir, "PATH=" + filepath.Join(dir, "bin"), "LC_ALL=en"}
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.Bytes(), errs.Bytes(), cmd.ProcessState.ExitCode()
}

// A profile is what the mock's own file says of a machine.
type profile struct {
	System struct {
		Driver string `yaml:"driver_version"`
		CUDA   string `yaml:"cuda_version"`
	}
	GPU struct {
		Name    string
		Compute struct{ Major, Minor int } `yaml:"compute_capability"`
		Cores   int                        `yaml:"num_gpu_cores"`
		Memory  struct {
			Total uint64 `yaml:"total_bytes"`
			Bus   int    `yaml:"memory_bus_width"`
		}
		PCIe struct {
			MaxGen   int `yaml:"max_link_gen"`
			Gen      int `yaml:"current_link_gen"`
			MaxWidth int `yaml:"max_link_width"`
			Width    int `yaml:"current_link_width"`
		} `yaml:"pcie"`
		Power struct {
			Limit float64 `yaml:"enforced_limit_mw"`
			Draw  float64 `yaml:"current_draw_mw"`
		}
		Thermal struct {
			Temperature int `yaml:"temperature_gpu_c"`
		}
		Clocks struct {
			Graphics    int `yaml:"graphics_current"`
			MaxGraphics int `yaml:"graphics_max"`
			SM          int `yaml:"sm_current"`
			MaxSM       int `yaml:"sm_max"`
			Memory      int `yaml:"memory_current"`
			MaxMemory   int `yaml:"memory_max"`
		}
		Throttle map[string]bool `yaml:"clocks_throttle_reasons"`
		ECC      struct {
			Mode   string `yaml:"mode_current"`
			Errors struct {
				Volatile struct {
					Single struct{ Total uint64 } `yaml:"single_bit"`
					Double struct{ Total uint64 } `yaml:"double_bit"`
				}
			}
		}
		Rows struct {
			Correctable   int
			Uncorrectable int
			Pending       bool
			Failed        bool `yaml:"failure_occurred"`
		} `yaml:"remapped_rows"`
		Persistence string `yaml:"persistence_mode"`
		MIG         struct {
			Mode string `yaml:"mode_current"`
		}
		Virtualization struct{ Mode string }
	} `yaml:"device_defaults"`
	Devices []any
	NVLink  struct {
		Links    int `yaml:"links_per_gpu"`
		Switches []any
	}
}

func (m mock) profile(t *testing.T, name string) (p profile) {
	t.Helper()
	data, err := os.ReadFile(m.file(name))
	if err == nil {
		err = yaml.Unmarshal(data, &p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// links are the NVLinks of a GPU. The mock connects them if the profile has switches.
func (p profile) links() int {
	if len(p.NVLink.Switches) == 0 {
		return 0
	}
	return p.NVLink.Links
}

// readings are the values that a report must have, by their names there, and as nvidia-smi prints them.
func (p profile) readings() map[string]any {
	g := p.GPU
	reasons := []any{}
	for _, name := range slices.Sorted(maps.Keys(g.Throttle)) {
		if g.Throttle[name] {
			reasons = append(reasons, strings.ReplaceAll(name, "_", "-"))
		}
	}
	want := map[string]any{
		"name": g.Name, "memory_bytes": float64(g.Memory.Total), "compute": fmt.Sprintf("%d.%d", g.Compute.Major, g.Compute.Minor),
		"clocks.graphics_mhz": g.Clocks.Graphics, "clocks.max_graphics_mhz": g.Clocks.MaxGraphics,
		"clocks.sm_mhz": g.Clocks.SM, "clocks.max_sm_mhz": g.Clocks.MaxSM,
		"clocks.memory_mhz": g.Clocks.Memory, "clocks.max_memory_mhz": g.Clocks.MaxMemory,
		"power.draw_w": g.Power.Draw / 1000, "power.limit_w": g.Power.Limit / 1000, "temperature_c": g.Thermal.Temperature, "throttle": reasons,
		"pcie.generation": g.PCIe.Gen, "pcie.max_generation": g.PCIe.MaxGen, "pcie.width": g.PCIe.Width, "pcie.max_width": g.PCIe.MaxWidth, "pcie.under_load": false,
		"ecc.enabled": g.ECC.Mode == "enabled", "ecc.corrected": float64(g.ECC.Errors.Volatile.Single.Total), "ecc.uncorrected": float64(g.ECC.Errors.Volatile.Double.Total),
		"remapped_rows.correctable": g.Rows.Correctable, "remapped_rows.uncorrectable": g.Rows.Uncorrectable,
		"remapped_rows.pending": g.Rows.Pending, "remapped_rows.failed": g.Rows.Failed,
		"mig.enabled": g.MIG.Mode == "enabled", "persistence": g.Persistence == "enabled", "virtualization": g.Virtualization.Mode,
		"nvlink.links": nil, "nvlink.active": nil,
		"sms": nil, "cores": nil, "bus_bits": nil, // the mock does not implement them, but for some bus widths
	}
	if n := p.links(); n > 0 {
		want["nvlink.links"], want["nvlink.active"] = n, n
	}
	if g.Memory.Bus > 0 {
		want["bus_bits"] = g.Memory.Bus
	}
	for field, v := range want {
		if n, is := v.(int); is {
			want[field] = float64(n)
		}
	}
	return want
}

// flatten returns the values of a JSON document by their paths.
func flatten(t *testing.T, v any) map[string]any {
	t.Helper()
	data, err := json.Marshal(v)
	var tree map[string]any
	if err == nil {
		err = json.Unmarshal(data, &tree)
	}
	if err != nil {
		t.Fatal(err)
	}
	flat := map[string]any{}
	var walk func(path string, tree map[string]any)
	walk = func(path string, tree map[string]any) {
		for name, v := range tree {
			if inner, is := v.(map[string]any); is {
				walk(path+name+".", inner)
			} else if name != "unknown" {
				flat[strings.TrimPrefix(path+name, "readings.")] = v
			}
		}
	}
	walk("", tree)
	return flat
}

// A mockLine is a line of a gpu block, and whether it holds on a machine; has is nil if each has what it is about.
// The value of a local one is that of the machine of the test.
type mockLine struct {
	line  string
	holds func(profile) bool
	has   func(profile) bool
	local bool
}

func yes(profile) bool { return true }
func no(profile) bool  { return false }

func linked(p profile) bool { return p.links() > 0 }

func atLeast(version string, parts ...int) bool {
	var have []int
	for part := range strings.SplitSeq(version, ".") {
		n, _ := strconv.Atoi(part)
		have = append(have, n)
	}
	return slices.Compare(have, parts) >= 0
}

var mockLines = []mockLine{
	{`gpu == "*100*"`, func(p profile) bool { return strings.Contains(p.GPU.Name, "100") }, nil, false},
	{`gpu != "L40S"`, func(p profile) bool { return p.GPU.Name != "NVIDIA L40S" }, nil, false},
	{`machine == "h100"`, func(p profile) bool { return p.GPU.Name == "NVIDIA H100 80GB HBM3" }, nil, false},
	{`os == "linux"`, yes, nil, true},
	{`arch == "amd64"`, yes, nil, true},
	{"ram >= 100 TiB", no, nil, true},
	{"cores >= 1", yes, nil, true},
	{`has("bash")`, yes, nil, true},
	{`has("cmake")`, no, nil, true}, // the folder of programs holds nothing but bash
	{"nvcc >= 12.4", no, nil, true},
	{"gpus >= 8", func(p profile) bool { return len(p.Devices) >= 8 }, nil, false},
	{"driver >= 560.28.03", func(p profile) bool { return atLeast(p.System.Driver, 560, 28, 3) }, nil, false},
	{"cuda >= 12.6", func(p profile) bool { return atLeast(p.System.CUDA, 12, 6) }, nil, false},
	{"memory >= 80 GiB", func(p profile) bool { return p.GPU.Memory.Total >= 80<<30 }, nil, false},
	{"compute >= 9.0", func(p profile) bool { return p.GPU.Compute.Major >= 9 }, nil, false},
	{"runs cu126", no, nil, false}, // there is no libcuda
	{"temperature < 35", func(p profile) bool { return p.GPU.Thermal.Temperature < 35 }, nil, false},
	{"power draw < 100 W", func(p profile) bool { return p.GPU.Power.Draw < 100e3 }, nil, false},
	{"power limit >= 400 W", func(p profile) bool { return p.GPU.Power.Limit >= 400e3 }, nil, false},
	{"clock sm == max", func(p profile) bool { return p.GPU.Clocks.SM == p.GPU.Clocks.MaxSM }, nil, false},
	{"clock memory == max", func(p profile) bool { return p.GPU.Clocks.Memory == p.GPU.Clocks.MaxMemory }, nil, false},
	{"throttle == none", func(p profile) bool {
		for reason, on := range p.GPU.Throttle {
			if on && reason != "gpu_idle" {
				return false
			}
		}
		return true
	}, nil, false},
	{"pcie gen == max", func(p profile) bool { return p.GPU.PCIe.Gen == p.GPU.PCIe.MaxGen }, nil, false},
	{"pcie gen >= 5", func(p profile) bool { return p.GPU.PCIe.Gen >= 5 }, nil, false},
	{"pcie width == max", func(p profile) bool { return p.GPU.PCIe.Width == p.GPU.PCIe.MaxWidth }, nil, false},
	{"ecc == on", func(p profile) bool { return p.GPU.ECC.Mode == "enabled" }, nil, false},
	{"ecc corrected == 0", func(p profile) bool { return p.GPU.ECC.Errors.Volatile.Single.Total == 0 }, nil, false},
	{"ecc uncorrected == 0", func(p profile) bool { return p.GPU.ECC.Errors.Volatile.Double.Total == 0 }, nil, false},
	{"rows uncorrectable == 0", func(p profile) bool { return p.GPU.Rows.Uncorrectable == 0 }, nil, false},
	{"mig == off", func(p profile) bool { return p.GPU.MIG.Mode == "disabled" }, nil, false},
	{"persistence == on", func(p profile) bool { return p.GPU.Persistence == "enabled" }, nil, false},
	{"nvlink up == all", linked, linked, false},
	{"nvlink up >= 18", func(p profile) bool { return p.links() >= 18 }, linked, false},
	{"copy peer", nil, no, false}, // without libcuda nothing is measured
}

var mockProfiles = []string{"t4", "l40s", "a100", "h100", "b200", "gb200", "gb300"}

// TestNVMLMock holds doctor, reports, gpu lines, needs= and pages against the profiles of NVIDIA's mock, and the
// readings against nvidia-smi, if GPUDOCS_NVIDIA_SMI names one. docs/content/en/gpu-acceptance.md has the answers as a table.
func TestNVMLMock(t *testing.T) {
	t.Parallel()
	m := newMock(t)
	dir := t.TempDir()
	page := "# A\n\n```gpu {name=lab}\n"
	for _, l := range mockLines {
		page += l.line + "\n"
	}
	page += "```\n\n```bash {run name=big needs=\"memory >= 80 GiB and compute >= 9.0\"}\necho yes\n```\n"
	bash, err := exec.LookPath("bash")
	for name, text := range map[string]string{"gpudocs.toml": "[languages.en]\n", "content/en/index.md": page, "bin/.keep": ""} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644))
	}
	if err = errors.Join(err, os.Symlink(bash, filepath.Join(dir, "bin", "bash"))); err != nil {
		t.Fatal(err)
	}
	cells := map[string][]string{}
	for _, name := range mockProfiles {
		p := m.profile(t, name)
		want := p.readings()
		var d doctor.Diagnosis
		stdout, stderr, code := m.run(t, m.file(name), dir, "gpudocs", "doctor", "--json")
		if err := json.Unmarshal(stdout, &d); err != nil || code != 0 {
			t.Fatalf("%s: doctor ended with %d: %v\n%s", name, code, err, stderr)
		}
		for _, f := range d.Findings {
			if f.Detail["gpu"] != "" {
				t.Errorf("%s: doctor found %+v", name, f)
			}
		}
		for _, v := range d.Toolkits { // without libcuda none runs; the driver is too old for some
			if old := v.What == "cu130" && !atLeast(p.System.Driver, 580, 65, 6); v.Runs() || old != (v.By == report.ByDriver) {
				t.Errorf("%s: %+v", name, v)
			}
		}
		r := m.verify(t, name, dir)
		for from, g := range map[string]report.GPU{"doctor": d.Machine.GPU, "report": r.Machine.GPU} {
			if g.Status != report.GPUOk || g.Source != report.SourceNVML || g.Driver != p.System.Driver || g.CUDA != p.System.CUDA || len(g.Devices) != len(p.Devices) {
				t.Errorf("%s: %s: %+v", name, from, g)
			}
			for i, device := range g.Devices {
				got := flatten(t, device)
				for field, value := range want {
					if fmt.Sprint(got[field]) != fmt.Sprint(value) {
						t.Errorf("%s: %s: GPU %d: %s is %v, and %v in the profile", name, from, i, field, got[field], value)
					}
				}
				for field := range got {
					if _, known := want[field]; !known {
						t.Errorf("%s: %s: the test does not know %s", name, from, field)
					}
				}
			}
		}
		for _, l := range mockLines {
			cells[l.line] = append(cells[l.line], l.answer(t, name, p, r))
		}
		big := r.Checks[len(r.Checks)-1]
		if ran := big.Outcome == report.Passed; big.Name != "big" || ran != (p.GPU.Memory.Total >= 80<<30 && p.GPU.Compute.Major >= 9) {
			t.Errorf("%s: %s %s", name, big.Name, big.Outcome)
		}
	}
	m.checkPage(t, dir)
	t.Run("nvidia-smi", func(t *testing.T) {
		smi := os.Getenv("GPUDOCS_NVIDIA_SMI")
		if smi == "" {
			t.Skip("GPUDOCS_NVIDIA_SMI names no nvidia-smi")
		}
		for _, name := range mockProfiles {
			m.compareSMI(t, smi, name, dir)
		}
	})
	var table strings.Builder
	fmt.Fprintf(&table, "| line | %s |\n|---|%s\n", strings.Join(mockProfiles, " | "), strings.Repeat("---|", len(mockProfiles)))
	for _, l := range mockLines {
		fmt.Fprintf(&table, "| `%s` | %s |\n", l.line, strings.Join(cells[l.line], " | "))
	}
	holdTable(t, filepath.Join("..", "..", "docs/content/en", "gpu-acceptance.md"), table.String())
}

// verify verifies the site, and returns the report.
func (m mock) verify(t *testing.T, name, dir string) *report.Report {
	t.Helper()
	if _, stderr, code := m.run(t, m.file(name), dir, "gpudocs", "verify", "--machine", name); code > 1 {
		t.Fatalf("%s: verify ended with %d\n%s", name, code, stderr)
	}
	return m.report(t, name, dir)
}

func (m mock) report(t *testing.T, name, dir string) *report.Report {
	t.Helper()
	file := filepath.Join(dir, "results", name+".json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.Parse(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// answer returns the cell of the table, and fails the test if the outcome of the line is not that of the profile.
func (l mockLine) answer(t *testing.T, name string, p profile, r *report.Report) string {
	t.Helper()
	for _, c := range r.Checks {
		if !strings.HasPrefix(c.Name, "lab.") || c.Want != strings.TrimSuffix(l.line, " W") {
			continue
		}
		want := report.Failed
		switch {
		case l.has != nil && !l.has(p):
			want = report.Skipped
		case l.holds(p):
			want = report.Passed
		}
		if c.Outcome != want || !l.local && (want == report.Skipped) != (c.Found == "") {
			t.Errorf("%s: %s is %s with %q, want %s", name, l.line, c.Outcome, c.Found, want)
		}
		found := c.Found
		if l.local {
			found = ""
		}
		return strings.TrimSpace(map[report.Outcome]string{report.Passed: "✓ ", report.Failed: "✗ ", report.Skipped: "–"}[c.Outcome] + found)
	}
	t.Errorf("%s: there is no check %q", name, l.line)
	return ""
}

// checkPage checks that the page shows what each machine found.
func (m mock) checkPage(t *testing.T, dir string) {
	t.Helper()
	if _, stderr, code := m.run(t, "", dir, "gpudocs", "build"); code != 0 {
		t.Fatalf("build ended with %d\n%s", code, stderr)
	}
	page, err := os.ReadFile(filepath.Join(dir, "public", "en", "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range mockProfiles {
		for _, c := range m.report(t, name, dir).Checks {
			row := `<code>` + html.EscapeString(c.Want) + `</code></td><td role="cell"><code>` + html.EscapeString(cmp.Or(c.Found, "–")) + `</code>`
			if c.Kind == report.KindGPU && !bytes.Contains(page, []byte(row)) {
				t.Errorf("%s: the page has no %s", name, row)
			}
		}
	}
}

// compareSMI holds the readings against nvidia-smi on the same machine. The enforced power limit is left
// out: nvidia-smi 535 reads it with a private function that the mock does not implement, and prints 0.
func (m mock) compareSMI(t *testing.T, smi, name, dir string) {
	t.Helper()
	g := m.report(t, name, dir).Machine.GPU
	fields := map[string]string{
		"name": "name", "compute_cap": "compute", "temperature.gpu": "temperature_c", "power.limit": "power.limit_w", "power.draw": "power.draw_w",
		"clocks.current.graphics": "clocks.graphics_mhz", "clocks.current.sm": "clocks.sm_mhz", "clocks.current.memory": "clocks.memory_mhz",
		"clocks.max.graphics": "clocks.max_graphics_mhz", "clocks.max.sm": "clocks.max_sm_mhz", "clocks.max.memory": "clocks.max_memory_mhz",
		"pcie.link.gen.current": "pcie.generation", "pcie.link.gen.max": "pcie.max_generation",
		"pcie.link.width.current": "pcie.width", "pcie.link.width.max": "pcie.max_width",
		"ecc.mode.current": "ecc.enabled", "ecc.errors.corrected.volatile.total": "ecc.corrected", "ecc.errors.uncorrected.volatile.total": "ecc.uncorrected",
		"mig.mode.current": "mig.enabled", "persistence_mode": "persistence", "memory.total": "memory_mib",
	}
	names := slices.Sorted(maps.Keys(fields))
	stdout, stderr, code := m.run(t, m.file(name), dir, smi, "--query-gpu="+strings.Join(names, ","), "--format=csv,noheader,nounits")
	rows := strings.Split(strings.TrimSpace(string(stdout)), "\n")
	if code != 0 || len(rows) != len(g.Devices) {
		t.Fatalf("%s: nvidia-smi ended with %d: %d GPUs\n%s", name, code, len(rows), stderr)
	}
	for i, row := range rows {
		got := flatten(t, g.Devices[i])
		got["memory_mib"] = float64(g.Devices[i].MemoryBytes >> 20)
		cells := strings.Split(row, ", ")
		for j, field := range names {
			theirs, ours := cells[j], fmt.Sprint(got[fields[field]])
			if n, err := strconv.ParseFloat(theirs, 64); err == nil && field != "compute_cap" {
				theirs = fmt.Sprint(n)
			}
			theirs = cmp.Or(map[string]string{"Enabled": "true", "Disabled": "false"}[theirs], theirs)
			if theirs != ours {
				t.Errorf("%s: GPU %d: %s is %s, and %s in nvidia-smi", name, i, fields[field], ours, cells[j])
			}
		}
	}
	stdout, _, _ = m.run(t, m.file(name), dir, smi, "nvlink", "-s")
	if up := bytes.Count(stdout, []byte("GB/s")); up != m.profile(t, name).links()*len(g.Devices) {
		t.Errorf("%s: nvidia-smi knows %d NVLinks", name, up)
	}
}

// holdTable compares the table below the line "<!-- NVML mock -->" of a document, or writes it with -update.
func holdTable(t *testing.T, file, table string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	place := regexp.MustCompile(`(<!-- NVML mock -->\n\n)((?:\|.*\n)*)`)
	found := place.FindSubmatch(data)
	switch {
	case found == nil:
		t.Fatalf("%s has no place for the table", file)
	case string(found[2]) == table:
	case *update:
		if err := os.WriteFile(file, place.ReplaceAll(data, []byte("${1}"+strings.ReplaceAll(table, "$", "$$"))), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table in %s is not true (-update writes it):\n%s", file, table)
	}
}

// TestNVMLMockOdd gives the mock profiles that no machine has: a driver of another version, whose functions
// and structures differ, lost GPUs, and nonsense. Doctor always ends soon, with valid JSON and a named reason.
func TestNVMLMockOdd(t *testing.T) {
	t.Parallel()
	m := newMock(t)
	t4, err := os.ReadFile(m.file("t4"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		old, new string // the change of the profile of the T4; with no old text, the whole file
		status   string
		code     string
		check    func(report.GPU) bool // of the result; nil if the status says all
	}{
		"lost": {"device_defaults:\n", "device_defaults:\n  failure:\n    mode: lost\n", report.GPUBroken, report.CodeLost, nil},
		"lost while read": {"device_defaults:\n", "device_defaults:\n  failure:\n    mode: lost\n    after_calls: 5\n", report.GPUBroken, report.CodeLost,
			func(g report.GPU) bool { return hasWhy(g, report.WhyLost) && g.Devices[0].Readings.Clocks.SM != nil }},
		"ecc errors": {"device_defaults:\n", "device_defaults:\n  failure:\n    mode: ecc_uncorrectable\n", report.GPUOk, "",
			func(g report.GPU) bool { e := g.Devices[0].Readings.ECC.Uncorrected; return e != nil && *e > 0 }},
		"an old driver": {`driver_version: "550.163.01"`, `driver_version: "384.81"`, report.GPUOk, "",
			func(g report.GPU) bool { return g.Driver == "384.81" && hasWhy(g, report.WhyOldDriver) }},
		"a future driver": {`driver_version: "550.163.01"`, `driver_version: "9999.1"`, report.GPUOk, "",
			func(g report.GPU) bool { return g.Driver == "9999.1" }},
		"a driver without a version": {`driver_version: "550.163.01"`, `driver_version: "\x1b[31m<script>"`, report.GPUOk, "",
			func(g report.GPU) bool { return g.Driver == "" }},
		"an endless name": {`name: "NVIDIA T4"`, `name: "` + strings.Repeat("\u202eA", 400) + `"`, report.GPUBroken, report.CodeDriverFailed, nil}, // NVML has 96 bytes for it
		"impossible readings": {"temperature_gpu_c: 30 ", "temperature_gpu_c: 4294967295 ", report.GPUOk, "",
			func(g report.GPU) bool { return g.Devices[0].Readings.Temperature == nil }},
		"an impossible bus": {"current_link_width: 16", "current_link_width: -5", report.GPUOk, "",
			func(g report.GPU) bool { return g.Devices[0].Readings.PCIe.Width == nil }},
		"100,000 NVLinks": {"device_defaults:\n", "nvlink:\n  links_per_gpu: 100000\n  switches:\n    - bdf: \"0000:01:00.0\"\ndevice_defaults:\n", report.GPUOk, "",
			func(g report.GPU) bool { n := g.Devices[0].Readings.NVLink.Links; return n == nil || *n <= 144 }},
		"no memory":    {"    total_bytes: 17179869184 ", "    total_bytes: 0 ", report.GPUOk, "", func(g report.GPU) bool { return g.Devices[0].MemoryBytes == 0 }},
		"not YAML":     {"", "\x00\xff{{{", report.GPUOk, "", nil}, // the mock has a machine of its own then
		"another file": {"", "devices: []\nsystem: [1, 2]\n", report.GPUOk, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file, text := filepath.Join(dir, "profile.yaml"), c.new
			if c.old != "" {
				if text = strings.Replace(string(t4), c.old, c.new, 1); text == string(t4) {
					t.Fatalf("the profile has no %q", c.old)
				}
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			var d doctor.Diagnosis
			stdout, stderr, code := m.run(t, file, dir, "gpudocs", "doctor", "--json")
			if err := json.Unmarshal(stdout, &d); err != nil || code > 1 {
				t.Fatalf("doctor ended with %d: %v\n%s", code, err, stderr)
			}
			g := d.Machine.GPU
			failed := slices.ContainsFunc(d.Findings, func(f doctor.Finding) bool { return f.Severity == doctor.Error })
			if g.Status != c.status || g.Code != c.code || (code == 1) != failed || c.check != nil && !c.check(g) {
				t.Errorf("doctor ended with %d: %s", code, stdout)
			}
		})
	}
}

// hasWhy reports whether a reading of a GPU is unknown for that reason.
func hasWhy(g report.GPU, why string) bool {
	return slices.ContainsFunc(g.Devices[0].Readings.Unknown, func(u report.Unknown) bool { return u.Why == why })
}
