package gpu

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/report"
)

// askSMI asks nvidia-smi; it returns false if there is none.
func askSMI(ctx context.Context, o Options) (report.GPU, bool) {
	program := o.NvidiaSMI
	if program == "" {
		program = "nvidia-smi"
	}
	program, err := exec.LookPath(program)
	if err != nil {
		return report.GPU{}, false
	}
	a := run(ctx, o.Timeout, o.Env, program, "-q", "-x")
	var exit *exec.ExitError
	inv, err := inventory{}, a.err
	if err == nil || errors.As(err, &exit) {
		// A complete answer counts whatever the exit code: 14 is but a warning.
		inv, err = parseSMI(a.out)
	}
	if err != nil {
		return smiFault(a, err, o).addTo(report.GPU{Source: report.SourceNvidiaSMI}), true
	}
	if c := run(ctx, o.Timeout, o.Env, program, "--query-gpu=compute_cap", "--format=csv,noheader"); c.err == nil {
		inv.addCompute(c.out)
	}
	return inv.gpu(o.Env), true
}

// smiFault says why nvidia-smi gave no answer, or one that err says is unreadable.
func smiFault(a answer, err error, o Options) *fault {
	var exit *exec.ExitError
	switch {
	case timedOut(a.err):
		return late(a.err, o.Timeout)
	case errors.As(a.err, &exit) && exit.Exited():
		return nvmlFault(exit.ExitCode(), message(a))
	case exit != nil:
		return crashed("nvidia-smi: " + a.err.Error())
	}
	return &fault{report.GPUBroken, report.CodeDriverFailed, "nvidia-smi's answer cannot be read: " + err.Error()}
}

// message returns the first line that nvidia-smi wrote for people: it uses
// standard output for its errors too.
func message(a answer) string {
	for line := range strings.Lines(string(a.out) + "\n" + a.words) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '<' {
			return line
		}
	}
	return "nvidia-smi: " + a.err.Error()
}

// An smiLog is what is read of `nvidia-smi -q -x`. The names are the same in
// all drivers since 410, which brought cuda_version.
type smiLog struct {
	Driver   string `xml:"driver_version"`
	CUDA     string `xml:"cuda_version"`
	Attached int    `xml:"attached_gpus"`
	GPUs     []struct {
		Name   string `xml:"product_name"`
		UUID   string `xml:"uuid"`
		Memory string `xml:"fb_memory_usage>total"`
	} `xml:"gpu"`
}

// parseSMI parses the XML of nvidia-smi. All of it must be there: a list that
// is cut off would be a wrong number of GPUs.
func parseSMI(data []byte) (inventory, error) {
	inv := inventory{Source: report.SourceNvidiaSMI}
	// What stands before are warnings, and a prolog that is of no use.
	at := bytes.Index(data, []byte("<nvidia_smi_log"))
	if at < 0 {
		return inv, errors.New("there is no nvidia_smi_log in it")
	}
	var log smiLog
	if err := xml.Unmarshal(legible(data[at:]), &log); err != nil {
		return inv, err
	}
	inv.Driver, inv.CUDA = log.Driver, log.CUDA
	for _, g := range log.GPUs {
		inv.Cards = append(inv.Cards, card{Name: g.Name, UUID: strings.TrimSpace(g.UUID), Memory: mebibytes(g.Memory), Fault: fieldFault(g.Name)})
	}
	if log.Attached != len(log.GPUs) {
		inv.Fault = &fault{report.GPUBroken, report.CodeDriverFailed,
			fmt.Sprintf("nvidia-smi counts %d GPUs and lists %d", log.Attached, len(log.GPUs))}
	}
	return inv, nil
}

// legible replaces the bytes that XML forbids, which the name of a card can hold.
func legible(data []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || !unicode.IsGraphic(r) {
			return ' '
		}
		return r
	}, data)
}

// fieldFault recognizes a card that is out of reach: nvidia-smi then writes
// NVML's error in the place of each value.
func fieldFault(value string) *fault {
	words := strings.Trim(strings.TrimSpace(value), "[]")
	switch words {
	case "GPU is lost":
		return nvmlFault(nvmlGPUIsLost, words)
	case "Unknown Error":
		return nvmlFault(nvmlUnknown, words)
	}
	return nil
}

// mebibytes parses "24268 MiB"; anything else, "N/A" above all, is 0.
func mebibytes(s string) uint64 {
	number, ok := strings.CutSuffix(strings.TrimSpace(s), " MiB")
	n, err := strconv.ParseUint(number, 10, 32)
	if !ok || err != nil {
		return 0
	}
	return n << 20
}

var capability = regexp.MustCompile(`^[1-9][0-9]?\.[0-9]{1,2}$`)

// addCompute adds the compute capabilities, one to a line. It knows which card
// a line is about by counting, so the count must be right.
func (inv inventory) addCompute(csv []byte) {
	lines := strings.Split(strings.TrimSpace(string(csv)), "\n")
	if len(lines) != len(inv.Cards) {
		return
	}
	for i, line := range lines {
		if line = strings.TrimSpace(line); capability.MatchString(line) {
			inv.Cards[i].Compute = line
		}
	}
}
