package container

import (
	"context"
	"crypto/rand"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
)

// A Run is a program to run in a container.
type Run struct {
	// Name is the name of the container, by which [Image.Remove] finds it.
	Name string
	// Program and its arguments. It is found in the PATH of the image.
	Program []string
	// Env are its variables, as "K=V", in addition to those of the image.
	Env []string
	// Dir and Home are folders in the container.
	Dir, Home string
	// Mounts are the folders of this machine that it sees, at the same paths. Later ones
	// cover earlier ones.
	Mounts []Mount
	// GPU gives it the NVIDIA GPUs of the machine.
	GPU bool
	// Memory, in bytes, and Processes limit containers whose processes belong to a service
	// of the machine. Zero means no limit. Memory limits /dev/shm of Podman, too.
	Memory    uint64
	Processes int
	// Limit ends a container of Podman even if gpudocs was killed. Zero means no limit.
	Limit time.Duration
}

// A Mount is a folder of this machine in a container.
type Mount struct {
	Path     string
	ReadOnly bool
}

// inside starts the program in the container. Runtimes pass standard input on, and no other
// descriptor, so it is given to the program as descriptor 3. The shell stays: signals would
// not end a program that is the first process of a container, and Python collects no orphans. It
// outlives SIGTERM, so that the program may.
const inside = `exec 3<&0 </dev/null; trap : TERM; cd "$1" && HOME=$2 && export HOME && shift 2 && "$@"; exit "$?"`

// Command returns the command line that runs a program in the image, and its environment.
// Its standard input is descriptor 3 of the program.
func (i *Image) Command(r Run) (args, env []string) {
	program := append([]string{"sh", "-c", inside, "sh", r.Dir, r.Home}, r.Program...)
	env = slices.Clone(i.env)
	switch i.Runtime {
	case Podman, Docker:
		args = append(i.engine(r), program[1:]...)
	case Enroot:
		args = append(i.enroot(r), program...)
		env = append(env, "ENROOT_UNSHARE_PID=y")
		if r.GPU {
			env = append(env, "NVIDIA_VISIBLE_DEVICES=all", "NVIDIA_DRIVER_CAPABILITIES=compute,utility")
		}
	default:
		args = append(i.apptainer(r), program...)
		prefix := strings.ToUpper(i.Runtime)
		env = append(env, prefix+"_NO_EVAL=1") // values are no shell code
		for _, variable := range r.Env {
			env = append(env, prefix+"ENV_"+variable)
		}
	}
	return args, env
}

// engine returns the command line of Podman and Docker, up to the arguments of sh.
func (i *Image) engine(r Run) []string {
	args := []string{
		i.program, "run", "--interactive", "--name=" + r.Name, "--entrypoint=sh", "--user=" + i.user,
		"--pull=never", "--network=host", "--cap-drop=all", "--security-opt=no-new-privileges",
		"--security-opt=label=disable", // SELinux would deny the folders of this machine
		"--log-driver=none",            // what a program prints without end would fill the disk
	}
	if r.Memory > 0 { // as a machine without containers has it; the default is 64 MB
		args = append(args, "--shm-size="+strconv.FormatUint(r.Memory/2, 10))
	}
	if i.Runtime == Podman {
		args = append(append(args, "--rm", "--stop-timeout=0"), ulimits()...)
		if r.Limit > 0 {
			args = append(args, fmt.Sprintf("--timeout=%.0f", r.Limit.Seconds()))
		}
	} else { // [Image.Remove] removes it; with --rm, some services lose the exit status
		if r.Memory > 0 {
			args = append(args, fmt.Sprintf("--memory=%d", r.Memory), fmt.Sprintf("--memory-swap=%d", r.Memory))
		}
		if r.Processes > 0 {
			args = append(args, fmt.Sprintf("--pids-limit=%d", r.Processes))
		}
	}
	switch {
	case !r.GPU:
	case i.Runtime == Podman:
		args = append(args, "--device=nvidia.com/gpu=all")
	default:
		args = append(args, "--gpus=all")
	}
	for _, m := range r.Mounts {
		args = append(args, "--mount="+mount(m, "target", "readonly"))
	}
	for _, variable := range r.Env {
		args = append(args, "--env="+variable)
	}
	if i.folder {
		return append(args, "--rootfs", i.source+":O") // what is written is not kept
	}
	return append(args, i.source)
}

