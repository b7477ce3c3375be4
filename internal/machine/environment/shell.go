package environment

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
)

// loadLimit is how long modules and setup may take together. On a network disk that is not
// cached a module takes seconds.
var loadLimit = 90 * time.Second

// maxVariables limits the variables of a shell, in bytes: the kernel refuses more.
const maxVariables = 1 << 20

// The program that loads modules and runs setup. Its standard output is for marks of what it begins and
// variables, each ended by NUL; all other output goes to standard error.
//
// module is a shell function. Login shells define it, and gpudocs has rarely been started
// by a bash that exported it. So it is defined as they do, from the variables that Lmod and
// Environment Modules leave in every process, the files of the system, and the usual places.
const (
	shellStart = `exec 62>&1 1>&2 </dev/null
`
	shellModules = `for gpudocs_file in '' "${LMOD_PKG-}/init/bash" "${MODULESHOME-}/init/bash" \
	/etc/profile.d/*lmod*.sh /etc/profile.d/*modules*.sh /usr/share/lmod/lmod/init/bash /usr/share/modules/init/bash; do
	[ "$(type -t module)" != function ] || break
	[ ! -f "$gpudocs_file" ] || . "$gpudocs_file"
done
if [ "$(type -t module)" != function ] && [ -x "${LMOD_CMD-}" ]; then module() { eval "$("$LMOD_CMD" bash "$@")"; }; fi
`
	shellSystem = `[ "$(type -t module)" = function ] || exit 1
`
	shellLoad = `for gpudocs_module in %[1]s; do
	printf 'module %%s\0' "$gpudocs_module" >&62
	printf '\n%[2]s\n' >&2
	module load "$gpudocs_module" || exit 1
done
`
	shellSetup = `printf 'setup\0' >&62
printf '\n%[2]s\n' >&2
eval %[1]s
gpudocs_status=$?
[ "$gpudocs_status" = 0 ] || { printf 'failed %%s\0' "$gpudocs_status" >&62; exit 1; }
`
	shellEnd = `%[1]s -0 %[2]s=end >&62
`
)

// load loads the modules and runs setup, in the site's folder. It returns the variables
// that they leave, and the loaded modules.
func (s Spec) load(ctx context.Context, root string) (variables, modules []string, err error) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		return nil, nil, fault(report.EnvNoProgram, "bash", "")
	}
	env, err := exec.LookPath("env")
	if err != nil {
		return nil, nil, fault(report.EnvNoProgram, "env", "")
	}
	mark := "GPUDOCS_" + rand.Text()
	a := subprocess.Run(ctx, subprocess.Command{Program: bash, Args: []string{"--noprofile", "--norc", "-c", s.program(env, mark), "bash"},
		Env: s.withVars(nil), Dir: root, Limit: loadLimit, Alone: true})
	marks, variables := parseVariables(a.Stdout, mark)
	if variables == nil {
		return nil, nil, s.failure(a, marks, mark)
	}
	modules = loaded(variables)
	for _, want := range s.Modules {
		if !slices.ContainsFunc(modules, func(m string) bool { return m == want || strings.HasPrefix(m, want+"/") }) &&
			len(modules) <= len(loaded(os.Environ())) { // otherwise it has another name
			return nil, nil, fault(report.EnvModule, want, "")
		}
	}
	return variables, modules, nil
}

// program returns the text of the program.
func (s Spec) program(env, mark string) string {
	var b strings.Builder
	b.WriteString(shellStart)
	if len(s.Modules) > 0 {
		b.WriteString(shellModules + shellSystem)
		for _, kv := range assignments(s.Vars) { // such as MODULEPATH, which the system may have set
			fmt.Fprintf(&b, "export %s\n", quote(kv))
		}
		fmt.Fprintf(&b, shellLoad, quoteAll(s.Modules), mark)
	}
	if s.Setup != "" {
		fmt.Fprintf(&b, shellSetup, quote(s.Setup), mark)
	}
	fmt.Fprintf(&b, shellEnd, quote(env), mark)
	return b.String()
}

