package container

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
)

// TestCommand checks the command lines. Tests of package session run them, with the runtimes
// that the machine has.
func TestCommand(t *testing.T) {
	r := Run{Name: "gpudocs-1", Program: []string{"bash", "-x"}, Env: []string{"A=b c"}, Dir: "/s/work", Home: "/s/tmp",
		Mounts: []Mount{{Path: "/a, b", ReadOnly: true}, {Path: "/s"}}, GPU: true, Memory: 1 << 30, Processes: 9, Limit: 3 * time.Second}
	inside := []string{"-c", inside, "sh", "/s/work", "/s/tmp", "bash", "-x"}
	for _, c := range []struct {
		image Image
		want  string // one argument a line, up to those of sh
		env   []string
	}{
		{Image{Runtime: Podman, user: "0:0", source: "python:3.12"}, `podman
run
--interactive
--name=gpudocs-1
--entrypoint=sh
--user=0:0
--pull=never
--network=host
--cap-drop=all
--security-opt=no-new-privileges
--security-opt=label=disable
--log-driver=none
--shm-size=536870912
--rm
--stop-timeout=0
--timeout=3
--device=nvidia.com/gpu=all
--mount
type=bind,"source=/a, b","target=/a, b",readonly
--mount
type=bind,source=/s,target=/s
--env
A=b c
python:3.12`, nil},
		{Image{Runtime: Docker, user: "7:8", source: "python:3.12"}, `docker
run
--interactive
--name=gpudocs-1
--entrypoint=sh
--user=7:8
--pull=never
--network=host
--cap-drop=all
--security-opt=no-new-privileges
--security-opt=label=disable
--log-driver=none
--shm-size=536870912
--memory=1073741824
--memory-swap=1073741824
--pids-limit=9
--gpus=all
--mount
type=bind,"source=/a, b","target=/a, b",readonly
--mount
type=bind,source=/s,target=/s
--env
A=b c
python:3.12`, nil},
		{Image{Runtime: Singularity, source: "/i.sif"}, `singularity
--silent
exec
--containall
--no-home
--pwd
/
--nv
--mount
type=bind,"source=/a, b","destination=/a, b",ro
--mount
type=bind,source=/s,destination=/s
/i.sif
sh`, []string{"SINGULARITY_NO_EVAL=1", "SINGULARITYENV_A=b c"}},
		{Image{Runtime: Enroot, source: "/i.sqsh"}, `enroot
start
--rw
--mount
/a, b:/a, b:x-create=dir,bind,nosuid,nodev,ro
--mount
/s:/s:x-create=dir,bind,nosuid,nodev
--env
A=b c
/i.sqsh
sh`, []string{"ENROOT_UNSHARE_PID=y", "NVIDIA_VISIBLE_DEVICES=all", "NVIDIA_DRIVER_CAPABILITIES=compute,utility"}},
	} {
		t.Run(c.image.Runtime, func(t *testing.T) {
			c.image.program = c.image.Runtime
			args, env := c.image.Command(r)
			// Without its limits Podman raises them, which may not be allowed.
			limited := slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--ulimit=nofile=") })
			if want := c.image.Runtime == Podman && runtime.GOOS == "linux"; limited != want {
				t.Errorf("limits of files: %v, want %v", limited, want)
			}
			args = slices.DeleteFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--ulimit=") })
			if d := cmp.Diff(append(strings.Split(c.want, "\n"), inside...), args); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(c.env, env); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestParse(t *testing.T) {
	digest := "sha256:" + strings.Repeat("0a", 32)
	for text, want := range map[string]reference{
		"docker://nvcr.io/nvidia/pytorch:24.09-py3": {place: "nvcr.io/nvidia/pytorch:24.09-py3", runtimes: Runtimes},
		"python:3.12":               {place: "python:3.12", runtimes: Runtimes},
		"docker://python@" + digest: {place: "python@" + digest, digest: digest, runtimes: Runtimes},
		"oras://ghcr.io/a/b:1":      {place: "oras://ghcr.io/a/b:1", runtimes: Runtimes[:2]},
		"images/a.sif":              {place: "/site/images/a.sif", local: true, runtimes: Runtimes[:2]},
		"a.sif@" + digest:           {text: "a.sif", place: "/site/a.sif", local: true, digest: digest, runtimes: Runtimes[:2]},
		"/b/a.sqsh":                 {place: "/b/a.sqsh", local: true, runtimes: []string{Apptainer, Singularity, Enroot}},
		"../rootfs":                 {place: "/rootfs", local: true, runtimes: []string{Apptainer, Singularity, Podman}},
	} {
		if want.text == "" {
			want.text = text
		}
		if got := parse(text, "/site"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	if got := enrootSource("nvcr.io/nvidia/pytorch:24.09-py3") + " " + enrootSource("library/python"); got != "docker://nvcr.io#nvidia/pytorch:24.09-py3 docker://library/python" {
		t.Error(got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("docker://a/b:1@sha256:0", "a.sif@")
	f.Fuzz(func(t *testing.T, text, root string) {
		r := parse(text, root)
		if r.local && !filepath.IsAbs(r.place) {
			t.Errorf("%q: %+v", text, r)
		}
		if r.digest != "" && !isDigest(r.digest) {
			t.Errorf("%q: %+v", text, r)
		}
	})
}

// fake makes a runtime that answers with a script, for what real ones do only if they are broken.
func fake(t *testing.T, name, script string) Host {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return Host{Root: t.TempDir(), Env: os.Environ(), LookPath: func(program string) string {
		if program == name {
			return path
		}
		return ""
	}}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ name, runtime, script, text, want string }{
		{"no runtime", "none", "", "python:3", "no-environment: no-runtime: python:3: apptainer, singularity, podman, docker, enroot"},
		{"no runtime for SIF", Podman, "", "a.sif", "no-environment: no-runtime: a.sif: apptainer, singularity"},
		{"no file", Apptainer, "", "a.sif", "apptainer: no such file or directory"},
		{"no folder", Podman, "", "./rootfs", "podman: no such file or directory"},
		{"not here", Podman, "exit 125", "python:3", ErrNotHere.Error()},
		{"nonsense", Podman, "echo '[{\"Id\":\"ab\"}]'", "python:3", `podman: it gives "sha256:ab" as digest`},
		{"no JSON", Podman, "echo x", "python:3", "podman: invalid character 'x' looking for beginning of value"},
		{"a service that is down", Docker, "echo 'Cannot connect to the Docker daemon' >&2; exit 1", "python:3", "docker: its service does not answer: exit status 1: Cannot connect to the Docker daemon"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Find(t.Context(), c.text, fake(t, c.runtime, c.script)); err == nil || !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	t.Setenv(Variable, "nope")
	if _, err := Find(t.Context(), "python:3", fake(t, Podman, "")); err == nil || !strings.Contains(err.Error(), `is "nope"`) {
		t.Error(err)
	}
}

// TestHangingImage checks that an image whose shell hangs costs no more than the limit of one start.
func TestHangingImage(t *testing.T) {
	if startLimit > time.Minute {
		t.Errorf("a start may take %v", startLimit)
	}
	before := startLimit
	t.Cleanup(func() { startLimit = before })
	h := fake(t, Podman, `case $1 in run) exec sleep 100;; rm) exit;; esac; echo '[{"Id":"'$(printf '%064d' 1)'"}]'`)
	image, err := Find(t.Context(), "python:3", h)
	if err != nil {
		t.Fatal(err)
	}
	startLimit = 300 * time.Millisecond
	began := time.Now()
	if _, err := image.Programs(t.Context(), "bash"); err == nil || !strings.Contains(err.Error(), "the image does not start: ") {
		t.Error(err)
	}
	image.Run(t.Context(), subprocess.Command{Program: "bash", Limit: time.Hour})
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestFileDigest checks a file against its digest, and that a changed file is read again.
func TestFileDigest(t *testing.T) {
	h := fake(t, Apptainer, "")
	path := filepath.Join(h.Root, "a.sif")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	image, err := Find(t.Context(), "a.sif", h)
	if err != nil {
		t.Fatal(err)
	}
	one := image.Digest
	for _, text := range []string{"a.sif", "a.sif@" + one} {
		if image, err := Find(t.Context(), text, h); err != nil || image.Digest != one {
			t.Errorf("%+v, %v", image, err)
		}
	}
	write("other")
	if _, err := Find(t.Context(), "a.sif@"+one, h); err == nil || !strings.Contains(err.Error(), "apptainer: the digest of a.sif is sha256:d9298a10") {
		t.Error(err)
	}
}

func TestPull(t *testing.T) {
	h := fake(t, Apptainer, `[ "$1 $2 $4" = "pull --force docker://python:3" ] && echo image >"$3"`)
	if _, err := Find(t.Context(), "python:3", h); !errors.Is(err, ErrNotHere) {
		t.Fatal(err)
	}
	image, err := Pull(t.Context(), "python:3", h)
	if err != nil || !isDigest(image.Digest) {
		t.Fatalf("%+v, %v", image, err)
	}
	if _, err := Find(t.Context(), "python:3", h); err != nil {
		t.Error(err)
	}
	h = fake(t, Apptainer, `echo half >"$3"; echo "FATAL: no such host" >&2; exit 255`)
	if _, err := Pull(t.Context(), "python:3", h); err == nil || err.Error() != "apptainer: exit status 255: FATAL: no such host" {
		t.Error(err)
	}
	if _, err := Find(t.Context(), "python:3", h); !errors.Is(err, ErrNotHere) {
		t.Errorf("half of an image is there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Pull(ctx, "python:3", h); err == nil {
		t.Error("it was cancelled")
	}
}
