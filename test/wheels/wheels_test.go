// Package wheels compares the tables of docs/content/en/compatibility.md, which are those of internal/report/compat, and the versions in
// the tutorial of frameworks with what the packages on PyPI require. It asks pip, which fetches metadata only. .ci/long runs it every week.
package wheels

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const root = "../.."

// A build is a row of the manual's table of builds.
type build struct{ framework, cuda, from, until, archs, floor string }

// A tables is what the manual says.
type tables struct {
	builds   []build
	toolkits []string
	checked  string
}

// read reads the tables of the manual.
func read(t *testing.T) (of tables) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "docs/content/en/compatibility.md"))
	if err != nil {
		t.Fatal(err)
	}
	part := func(name string) string {
		m := regexp.MustCompile(`(?s)<!-- ` + name + `[^>]*-->\n(.*?)<!-- end -->`).FindSubmatch(data)
		if m == nil {
			t.Fatalf("the manual has no table of %s", name)
		}
		return string(m[1])
	}
	rows := func(name string) (list [][]string) {
		for line := range strings.Lines(part(name)) {
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			if len(cells) > 1 && !strings.HasPrefix(cells[0], "---") {
				list = append(list, cells)
			}
		}
		return list[1:]
	}
	for _, r := range rows("builds") {
		from, until, ranged := strings.Cut(r[2], "–")
		if !ranged {
			until = from
		}
		if r[2] == "all" {
			from, until = "", ""
		}
		of.builds = append(of.builds, build{r[0], strings.TrimSuffix(r[1], ".x"), from, until, r[3], strings.TrimSuffix(r[6], "+")})
	}
	for _, r := range rows("toolkits") {
		of.toolkits = append(of.toolkits, r[0])
	}
	of.checked = regexp.MustCompile(`\d{4}-\d\d-\d\d`).FindString(part("checked"))
	return of
}

// compare compares two versions part by part: 9.8 < 9.10.
func compare(a, b string) int {
	numbers := func(s string) (list []int) {
		for p := range strings.SplitSeq(s, ".") {
			n, _ := strconv.Atoi(p)
			list = append(list, n)
		}
		return list
	}
	return slices.Compare(numbers(a), numbers(b))
}

// short returns the first two numbers of a version.
func short(version string) string {
	p := strings.SplitN(version, ".", 3)
	return strings.Join(p[:min(len(p), 2)], ".")
}

// A metadata is what a package says of itself.
type metadata struct {
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Python   string   `json:"requires_python"`
	Requires []string `json:"requires_dist"`
	Extras   []string `json:"provides_extra"`
}

var (
	runtime = regexp.MustCompile(`^(?:cuda-toolkit\b[^=]*|nvidia-cuda-runtime(?:-cu\d+)?(?:\[.*\])? *)\(?== *([\d.]+)`)
	cudnn   = regexp.MustCompile(`^nvidia-cudnn-cu(\d+) *\(?([^;)]*)`)
)

// faults compares a package with the table. newest returns the newest version of another package.
func (of tables) faults(framework string, m metadata, newest func(string) string) (faults []string) {
	fault := func(format string, a ...any) {
		faults = append(faults, fmt.Sprintf("%s %s: %s", m.Name, m.Version, fmt.Sprintf(format, a...)))
	}
	cuda, library := "", ""
	for _, r := range m.Requires {
		if found := runtime.FindStringSubmatch(r); found != nil {
			cuda = short(found[1])
		}
		if found := cudnn.FindStringSubmatch(r); found != nil {
			if library = strings.TrimPrefix(strings.TrimSpace(found[2]), "=="); strings.ContainsAny(library, "<>") {
				library = newest("nvidia-cudnn-cu" + found[1])
			}
			if cuda == "" {
				cuda = found[1]
			}
		}
	}
	if cuda == "" || library == "" {
		fault("it requires no CUDA or no cuDNN: %s", m.Requires)
		return faults
	}
	major, _, _ := strings.Cut(cuda, ".")
	i := slices.IndexFunc(of.builds, func(b build) bool {
		return b.framework == framework && (b.cuda == cuda || b.cuda == major) && compare(short(m.Version), cmpOr(b.from, "0")) >= 0 &&
			compare(short(m.Version), cmpOr(b.until, "999")) <= 0
	})
	if i < 0 {
		fault("no row has it with CUDA %s", cuda)
		return faults
	}
	// The first versions without code for older GPUs: 8.9 and 9.11.
	floor := ""
	oldest := strings.TrimSuffix(strings.Fields(of.builds[i].archs)[0], "+")
	for _, limit := range [][2]string{{"8.9", "5.0"}, {"9.11", "7.5"}} {
		if compare(library, limit[0]) >= 0 && compare(oldest, limit[1]) < 0 {
			floor = limit[1]
		}
	}
	if got := of.builds[i].floor; got != floor {
		fault("its cuDNN is %s, so the row for CUDA %s should have %q as the oldest GPU of cuDNN and not %q", library, of.builds[i].cuda, floor, got)
	}
	return faults
}