// quote quotes a text for the shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// parseVariables returns the marks of the program, and then the variables, which are nil
// if it did not come to its end.
func parseVariables(out []byte, mark string) (marks, variables []string) {
	entries := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	at := slices.IndexFunc(entries, func(e string) bool { return strings.Contains(e, "=") })
	if at < 0 {
		return entries, nil
	}
	if marks = entries[:at]; entries[len(entries)-1] != mark+"=end" || len(out) > maxVariables {
		return marks, nil
	}
	// The variables of the shell itself are not those of a session.
	variables = slices.DeleteFunc(entries[at:len(entries)-1],
		func(kv string) bool { return slices.Contains(ofShell, nameOf(kv)) || nameOf(kv) == "" })
	for _, kv := range os.Environ() {
		if slices.Contains(ofShell, nameOf(kv)) {
			variables = append(variables, kv)
		}
	}
	return marks, variables
}

// ofShell are the variables that every shell sets.
var ofShell = []string{"PWD", "OLDPWD", "SHLVL", "_"}

func nameOf(kv string) string {
	name, _, _ := strings.Cut(kv, "=")
	return name
}

// loaded returns the loaded modules in the order in which they were loaded. A module that
// was loaded by its path is in it without its folder.
func loaded(variables []string) (modules []string) {
	for m := range strings.SplitSeq(pyenv.Variable(variables, "LOADEDMODULES"), ":") {
		if path.IsAbs(m) {
			m = path.Base(m)
		}
		if m != "" && len(m) <= 200 && utf8.ValidString(m) && len(modules) < report.MaxModules {
			modules = append(modules, m)
		}
	}
	return modules
}

// failure returns why the program did not come to its end.
func (s Spec) failure(a subprocess.Result, marks []string, mark string) error {
	kind, name, _ := strings.Cut(marks[len(marks)-1], " ")
	switch said := errorLine(a.Stderr, mark); {
	case subprocess.TimedOut(a.Err):
		slow := fault(report.EnvSlow, "", "")
		slow.Limit = report.Seconds(loadLimit)
		return slow
	case errors.Is(a.Err, subprocess.ErrTooLong):
		return fault(report.EnvTooMuch, "", "")
	case a.Err != nil && !errors.As(a.Err, new(*exec.ExitError)):
		return fault(report.EnvFailed, "bash", a.Err.Error())
	case kind == "failed":
		failed := fault(report.EnvSetup, "", said)
		if exit, err := strconv.Atoi(name); err == nil {
			failed.Exit = &exit
		}
		return failed
	case kind == "setup":
		return fault(report.EnvSetupEnded, "", said)
	case kind == "module":
		return fault(report.EnvModule, name, said)
	}
	return fault(report.EnvNoModules, "", "")
}

// errorLine returns the line of standard error that says why something failed: the first with
// the word error after the last mark, or else the first.
func errorLine(stderr, mark string) string {
	if at := strings.LastIndex(stderr, mark); at >= 0 {
		stderr = stderr[at+len(mark):]
	}
	first := ""
	for line := range strings.Lines(stderr) {
		line = strings.Join(strings.Fields(string(bytes.ToValidUTF8([]byte(line), nil))), " ")
		if first == "" || strings.Contains(strings.ToLower(line), "error") && !strings.Contains(strings.ToLower(first), "error") {
			first = line
		}
	}
	if first == "" {
		return ""
	}
	if len(first) > maxErrorLine { // at a space: a part of a private path would not be recognised as such
		first = first[:maxErrorLine]
		first = strings.ToValidUTF8(first[:max(0, strings.LastIndexByte(first, ' '))], "") + " ..."
	}
	return first
}

// maxErrorLine limits the line, in bytes.
const maxErrorLine = 300
