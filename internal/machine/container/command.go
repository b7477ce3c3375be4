package container

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
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
	variable := ""
	switch i.Runtime {
	case Podman, Docker:
		args, program = i.engine(r), program[1:]
	case Enroot:
		args = []string{"start", "--rw"}
		env = append(env, "ENROOT_UNSHARE_PID=y")
		env = append(env, when(r.GPU, "NVIDIA_VISIBLE_DEVICES=all", "NVIDIA_DRIVER_CAPABILITIES=compute,utility")...)
	default: // its options for variables know no commas
		args = append([]string{"--silent", "exec", "--containall", "--no-home", "--pwd", "/"}, when(r.GPU, "--nv")...)
		variable = strings.ToUpper(i.Runtime)
		env = append(env, variable+"_NO_EVAL=1") // values are no shell code
	}
	for _, m := range r.Mounts {
		args = append(args, "--mount", i.mount(m))
	}
	for _, kv := range r.Env {
		if variable != "" {
			env = append(env, variable+"ENV_"+kv)
		} else {
			args = append(args, "--env", kv)
		}
	}
	source := []string{i.source}
	if i.rootfs {
		source = []string{"--rootfs", i.source}
	}
	return slices.Concat([]string{i.program}, args, source, program), env
}

// engine returns the options of Podman and Docker, without those for folders and variables.
func (i *Image) engine(r Run) []string {
	podman := i.Runtime == Podman
	return slices.Concat(
		[]string{"run", "--interactive", "--name=" + r.Name, "--entrypoint=sh", "--user=" + i.user,
			"--pull=never", "--network=host", "--cap-drop=all", "--security-opt=no-new-privileges",
			"--security-opt=label=disable", // SELinux would deny the folders of this machine
			"--log-driver=none"},           // what a program prints without end would fill the disk
		when(r.Memory > 0, fmt.Sprintf("--shm-size=%d", r.Memory/2)), // as a machine without containers has it; the default is 64 MB
		// [Image.Remove] removes a container of Docker: with --rm, some services lose the exit status.
		when(podman, append(ulimits(), "--rm", "--stop-timeout=0")...),
		when(podman && r.Limit > 0, fmt.Sprintf("--timeout=%.0f", r.Limit.Seconds())),
		when(!podman && r.Memory > 0, fmt.Sprintf("--memory=%d", r.Memory), fmt.Sprintf("--memory-swap=%d", r.Memory)),
		when(!podman && r.Processes > 0, fmt.Sprintf("--pids-limit=%d", r.Processes)),
		when(podman && r.GPU, "--device=nvidia.com/gpu=all"),
		when(!podman && r.GPU, "--gpus=all"))
}

func when(holds bool, args ...string) []string {
	if holds {
		return args
	}
	return nil
}

// mount returns a mount as its runtime writes it: as a line of CSV, in which a path may hold commas, or with
// colons.
func (i *Image) mount(m Mount) string {
	target, readOnly := "target", "readonly"
	switch i.Runtime {
	case Enroot:
		return m.Path + ":" + m.Path + ":x-create=dir,bind,nosuid,nodev" + strings.Join(when(m.ReadOnly, ",ro"), "")
	case Apptainer, Singularity:
		target, readOnly = "destination", "ro"
	}
	var line strings.Builder
	w := csv.NewWriter(&line)
	_ = w.Write(append([]string{"type=bind", "source=" + m.Path, target + "=" + m.Path}, when(m.ReadOnly, readOnly)...)) // to a builder
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
		subprocess.Run(context.Background(), subprocess.Command{
			Program: i.program, Args: []string{"rm", "--force", name}, Env: i.env, Dir: "/", Limit: endLimit})
	}
}

// RemoveLeftover is [Image.Remove] for a container of an earlier run.
func RemoveLeftover(runtime, name string) {
	if program, err := exec.LookPath(runtime); err == nil {
		(&Image{Runtime: runtime, program: program, env: os.Environ()}).Remove(name)
	}
}

// startLimit limits how long a program may run that only answers a question. The first start
// of a large image takes long.
var startLimit = time.Minute

// Run runs a program in the image that answers a question, without folders of this machine.
// Program, arguments and variables are those of c.
func (i *Image) Run(ctx context.Context, c subprocess.Command) subprocess.Result {
	name := "gpudocs-ask-" + strings.ToLower(rand.Text())
	limit := min(cmp.Or(c.Limit, startLimit), startLimit)
	args, env := i.Command(Run{Name: name, Program: append([]string{c.Program}, c.Args...), Env: c.Env, Dir: "/", Home: "/", Limit: limit})
	a := subprocess.Run(ctx, subprocess.Command{Program: args[0], Args: args[1:], Env: env, Dir: "/", Limit: limit})
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
	stderr, _, _ := strings.Cut(a.Stderr, "\nRun 'docker ") // which says how to get help
	stderr, _, _ = strings.Cut(stderr, "\nSee 'docker ")
	if line := subprocess.FailureLine(stderr); line != "" {
		return line
	}
	if a.Err == nil {
		a.Err = errors.New("it prints nothing")
	}
	return a.Err.Error()
}