func cmpOr(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// TestFaults: each kind of difference is found, and the manual's own rows agree with packages that were looked at.
func TestFaults(t *testing.T) {
	of := read(t)
	newest := func(string) string { return "9.28.0.42" }
	for _, c := range []struct {
		framework string
		m         metadata
		want      string
	}{
		{"torch", metadata{Name: "torch", Version: "2.15.0", Requires: []string{`cuda-toolkit[cublas,cudart]==13.2.2; platform_system == "Linux"`, `nvidia-cudnn-cu13==9.26.0.51; platform_system == "Linux"`}}, ""},
		{"torch", metadata{Name: "torch", Version: "2.6.0", Requires: []string{`nvidia-cuda-runtime-cu12 (==12.4.127) ; platform_system == "Linux"`, `nvidia-cudnn-cu12 (==9.1.0.70) ; platform_system == "Linux"`}}, ""},
		{"torch", metadata{Name: "torch", Version: "2.7.1", Requires: []string{`nvidia-cuda-runtime-cu12==12.6.77; platform_system == "Linux"`, `nvidia-cudnn-cu12==9.5.1.17; platform_system == "Linux"`}}, ""},
		{"torch", metadata{Name: "torch", Version: "2.7.1", Requires: []string{`nvidia-cuda-runtime-cu12==12.6.77`, `nvidia-cudnn-cu12==9.11.0.98`}}, `"7.5"`},
		{"torch", metadata{Name: "torch", Version: "2.99.0", Requires: []string{`cuda-toolkit==13.2.2`, `nvidia-cudnn-cu13==9.26.0.51`}}, "no row"},
		{"torch", metadata{Name: "torch", Version: "2.15.0", Requires: []string{`cuda-toolkit==13.7.0`, `nvidia-cudnn-cu13==9.26.0.51`}}, "no row"},
		{"torch", metadata{Name: "torch", Version: "2.15.0", Requires: []string{`numpy`}}, "no CUDA"},
		{"jax", metadata{Name: "jax-cuda12-plugin", Version: "0.12.0", Requires: []string{`nvidia-cudnn-cu12<10.0,>=9.8; sys_platform == "linux" and extra == "with-cuda"`}}, ""},
		{"jax", metadata{Name: "jax-cuda14-plugin", Version: "0.12.0", Requires: []string{`nvidia-cudnn-cu14<10.0,>=9.8`}}, "no row"},
		{"tensorflow", metadata{Name: "tensorflow", Version: "2.19.1", Requires: []string{`nvidia-cuda-runtime-cu12 ==12.5.82 ; extra == 'and-cuda'`, `nvidia-cudnn-cu12 ==9.3.0.75 ; extra == 'and-cuda'`}}, ""},
		{"tensorflow", metadata{Name: "tensorflow", Version: "2.19.1", Requires: []string{`nvidia-cuda-runtime-cu12 ==12.5.82`, `nvidia-cudnn-cu12 <10.0,>=9.3`}}, `"7.5"`},
	} {
		got := strings.Join(of.faults(c.framework, c.m, newest), "\n")
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.m, got, c.want)
		}
	}
}

