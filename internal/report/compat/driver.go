package compat

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// A cuda is a version of CUDA. The minor version is -1 if it is unknown, as for a package
// for any 12.x.
type cuda struct{ major, minor int }

// parseCUDA parses "12.4", "12.4.127" or "12".
func parseCUDA(s string) (cuda, bool) {
	major, rest, dotted := strings.Cut(s, ".")
	minor, _, _ := strings.Cut(rest, ".")
	a, errA := strconv.ParseUint(major, 10, 16)
	b, errB := strconv.ParseUint(minor, 10, 16)
	if errA != nil || dotted && errB != nil {
		return cuda{}, false
	}
	if !dotted {
		return cuda{int(a), -1}, true
	}
	return cuda{int(a), int(b)}, true
}

func (c cuda) compare(o cuda) int {
	return cmp.Or(cmp.Compare(c.major, o.major), cmp.Compare(c.minor, o.minor))
}

// release returns the version of a row of the table.
func (t toolkit) release() cuda {
	c, _ := parseCUDA(t.version)
	return c
}

// known reports whether the tables have the major version.
func (c cuda) known() bool {
	return c.major >= toolkits[0].release().major && c.major <= toolkits[len(toolkits)-1].release().major
}

// last returns the newest release of the table that is not newer than c.
func (c cuda) last() toolkit {
	t := toolkits[0]
	for _, next := range toolkits {
		if next.release().major == c.major && c.minor < 0 || next.release().compare(c) <= 0 {
			t = next
		}
	}
	return t
}

// A platform selects a column of the tables.
type platform bool

// windows returns the platform of native Windows and of WSL2, which uses the driver of
// Windows: https://docs.nvidia.com/cuda/wsl-user-guide/index.html
func windows(m report.Machine) platform {
	return platform(m.GPU.Platform == report.PlatformWSL2 || onWindows(m))
}

func onWindows(m report.Machine) bool { return strings.HasPrefix(strings.ToLower(m.OS), "windows") }

func (p platform) pick(linux, windows string) string {
	if p {
		return windows
	}
	return linux
}

// needs returns the drivers that a version requires. driver is empty if the table does not
// have the release, minor if there is no minor-version compatibility or it does not help.
// enough is the oldest driver of the table that is certainly new enough: that of the
// release itself, or of the next one.
func (p platform) needs(c cuda) (driver, minor, enough string) {
	for _, t := range toolkits {
		switch d := p.pick(t.linux, t.windows); {
		case d == "":
		case c.minor >= 0 && t.release() == c:
			driver, enough = d, d
		case enough == "" && (t.release().major > c.major || c.minor >= 0 && t.release().compare(c) > 0):
			enough = d
		}
	}
	for _, f := range families {
		d := p.pick(f.linux, f.windows)
		if f.major == c.major && (driver == "" || older(d, driver)) {
			minor = d
		}
		if f.major > c.major && enough == "" {
			enough = d
		}
	}
	return driver, minor, enough
}

// driverVersion parses the version of a driver: three numbers on Linux, two on Windows. It
// ignores additions of vendors.
func driverVersion(s string) (ask.Value, bool) {
	s = strings.TrimSpace(s)
	if i := strings.IndexFunc(s, func(r rune) bool { return r != '.' && (r < '0' || r > '9') }); i > 0 &&
		strings.ContainsRune(" -+~", rune(s[i])) {
		s = s[:i]
	}
	v, err := ask.Version(s)
	return v, err == nil
}

// older compares two drivers part by part: 460.91.03 is older than 460.106.00.
func older(a, b string) bool {
	x, okX := driverVersion(a)
	y, okY := driverVersion(b)
	return okX && okY && x.Less(y)
}

// lastBranch returns the newest driver branch that supports all GPUs of a machine, and the name of the GPU that newer branches do not
// support. If newer branches support all of them, or that is not known, the branch is the zero value.
func lastBranch(m report.Machine) (last branch, gpu string) {
	for _, b := range lastBranches {
		limit, _ := parseCapability(b.compute)
		for _, d := range m.GPU.Devices {
			if c, ok := parseCapability(d.Compute); ok && c <= limit && !integrated(d) { // the drivers of boards have other numbers
				return b, d.Name
			}
		}
	}
	return branch{}, ""
}

// firstToolkits are the oldest toolkits with code for each compute capability. No driver branch older than that of the toolkit supports
// such a GPU: in the lists of Debian's nvidia-detect, 450.248 has no GPU of 8.6, 470.256 none of 8.9 or 9.0, and 550.163 none of 12.0.
// https://packages.debian.org/sid/nvidia-detect (550.163.01)
var firstToolkits = sync.OnceValue(func() map[capability]toolkit {
	first := map[capability]toolkit{}
	for _, t := range slices.Backward(toolkits) {
		for _, c := range t.release().code().native {
			first[c] = t
		}
	}
	return first
})

