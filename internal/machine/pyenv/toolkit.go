package pyenv

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	version = regexp.MustCompile(`^(\d{1,2})(?:\.(\d{1,2}))?(?:\.|$)`)
	// digits matches a CUDA version in a name: cu124, cuda12, cuda110. On Windows
	// TensorFlow writes 64_112.
	digits = regexp.MustCompile(`^(?:cu|cuda|64_)(\d{1,3})(?:\D|$)`)
	// pinned matches a requirement for one version of the CUDA runtime. Since CUDA 13
	// its package has no number in its name.
	pinned = regexp.MustCompile(`^(?:nvidia-cuda-runtime(?:-cu\d+)?|cuda-toolkit)(?:\[[^\]]*\])?\s*\(?==\s*([0-9.]+)`)
)

// toolkit converts a CUDA version as programs write it, 12.4, 12.4.127 or 64_112, to that
// of a report, "12.4" or "12". It returns "" for anything else.
func toolkit(s string) string {
	v := version.FindStringSubmatch(s)
	switch {
	case v == nil && strings.HasPrefix(s, "64_"):
		return joined(s)
	case v == nil:
		return ""
	case v[2] == "":
		return v[1]
	}
	return v[1] + "." + v[2]
}

// joined returns the CUDA version in a name such as cu124 or cuda12.cudnn89.
func joined(s string) string {
	d := digits.FindStringSubmatch(s)
	switch {
	case d == nil:
		return ""
	case len(d[1]) == 3:
		return d[1][:2] + "." + d[1][2:]
	case len(d[1]) == 2 && d[1] > "20": // cu92
		return d[1][:1] + "." + d[1][1:]
	}
	return d[1]
}

// number returns the major number of a CUDA version, or 0.
func number(s string) int {
	major, _, _ := strings.Cut(s, ".")
	n, _ := strconv.Atoi(major)
	return n
}

// required returns the toolkit that the requirements of a package pin, or "". A lower
// bound does not determine a toolkit.
func (d dist) required() string {
	for _, r := range d.Requires {
		if p := pinned.FindStringSubmatch(r); p != nil {
			return toolkit(p[1])
		}
	}
	return ""
}

func (i installed) has(name string) bool {
	_, has := i.Dists[name]
	return has
}

// conda returns version and build of a conda package.
func (i installed) conda(name string) (rest string, there bool) {
	for _, p := range i.Conda {
		if rest, ok := strings.CutPrefix(p, name+"-"); ok {
			return rest, true
		}
	}
	return "", false
}

// toolkit returns the CUDA toolkit that pip or conda have installed for the
// interpreter, of the given major version unless that is 0. If there is none, it
// returns the major version, or "".
func (i installed) toolkit(major int) string {
	var found []string
	for _, cu := range []string{"", "-cu12", "-cu11"} { // none since CUDA 13
		found = append(found, i.Dists["nvidia-cuda-runtime"+cu].Version, i.Dists["nvidia-cuda-nvcc"+cu].Version)
	}
	found = append(found, i.Dists["cuda-toolkit"].Version)
	for _, name := range []string{"cuda-cudart", "cuda-version", "cudatoolkit"} {
		rest, _ := i.conda(name)
		v, _, _ := strings.Cut(rest, "-")
		found = append(found, v)
	}
	for _, v := range found {
		if v = toolkit(v); v != "" && (major == 0 || number(v) == major) {
			return v
		}
	}
	if major == 0 {
		return ""
	}
	return strconv.Itoa(major)
}