// apptainer returns the command line of Apptainer and Singularity, up to the program.
func (i *Image) apptainer(r Run) []string {
	args := []string{i.program, "--silent", "exec", "--containall", "--no-home", "--pwd", "/"}
	if r.GPU {
		args = append(args, "--nv")
	}
	for _, m := range r.Mounts {
		args = append(args, "--mount", mount(m, "destination", "ro"))
	}
	return append(args, i.source)
}

// enroot returns the command line of Enroot, up to the program.
func (i *Image) enroot(r Run) []string {
	args := []string{i.program, "start", "--rw"}
	for _, m := range r.Mounts {
		options := "x-create=dir,bind,nosuid,nodev"
		if m.ReadOnly {
			options += ",ro"
		}
		args = append(args, "--mount", m.Path+":"+m.Path+":"+options)
	}
	for _, variable := range r.Env {
		args = append(args, "--env", variable)
	}
	return append(args, i.source)
}

// mount returns a mount as a line of CSV, in which a path may hold commas.
func mount(m Mount, target, readOnly string) string {
	fields := []string{"type=bind", "source=" + m.Path, target + "=" + m.Path}
	if m.ReadOnly {
		fields = append(fields, readOnly)
	}
	var line strings.Builder
	w := csv.NewWriter(&line)
	_ = w.Write(fields) // to a builder
	w.Flush()
	return strings.TrimSuffix(line.String(), "\n")
}

// HasGPU reports whether this machine has the device of NVIDIA's driver.
func HasGPU() bool {
	_, err := os.Stat("/dev/nvidiactl")
	return err == nil
}

// ByService reports whether the processes of a container belong to a service of the machine.
// Then no signal reaches them, and nothing counts what they use.
func (i *Image) ByService() bool { return i.Runtime == Docker }

// endLimit limits the time in which a runtime has to end a container.
const endLimit = 30 * time.Second

// Remove ends a container and removes what its runtime keeps of it. It may be gone already.
func (i *Image) Remove(name string) {
	if i.Runtime == Podman || i.Runtime == Docker {
		remove(i.program, i.env, name)
	}
}

// RemoveLeftover is [Image.Remove] for a container of an earlier run.
func RemoveLeftover(runtime, name string) {
	if runtime != Podman && runtime != Docker {
		return
	}
	if program, err := exec.LookPath(runtime); err == nil {
		// Podman fails at first if the process that watched the container was killed.
		remove(program, os.Environ(), name)
		remove(program, os.Environ(), name)
	}
}

func remove(program string, env []string, name string) {
	subprocess.Run(context.Background(), subprocess.Command{
		Program: program, Args: []string{"rm", "--force", name}, Env: env, Dir: "/", Limit: endLimit})
}

// startLimit limits how long a program may run that only answers a question. The first start
// of a large image takes long.
const startLimit = 2 * time.Minute

// Run runs a program in the image that answers a question, without folders of this machine.
// Program, arguments and variables are those of c.
func (i *Image) Run(ctx context.Context, c subprocess.Command) subprocess.Result {
	name := "gpudocs-ask-" + strings.ToLower(rand.Text())
	args, env := i.Command(Run{Name: name, Program: append([]string{c.Program}, c.Args...), Env: c.Env, Dir: "/", Home: "/", Limit: startLimit})
	a := subprocess.Run(ctx, subprocess.Command{Program: args[0], Args: args[1:], Env: env, Dir: "/", Limit: startLimit})
	if a.Err != nil || i.ByService() {
		i.Remove(name)
	}
	return a
}

// Programs finds programs in the image. Those that it lacks are empty.
func (i *Image) Programs(ctx context.Context, programs ...string) (paths []string, err error) {
	const mark = "gpudocs finds "
	script := `for program; do echo "` + mark + `$(command -v "$program")"; done`
	a := i.Run(ctx, subprocess.Command{Program: "sh", Args: append([]string{"-c", script, "sh"}, programs...)})
	for line := range strings.Lines(string(a.Stdout)) {
		if path, ok := strings.CutPrefix(line, mark); ok {
			paths = append(paths, strings.TrimSpace(path))
		}
	}
	if len(paths) != len(programs) {
		return nil, fmt.Errorf("the image does not start: %s", failure(a))
	}
	return paths, nil
}

func failure(a subprocess.Result) string {
	if line := subprocess.FailureLine(a.Stderr); line != "" {
		return line
	}
	if a.Err == nil {
		a.Err = errors.New("it prints nothing")
	}
	return a.Err.Error()
}
