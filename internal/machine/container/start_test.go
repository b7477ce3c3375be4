package container

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestStarts asks runtimes that are in PATH and start no container, each in the way that real ones fail.
func TestStarts(t *testing.T) {
	if runtime.GOOS != "linux" || nothing(runtime.GOARCH) == nil {
		t.Skip("containers are started on Linux only, with a program of a known architecture")
	}
	const hybrid = "OCI runtime error: cgroups in hybrid mode not supported"
	calls := filepath.Join(t.TempDir(), "calls")
	for _, c := range []struct{ name, runtime, script, want, calls string }{
		{"works", Podman, "", "", "run "},
		{"no cgroups", Podman, `[ $1 = rm ] || { echo 'Error: ` + hybrid + `' >&2; exit 126; }`, "Error: " + hybrid, "run rm "},
		{"no user namespaces", Podman, `echo 'cannot clone: Operation not permitted' >&2; exit 125`, "cannot clone: Operation not permitted", "run rm "},
		{"a stub", Podman, `echo "Command 'podman' not found, but can be installed with: apt install podman"; exit 127`, "exit status 127", "run rm "},
		{"no service", Docker, `echo 'Cannot connect to the Docker daemon' >&2; exit 1`, "Cannot connect to the Docker daemon", "import "},
		{"no permission", Docker, `echo 'permission denied while trying to connect to the Docker daemon socket' >&2; exit 1`,
			"permission denied while trying to connect to the Docker daemon socket", "import "},
		{"a service that starts nothing", Docker, `case $1 in run) printf "docker: runc create failed\n\nRun 'docker run --help' for more information\n" >&2; exit 125;; esac`, "docker: runc create failed", "import run rm rmi "},
		{"its image is removed", Docker, `case $1 in import) cat >/dev/null; echo "$3" >"$0.image";; rmi) [ "$3" = "$(cat "$0.image")" ] && rm "$0.image";; esac`, "", "import run rm rmi "},
		{"no setuid", Apptainer, `echo 'FATAL: no user namespaces' >&2; exit 255`, "FATAL: no user namespaces", "--silent "},
		{"not tried", Enroot, "exit 1", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			_ = os.Remove(calls)
			h := fake(t, c.runtime, `printf '%s ' "$1" >>'`+calls+"'\n"+c.script)
			got := ""
			if err := Starts(t.Context(), c.runtime, h); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if made, _ := os.ReadFile(calls); string(made) != c.calls {
				t.Errorf("calls %q, want %q", made, c.calls)
			}
			if _, err := os.Stat(h.LookPath(c.runtime) + ".image"); err == nil {
				t.Error("the image of the test is left")
			}
			if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
				t.Errorf("left: %v, %v", left, err)
			}
		})
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "gone"))
	if err := Starts(t.Context(), Podman, fake(t, Podman, "")); err == nil || err.Error() != "no such file or directory" {
		t.Errorf("no folder for temporary files: %v", err)
	}
}

// TestNothing reads the program as the kernel does. Tests of package containertest start it in containers.
func TestNothing(t *testing.T) {
	for arch, machine := range map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64} {
		program := nothing(arch)
		f, err := elf.NewFile(bytes.NewReader(program))
		if err != nil {
			t.Fatal(err)
		}
		if f.Machine != machine || f.Type != elf.ET_EXEC || len(f.Progs) != 1 {
			t.Errorf("%s: %+v", arch, f.FileHeader)
		}
		p := f.Progs[0]
		if p.Type != elf.PT_LOAD || p.Filesz != uint64(len(program)) || f.Entry <= p.Vaddr || f.Entry >= p.Vaddr+p.Filesz {
			t.Errorf("%s: entry %#x, %+v", arch, f.Entry, p.ProgHeader)
		}
	}
	if nothing("mips") != nil {
		t.Error("a program for an unknown architecture")
	}
}