// firstBranch returns the oldest driver branch that supports all GPUs of a machine, "570", and the CUDA version of its drivers: those
// of the first toolkit with code for the newest GPU. Both are empty if that toolkit is not in the table, if some GPU has a last branch
// ([lastBranch]), or if one is on a Jetson board, whose drivers have other numbers.
func firstBranch(m report.Machine) (branch, cuda string) {
	if last, _ := lastBranch(m); last.name != 0 || slices.ContainsFunc(m.GPU.Devices, integrated) {
		return "", ""
	}
	var newest capability
	for _, d := range m.GPU.Devices {
		c, _ := parseCapability(d.Compute)
		newest = max(newest, c)
	}
	t := firstToolkits()[newest]
	if t.linux == "" || t == toolkits[0] {
		return "", ""
	}
	branch, _, _ = strings.Cut(t.linux, ".") // the first number of a driver for Windows may be higher
	return branch, t.version
}

// LastDriver returns the newest driver branch that supports the GPUs of a machine, and the name of the GPU that newer ones do not
// support, if no driver of that branch meets a requirement. Otherwise both are empty.
func LastDriver(g report.GPU, need string) (last, gpu string) {
	asked, err := ask.ParseReported(need)
	if err != nil {
		return "", ""
	}
	g.Driver, g.CUDA, g.Compat, g.Platform = "", "", "", report.PlatformWSL2 // Windows may be what it runs on, with higher numbers
	b, name := lastBranch(report.Machine{GPU: g})
	facts := ask.Machine{}
	addBounds(facts, report.Machine{GPU: g})
	if b.name == 0 || asked.Judge(facts).Answer != ask.No {
		return "", ""
	}
	return strconv.Itoa(b.name), name
}

// newest returns an upper bound for the versions of the branch.
func (b branch) newest(p platform) string {
	return p.pick(strconv.Itoa(b.name), strconv.Itoa(b.next-1)) + ".9999"
}

// A driverVerdict is the verdict on a driver for a toolkit.
type driverVerdict struct {
	answer, by string
	// driver and minor are the oldest sufficient drivers; see [platform.needs].
	driver, minor string
	// gpu is the GPU that does not support a forward-compatibility package.
	gpu string
	// branch is the oldest branch that supports the GPUs, if the driver is not known, but all from that branch on are new enough.
	branch string
}

// judgeDriver compares the driver with a toolkit. jit is the PTX that the driver has to
// compile for some GPU.
func judgeDriver(m report.Machine, c cuda, jit jit) driverVerdict {
	if branch, cuda := firstBranch(m); branch != "" && m.GPU.Driver == "" && m.GPU.CUDA == "" && m.GPU.Compat == "" {
		oldest := m
		oldest.GPU.Driver, oldest.GPU.CUDA = branch+".0", cuda
		if d := judgeDriver(oldest, c, jit); rank(d.answer) == rank(report.RunsYes) {
			d.branch = branch
			if d.answer == report.RunsMinor {
				d.driver = "" // it is not known to be older than that
			}
			return d
		}
	}
	p := windows(m)
	driver, minor, enough := p.needs(c)
	d := driverVerdict{by: report.ByDriver, driver: driver, minor: minor}
	current, comparable := driverVersion(m.GPU.Driver)
	atLeast := func(need string) bool {
		v, ok := driverVersion(need)
		return ok && !current.Less(v)
	}
	board := slices.ContainsFunc(m.GPU.Devices, integrated)
	if board { // their drivers have other version numbers
		d.driver, d.minor = "", ""
	}
	switch {
	case !comparable || board:
		d.answer = bySupported(m.GPU, c)
	case enough != "" && atLeast(enough), driver == "" && supports(m.GPU, c):
		d.answer = report.RunsYes
	case minor != "" && atLeast(minor):
		d.answer = report.RunsMinor
	default:
		d.answer = report.RunsNo
	}
	// The driver's own compiler does not know the PTX of a toolkit newer than it:
	// https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html
	// "Application Considerations for Minor Version Compatibility".
	// For a release without a row it is not known whether it is newer.
	switch {
	case d.answer != report.RunsMinor || jit == unneeded:
	case driver != "" && !board && jit == doubtful:
		d.answer, d.by = report.RunsUnknown, report.ByPTX
	case driver != "" && !board:
		d.answer = report.RunsNo
	default:
		d.answer, d.by = report.RunsUnknown, report.ByToolkit
	}
	if d.answer == report.RunsNo && jit != unneeded && driver != "" {
		d.minor = "" // it would not be sufficient either
	}
	if d.answer != report.RunsYes {
		d.forward(m, c, jit)
	}
	return d
}

