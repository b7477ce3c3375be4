package session

import _ "embed"

//go:embed driver/driver.sh
var bashDriver []byte

//go:embed driver/driver.py
var pythonDriver []byte

//go:embed driver/errors.py
var pythonErrors []byte

//go:embed driver/notebook.py
var pythonNotebook []byte

//go:embed driver/figures.py
var pythonFigures []byte

// An interpreter has a driver. It is found from the working folder by a relative path,
// so that $0 is the same everywhere.
type interpreter struct {
	file   string // the driver's name in Scratch/ctl
	driver []byte
	args   []string // before the path of Scratch/ctl
	// more are files that the driver reads if it needs them, by name.
	more map[string][]byte
}

var interpreters = map[string]interpreter{
	Bash: {"driver.sh", bashDriver, []string{"--noprofile", "--norc", "../ctl/driver.sh"}, nil},
	// With -c the driver stays out of __main__, and sys.path[0] is "" as at the prompt.
	// Output is unbuffered, C's stdout too: the output before a crash is evidence.
	Python: {"driver.py", pythonDriver, []string{"-u", "-c",
		`exec(compile(open("../ctl/driver.py").read(), "driver.py", "exec"), {"__name__": "gpudocs_driver"})`}, map[string][]byte{
		"errors.py": pythonErrors, "notebook.py": pythonNotebook, "figures.py": pythonFigures}},
}
