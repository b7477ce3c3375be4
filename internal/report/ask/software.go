package ask

import (
	"slices"
	"strconv"
	"strings"
)

// The facts of software, beside those that have the names of [Frameworks]. Python
// and the frameworks are those of an environment, Slurm is its client on the machine.
const (
	Python Fact = "python"
	Slurm  Fact = "slurm"
)

// Programs lists the facts of software. Such a fact is compared with a version, and alone
// it asks whether the software is installed.
func Programs() []string {
	return slices.Concat([]string{string(Python)}, Frameworks(), []string{string(Slurm), string(NVCC)})
}

func (f Fact) isProgram() bool { return f.isAnswer() || slices.Contains(Programs(), string(f)) }

// Release returns the value for installed software with a version. Only the leading numbers
// count: 1.13.0a0+cu118 is 1.13.0. If there are none, the software is installed but no
// comparison is met. The zero Value is for software that is known not to be installed.
func Release(version string) Value {
	v := Value{text: version}
	for rest := version; ; {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n, err := strconv.ParseUint(rest[:digits], 10, 32)
		if err != nil {
			break
		}
		v.parts = append(v.parts, n)
		if rest = rest[digits:]; !strings.HasPrefix(rest, ".") {
			break
		}
		rest = rest[1:]
	}
	if v.parts == nil {
		v.text = "?"
	}
	return v
}

// VersionUnknown reports whether software is installed in an unknown version.
func (v Value) VersionUnknown() bool { return v.text != "" && v.parts == nil && v.runs == nil }

// versionExample returns an example of a comparison with a version.
func (f Fact) versionExample() string {
	switch {
	case f == Python:
		return "3.9"
	case f == Slurm:
		return "21.08"
	case f.isProgram() && f != NVCC:
		return "1.12"
	}
	return "12.4"
}

// any reports whether is returns true for any comparison of the expression.
func (e Expr) any(is func(*comparison) bool) bool {
	found := false
	e.each(func(c *comparison) { found = found || is(c) })
	return found
}

// OfGPU reports whether the expression asks about GPUs or their driver, or what runs
// on them, and not only about software.
func (e Expr) OfGPU() bool {
	return e.any(func(c *comparison) bool { return !c.fact.isProgram() && !c.fact.ofMachine() })
}

// OfEnvironment reports whether the expression asks what is installed in an
// environment: "torch >= 1.12", has("cmake"), and "runs torch" too.
func (e Expr) OfEnvironment() bool {
	return e.any(func(c *comparison) bool {
		return c.fact == Runs && slices.Contains(Frameworks(), c.value.text) || c.fact.isProgram() && c.fact != Slurm
	})
}

// OfSlurm reports whether the expression asks about Slurm.
func (e Expr) OfSlurm() bool {
	return e.any(func(c *comparison) bool { return c.fact == Slurm })
}
