package gpu

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
	"github.com/gpudocs/gpudocs/internal/report"
)

// askSMI asks nvidia-smi; it returns false if there is none.
func askSMI(ctx context.Context, o Options) (inventory, bool) {
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
	a := subprocess.Run(ctx, subprocess.Command{Program: program, Args: []string{"-q", "-x"}, Env: o.Env, Silence: o.Timeout, Limit: longest * o.Timeout})
	var exit *exec.ExitError
	inv, err := inventory{}, a.Err
	if err == nil || errors.As(err, &exit) {
		// A complete answer counts whatever the exit code: 14 is but a warning.
		inv, err = parseSMI(a.Stdout)
	}
	if err != nil {
		return inventory{Source: report.SourceNvidiaSMI, Fault: smiFault(a, err, o)}, true
	}
	c := subprocess.Run(ctx, subprocess.Command{Program: program, Args: []string{"--query-gpu=compute_cap", "--format=csv,noheader"}, Env: o.Env, Silence: o.Timeout, Limit: longest * o.Timeout})
	if c.Err == nil {
		inv.addCompute(c.Stdout)
	}
	if slices.ContainsFunc(inv.GPUs, func(c gpuInfo) bool { return len(c.instances()) > 0 }) {
		l := subprocess.Run(ctx, subprocess.Command{Program: program, Args: []string{"-L"}, Env: o.Env, Silence: o.Timeout, Limit: longest * o.Timeout})
		if l.Err == nil {
			inv.addProfiles(l.Stdout)
		}
	}
	return inv, true
}

// smiPlaces are where nvidia-smi may be: in PATH, and where the driver puts it
// where that is not in PATH: on WSL2, whose folder a login by ssh lacks in PATH
// (https://github.com/microsoft/WSL/issues/8794), and on Windows, where older
// drivers have a folder of their own (https://crrev.com/1241aea53e75dab24b82f20e705fd290c5d445ea
// finds NVML in it).
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

// smiFault says why nvidia-smi gave no answer, or one that err says is unreadable.
func smiFault(a subprocess.Result, err error, o Options) *fault {
	var exit *exec.ExitError
	switch {
	case subprocess.TimedOut(a.Err):
		return late(a.Err, o.Timeout)
	case errors.As(a.Err, &exit) && exit.Exited():
		return nvmlFault(exit.ExitCode(), message(a))
	case exit != nil:
		return crashed("nvidia-smi: " + a.Err.Error())
	}
	return &fault{Status: report.GPUBroken, Code: report.CodeDriverFailed, Detail: "nvidia-smi's answer cannot be read: " + err.Error()}
}

// message returns the first line that nvidia-smi wrote for people: it uses
// standard output for its errors too.
func message(a subprocess.Result) string {
	for line := range strings.Lines(string(a.Stdout) + "\n" + a.Stderr) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '<' {
			return line
		}
	}
	return "nvidia-smi: " + a.Err.Error()
}

var capability = lazyregexp.New(`^[1-9][0-9]?\.[0-9]{1,2}$`)

// addCompute adds the compute capabilities, one to a line. It knows which GPU
// a line is about by counting, so the count must be right.
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

// addProfiles adds the profiles of MIG devices, which the XML lacks. It knows
// which device a line is about by counting, as addCompute does.
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
		if names := profiles[c.UUID]; len(names) == len(c.instances()) {
			for i, name := range names {
				c.Readings.MIG.Instances[i].Profile = name
			}
		}
	}
}

// instances are the GPU's MIG devices.
func (c gpuInfo) instances() []report.Instance {
	if c.Readings == nil {
		return nil
	}
	return c.Readings.MIG.Instances
}