// supports reports whether the driver itself claims to support a release that has no
// driver in the table.
func supports(g report.GPU, c cuda) bool {
	driverCUDA, ok := parseCUDA(g.CUDA)
	return ok && g.Compat == "" && c.minor >= 0 && c.major == driverCUDA.major && driverCUDA.compare(c) >= 0
}

// bySupported judges by the newest CUDA version that the driver claims to support.
func bySupported(g report.GPU, c cuda) string {
	driverCUDA, ok := parseCUDA(g.CUDA)
	switch {
	case !ok || g.Compat != "":
		return report.RunsUnknown
	case driverCUDA.major > c.major, c.minor >= 0 && driverCUDA.compare(c) >= 0:
		return report.RunsYes
	case driverCUDA.major == c.major && c.major >= families[0].major:
		return report.RunsMinor
	}
	return report.RunsNo
}

// forward considers a forward-compatibility package: the libcuda of a newer driver on this
// one. It is made for data-centre GPUs and Jetson boards, and "select NGC
// Server Ready SKUs of RTX GPUs". On others CUDA fails with error 804.
// https://docs.nvidia.com/deploy/cuda-compatibility/forward-compatibility.html
func (d *driverVerdict) forward(m report.Machine, c cuda, jit jit) {
	pack, ok := parseCUDA(m.GPU.Compat)
	_, numbered := driverVersion(m.GPU.Driver)
	sameFamily := pack.major == c.major && jit == unneeded
	if !ok || !numbered || bool(windows(m)) || pack.compare(c) < 0 && !sameFamily {
		return
	}
	allowed := report.RunsYes
	for _, device := range m.GPU.Devices {
		if a := packageFor(device); rank(a) < rank(allowed) {
			allowed, d.gpu = a, device.Name
		}
	}
	if a := supportsPackage(m.GPU.Driver, pack); rank(a) < rank(allowed) {
		allowed, d.gpu = a, ""
	}
	switch {
	case allowed == report.RunsYes:
		d.answer, d.by = report.RunsForward, report.ByDriver
	case d.answer == report.RunsMinor, d.by == report.ByPTX:
		d.gpu = ""
	default:
		d.answer, d.by = allowed, report.ByForward
	}
}

// consumer are prefixes of the names of GPUs for which there are no packages.
var consumer = []string{"GeForce", "TITAN", "NVIDIA GeForce", "NVIDIA TITAN", "NVS", "ION"}

// dataCenter are prefixes of the names of GPUs for which there are packages. RTX ones are
// missing, because the guide does not list which of them have packages.
var dataCenter = []string{"Tesla", "GRID", "A2", "A10", "A10G", "A16", "A30", "A40", "A100", "A800", "B100", "B200", "B300",
	"GB200", "GB300", "GH200",
	"H20", "H100", "H200", "H800", "L2", "L4", "L20", "L40", "L40S", "T4", "T4G", "P4", "P40", "P100", "V100"}

// packageFor reports whether there are forward-compatibility packages for a GPU.
func packageFor(d report.Device) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(d.Name, "NVIDIA "), " ")
	model, _, _ := strings.Cut(first, "-") // "A100-SXM4-40GB"
	switch {
	case integrated(d), slices.Contains(dataCenter, model):
		return report.RunsYes
	case slices.ContainsFunc(consumer, func(c string) bool { return strings.HasPrefix(d.Name, c) }):
		return report.RunsNo
	}
	return report.RunsUnknown
}

// short are the short-lived branches of drivers, on which no package of CUDA 12 or later
// works. gone are those that are no longer supported since CUDA 12.3. Source: the release
// notes of NVIDIA's framework containers for their toolkits, 12.0 (23.02) to 12.6
// (24.10), and 13.2 (26.05): "The CUDA driver's compatibility package only supports particular
// drivers", https://docs.nvidia.com/deeplearning/frameworks/pytorch-release-notes/
var (
	short = []string{"418", "440", "460", "520", "530", "545", "555", "560"}
	gone  = []string{"450", "510"}
)

// supportsPackage reports whether a driver of this branch works with a package.
func supportsPackage(driver string, pack cuda) string {
	branch, _, _ := strings.Cut(driver, ".")
	if pack.major >= 12 && (slices.Contains(short, branch) || slices.Contains(gone, branch) && pack.compare(cuda{12, 3}) >= 0) {
		return report.RunsNo
	}
	return report.RunsYes
}
