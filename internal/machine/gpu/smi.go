package gpu

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
)

// askSMI returns the inventory of nvidia-smi; ok is false if there is no nvidia-smi.
func askSMI(ctx context.Context, o ProbeOptions) (inv inventory, ok bool) {
	names := []string{o.NvidiaSMI}
	if o.NvidiaSMI == "" {
		names = smiPlaces(runtime.GOOS, os.Getenv)
	}
	program := ""
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		return inventory{}, false
	}
	run := func(args ...string) subprocess.Result {
		return subprocess.Run(ctx, subprocess.Command{Program: program, Args: args, Env: o.Env, Silence: o.Timeout, Limit: longest * o.Timeout})
	}
	a := run("-q", "-x")
	var exit *exec.ExitError
	err := a.Err
	if err == nil || errors.As(err, &exit) {
		// A complete answer is valid whatever the exit code: 14 is only a warning.
		inv, err = parseSMI(a.Stdout)
	}
	switch {
	case err == nil:
	case isStub(a):
		return inventory{}, false
	default:
		return inventory{Source: report.SourceNvidiaSMI, Fault: smiFault(a, err, o)}, true
	}
	if c := run("--query-gpu=compute_cap", "--format=csv,noheader"); c.Err == nil {
		inv.addCompute(c.Stdout)
	}
	if slices.ContainsFunc(inv.GPUs, func(c gpuInfo) bool { return len(c.Readings.Instances()) > 0 }) {
		if l := run("-L"); l.Err == nil {
			inv.addProfiles(l.Stdout)
		}
	}
	return inv, true
}

// smiPlaces returns where nvidia-smi may be: in PATH, or in the driver's folder, which
// may not be in PATH: on WSL2 after a login by ssh
// (https://github.com/microsoft/WSL/issues/8794), and on Windows with older drivers
// (https://crrev.com/1241aea53e75dab24b82f20e705fd290c5d445ea finds NVML there).
func smiPlaces(system string, env func(string) string) []string {
	places := []string{"nvidia-smi"}
	add := func(variable string, path string) {
		if folder := env(variable); folder != "" {
			places = append(places, folder+path)
		}
	}
	switch system {
	case "linux":
		places = append(places, "/usr/lib/wsl/lib/nvidia-smi")
	case "windows":
		add("SystemRoot", `\System32\nvidia-smi.exe`)
		add("ProgramFiles", `\NVIDIA Corporation\NVSMI\nvidia-smi.exe`)
		add("ProgramW6432", `\NVIDIA Corporation\NVSMI\nvidia-smi.exe`) // for a 32-bit process
	}
	return places
}

// isStub reports whether what is named nvidia-smi is a distribution's script that says which
// package has the program: it ends as a shell does that finds none. So does the dynamic
// linker, which says that a library is missing.
func isStub(a subprocess.Result) bool {
	var exit *exec.ExitError
	return errors.As(a.Err, &exit) && exit.ExitCode() == 127 && !strings.Contains(message(a), "shared librar")
}

// smiFault returns why nvidia-smi gave no answer, or why err made it unreadable.
func smiFault(a subprocess.Result, err error, o ProbeOptions) *fault {
	var exit *exec.ExitError
	switch {
	case subprocess.TimedOut(a.Err):
		return timedOut(a.Err, o.Timeout)
	case a.Err == nil && message(a) == "No devices were found": // some drivers end with 0, and not with 6
		return nvmlFault(nvmlNotFound, message(a))
	case errors.As(a.Err, &exit) && exit.Exited():
		return nvmlFault(exit.ExitCode(), message(a))
	case exit != nil:
		return crashed("nvidia-smi: " + a.Err.Error())
	}
	return brokenGPU(report.CodeDriverFailed, "nvidia-smi's answer cannot be read: "+err.Error())
}

// message returns the first line of nvidia-smi that is not XML. It writes errors to
// standard output too.
func message(a subprocess.Result) string {
	for line := range strings.Lines(string(a.Stdout) + "\n" + a.Stderr) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '<' {
			return line
		}
	}
	return fmt.Sprint("nvidia-smi: ", a.Err)
}

var capability = lazyregexp.New(`^[1-9][0-9]?\.[0-9]{1,2}$`)

// addCompute adds the compute capabilities, one per line in the order of the GPUs. If
// their number is not that of the GPUs it adds none.
func (inv inventory) addCompute(csv []byte) {
	lines := strings.Split(strings.TrimSpace(string(csv)), "\n")
	if len(lines) != len(inv.GPUs) {
		return
	}
	for i, line := range lines {
		if line = strings.TrimSpace(line); capability.MatchString(line) {
			inv.GPUs[i].Compute = line
		}
	}
}

// A GPU and its MIG devices as `nvidia-smi -L` lists them: "GPU 0: NAME (UUID:
// GPU-...)", and below it "  MIG 1g.10gb Device 0: (UUID: MIG-...)". MIG User
// Guide, https://docs.nvidia.com/datacenter/tesla/mig-user-guide/.
var (
	gpuLine = lazyregexp.New(`^GPU \d+: .*\(UUID: (GPU-[^)]+)\)`)
	migLine = lazyregexp.New(`^\s+MIG (\S+)\s+Device\s+\d+:`)
)

// addProfiles adds the profiles of MIG devices, which the XML does not have. They are in
// the order of the devices, as in addCompute.
func (inv inventory) addProfiles(list []byte) {
	profiles := map[string][]string{}
	uuid := ""
	for line := range strings.Lines(string(list)) {
		if m := gpuLine.FindStringSubmatch(line); m != nil {
			uuid = m[1]
		} else if m := migLine.FindStringSubmatch(line); m != nil {
			profiles[uuid] = append(profiles[uuid], clean(m[1], maxName))
		}
	}
	for _, c := range inv.GPUs {
		if names, devices := profiles[c.UUID], c.Readings.Instances(); len(names) == len(devices) {
			for i, name := range names {
				devices[i].Profile = name
			}
		}
	}
}