// pip runs pip for Linux on x86-64, whatever it runs on. Without the registry the test is skipped.
func pip(t *testing.T, arguments ...string) (output string, err error) {
	t.Helper()
	platforms := []string{"--python-version=3.13", "--only-binary=:all:"}
	for _, p := range []string{"manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"} {
		platforms = append(platforms, "--platform="+p)
	}
	cmd := exec.Command("python3", append(append([]string{"-m", "pip", "--disable-pip-version-check"}, arguments...), platforms...)...)
	cmd.Dir = t.TempDir()
	data, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	return string(data), err
}

// newest returns the newest version of a package.
func newest(t *testing.T, name string) string {
	t.Helper()
	output, err := pip(t, "index", "versions", name)
	m := regexp.MustCompile(`^\S+ \(([\d.]+)\)`).FindStringSubmatch(output)
	if err != nil || m == nil {
		t.Skipf("the registry cannot be reached: %s: %v", name, err)
	}
	return m[1]
}

// ask returns the metadata of a package. It does not install it.
func ask(t *testing.T, requirement string) metadata {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report.json")
	if output, err := pip(t, "install", "-q", "--dry-run", "--ignore-installed", "--no-deps", "--ignore-requires-python", "--target", t.TempDir(), "--report", report, requirement); err != nil {
		t.Fatalf("%s: %v\n%s", requirement, err, output)
	}
	data, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var of struct {
		Install []struct {
			Metadata metadata `json:"metadata"`
		} `json:"install"`
	}
	if err := json.Unmarshal(data, &of); err != nil || len(of.Install) != 1 {
		t.Fatalf("%s: %v\n%s", requirement, err, data)
	}
	return of.Install[0].Metadata
}

// TestWheels asks the registry.
func TestWheels(t *testing.T) {
	if os.Getenv("GPUDOCS_LONG") == "" {
		t.Skip("GPUDOCS_LONG=1 runs it")
	}
	of, seen := read(t), map[string]string{}
	newestOf := func(name string) string {
		if seen[name] == "" {
			seen[name] = newest(t, name)
		}
		return seen[name]
	}
	report := func(faults []string) {
		for _, f := range faults {
			t.Error(f)
		}
	}

	// PyTorch on PyPI has one toolkit each, since 2.6. The others are on its own index.
	var torch metadata
	for minor, last := 6, short(newestOf("torch")); short(torch.Version) != last; minor++ {
		torch = ask(t, fmt.Sprintf("torch==2.%d.*", minor))
		report(of.faults("torch", torch, newestOf))
	}
	jax := ask(t, "jax")
	for _, extra := range jax.Extras {
		if regexp.MustCompile(`^cuda\d+$`).MatchString(extra) {
			report(of.faults("jax", ask(t, "jax-"+extra+"-plugin=="+newestOf("jax-"+extra+"-plugin")), newestOf))
		}
	}
	tensorflow := ask(t, "tensorflow")
	report(of.faults("tensorflow", tensorflow, newestOf))
	if last := short(newestOf("nvidia-cuda-nvcc")); !slices.Contains(of.toolkits, last) {
		t.Errorf("CUDA %s is out, and the newest row is %s", last, of.toolkits[len(of.toolkits)-1])
	}

	for _, language := range []string{"pt", "es"} {
		file := filepath.Join(root, "content", language, "frameworks.md")
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for name, m := range map[string]metadata{"PyTorch": torch, "JAX": jax, "TensorFlow": tensorflow} {
			row := regexp.MustCompile(`(?m)^\| ` + name + ` \|.*$`).FindString(string(page))
			if !strings.Contains(row, "["+m.Version+"]") || !strings.Contains(row, strings.TrimLeft(m.Python, ">= ")+"]") {
				t.Errorf("%s: %s is %s and needs Python %s: %s", file, name, m.Version, m.Python, row)
			}
		}
	}
	if day, err := time.Parse(time.DateOnly, of.checked); err != nil || time.Since(day) > 120*24*time.Hour {
		t.Errorf("the tables were compared with their sources on %s: do it again, and change the date", of.checked)
	}
}
