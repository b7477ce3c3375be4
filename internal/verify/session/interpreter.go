package session

import "embed"

//go:embed driver/*.sh driver/*.py
var drivers embed.FS

// An interpreter has a driver. It is found from the working folder by a relative path,
// so that $0 is the same everywhere.
type interpreter struct {
	files []string // the driver, and what it reads if it needs it; copied to Scratch/ctl
	args  []string // before the path of Scratch/ctl, and for a kernel its name and the grace time in seconds
}

var interpreters = map[string]interpreter{
	Bash: {[]string{"driver.sh"}, []string{"--noprofile", "--norc", "../ctl/driver.sh"}},
	// With -c the driver stays out of __main__, and sys.path[0] is "" as at the prompt.
	// Output is unbuffered, C's stdout too: the output before a crash is evidence.
	Python: {[]string{"driver.py", "errors.py", "display.py", "notebook.py", "figures.py"}, []string{"-u", "-c",
		`exec(compile(open("../ctl/driver.py").read(), "driver.py", "exec"), {"__name__": "gpudocs_driver"})`}},
	// As a script: the author's folder is not in sys.path.
	Jupyter: {[]string{"kernel.py", "display.py"}, []string{"../ctl/kernel.py"}},
}
