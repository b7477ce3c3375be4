package environment

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
)

// The program that looks for programs and modules. It prints each that is there, and at last "end".
// Programs are looked for first, as the files of a module system may change PATH.
//
// A manager of versions puts a program into PATH that starts the chosen version of another, if there is one: rustup
// and mise themselves under that name, others a script in a folder shims.
const (
	shellHas = `gpudocs_starts() {
	local manager
	for manager in rustup mise; do
		[ "$manager" != "$1" ] && [ "$2" -ef "$(type -P "$manager")" ] || continue
		"$manager" which "$1" >/dev/null 2>&1
		return
	done
	case $2 in */shims/*) "$2" --version >/dev/null 2>&1; case $? in 126 | 127) false ;; *) true ;; esac ;; esac
}
for gpudocs_name in %s; do
	gpudocs_path=$(type -P -- "$gpudocs_name") && gpudocs_starts "$gpudocs_name" "$gpudocs_path" && printf 'has %%s\0' "$gpudocs_name" >&62
done
`
	shellAvailable = `if [ "$(type -t module)" = function ]; then
	for gpudocs_name in %s; do module is-avail "$gpudocs_name" && printf 'module %%s\0' "$gpudocs_name" >&62; done
fi
`
)

// Ask reports which programs are in PATH and which modules can be loaded, as "has cmake" and
// "module cuda/12". It runs no program but managers of versions, and loads no module. ok is false if that is not known.
func (e Environment) Ask(ctx context.Context, programs, modules []string) (found map[string]bool, ok bool) {
	bash := e.LookPath("bash")
	if bash == "" || e.Unavailable != nil {
		return nil, false
	}
	script := shellStart + fmt.Sprintf(shellHas, quoteAll(programs))
	if len(modules) > 0 {
		script += shellModules + fmt.Sprintf(shellAvailable, quoteAll(modules))
	}
	a := e.Run(ctx, subprocess.Command{Program: bash, Args: []string{"--noprofile", "--norc", "-c", script + "printf 'end\\0' >&62\n", "bash"},
		Env: append(e.Environ(), "LC_ALL=C.UTF-8"), Dir: os.TempDir(), Limit: loadLimit, Alone: true})
	found = map[string]bool{}
	for mark := range strings.SplitSeq(string(a.Stdout), "\x00") {
		found[mark] = true
	}
	for _, m := range e.Modules { // a loaded one need not be in MODULEPATH any more
		for at := range m + "/" {
			if m := m + "/"; m[at] == '/' {
				found["module "+m[:at]] = true
			}
		}
	}
	return found, found["end"]
}

func quoteAll(names []string) string {
	var list []string
	for _, n := range names {
		list = append(list, quote(n))
	}
	return strings.Join(list, " ")
}
