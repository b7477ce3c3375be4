package gpu

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/report"
)

// An smiLog is the part of the output of `nvidia-smi -q -x` that is used. Its DTD is
// printed by `nvidia-smi --dtd -q -x`. The names are the same in all drivers since 410,
// which introduced cuda_version. Driver 610 announces, after the values of
// driver_version and cuda_version, that they will be removed in CUDA 14.0, and calls
// them KMD and CUDA UMD version
// (https://github.com/Jaded-Encoding-Thaumaturgy/vs-jetpack/pull/297 has the text). The
// new names in XML are inferred from that.
type smiLog struct {
	Driver   string   `xml:"driver_version"`
	CUDA     string   `xml:"cuda_version"`
	KMD      string   `xml:"kmd_version"`
	UMD      string   `xml:"cuda_umd_version"`
	Attached int      `xml:"attached_gpus"`
	Error    string   `xml:"error_string"`
	GPUs     []smiGPU `xml:"gpu"`
}

// An smiGPU is what the log has about one GPU and its MIG devices.
type smiGPU struct {
	record
	mig []record
}

// A record holds the texts of an element's leaves by their paths below it:
// "clocks/sm_clock" is "1410 MHz". Of repeated leaves it holds the first.
type record map[string]string

const (
	// maxDepth limits how deep elements may nest. nvidia-smi needs six.
	maxDepth = 12
	// maxText limits a leaf's text, in bytes.
	maxText = 256
)

// UnmarshalXML reads a gpu element.
func (g *smiGPU) UnmarshalXML(d *xml.Decoder, _ xml.StartElement) error {
	g.record = record{}
	return g.read(d, g.record, "", 0)
}

// read reads the rest of the element at path into r. It skips long lists and the names
// of processes.
func (g *smiGPU) read(d *xml.Decoder, r record, path string, depth int) error {
	var text []byte
	leaf := true
	for {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			leaf = false
			switch name := t.Name.Local; {
			case depth == maxDepth, name == "supported_clocks", name == "processes", name == "accounted_processes":
				err = d.Skip()
			case name == "mig_device":
				g.mig = append(g.mig, record{})
				err = g.read(d, g.mig[len(g.mig)-1], "", depth+1)
			default:
				err = g.read(d, r, strings.TrimPrefix(path+"/"+name, "/"), depth+1)
			}
			if err != nil {
				return err
			}
		case xml.CharData:
			text = append(text, t[:min(len(t), maxText-len(text))]...)
		case xml.EndElement:
			if _, ok := r[path]; leaf && !ok {
				r[path] = strings.TrimSpace(string(text))
			}
			return nil
		}
	}
}

// at returns the text at path. If a whole group is not available, nvidia-smi writes "N/A"
// in its place, which is then the text of all its elements.
func (r record) at(path string) (text string, ok bool) {
	for {
		if text, ok = r[path]; ok {
			return text, true
		}
		i := strings.LastIndexByte(path, '/')
		if i < 0 {
			return "", false
		}
		path = path[:i]
	}
}

// parseSMI parses the XML of nvidia-smi. It must be complete, because the number of GPUs
// would be wrong otherwise.
func parseSMI(data []byte) (inventory, error) {
	inv := inventory{Source: report.SourceNvidiaSMI}
	// Before it are warnings and a prolog. What follows the first document is not read.
	at := bytes.Index(data, []byte("<nvidia_smi_log"))
	if at < 0 {
		return inv, errors.New("there is no nvidia_smi_log in it")
	}
	var log smiLog
	if err := xml.Unmarshal(legible(data[at:]), &log); err != nil {
		return inv, err
	}
	inv.Driver, inv.CUDA = firstWord(log.Driver, log.KMD), firstWord(log.CUDA, log.UMD)
	for _, g := range log.GPUs[:min(len(log.GPUs), maxDevices)] {
		inv.GPUs = append(inv.GPUs, g.info())
	}
	inv.Fault = log.fault(string(data[:at]))
	return inv, nil
}

// firstWord returns the first word of the first text that has one.
func firstWord(texts ...string) string {
	for word := range strings.FieldsSeq(strings.Join(texts, " ")) {
		return word
	}
	return ""
}

// fault returns why a log does not list all GPUs. warnings is the text before the log.
func (l smiLog) fault(warnings string) *fault {
	if l.Attached == len(l.GPUs) {
		if words := strings.TrimSpace(l.Error); words != "" && l.Attached == 0 {
			return brokenGPU(report.CodeDriverFailed, words)
		}
		return nil
	}
	for line := range strings.Lines(warnings) {
		// "Unable to determine the device handle for GPU 0000:06:00.0: Unknown Error", or "...
		// GPU is lost. Reboot the system to recover this GPU"
		if strings.Contains(line, "GPU is lost") || strings.Contains(line, "Unable to determine the device handle") {
			return nvmlFault(nvmlGPUIsLost, strings.TrimSpace(line))
		}
	}
	return brokenGPU(report.CodeDriverFailed, fmt.Sprintf("nvidia-smi counts %d GPUs and lists %d", l.Attached, len(l.GPUs)))
}

// legible replaces bytes that XML forbids, which the name of a GPU may contain.
func legible(data []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || !unicode.IsGraphic(r) {
			return ' '
		}
		return r
	}, data)
}

// info describes a GPU.
func (g smiGPU) info() gpuInfo {
	if f := fieldFault(g.record["product_name"]); f != nil {
		return gpuInfo{Fault: f}
	}
	memory, _ := quantity(g.record["fb_memory_usage/total"], "MiB")
	c := gpuInfo{
		Name:     g.record["product_name"],
		UUID:     g.record["uuid"],
		PCI:      g.record["pci/pci_bus_id"],
		Memory:   uint64(memory) << 20,
		Denied:   whyNull(g.record["fb_memory_usage/total"]) == report.WhyPermission,
		Readings: g.readings(),
	}
	if slices.ContainsFunc(c.Readings.Unknown, func(u report.Unknown) bool { return u.Why == report.WhyLost }) {
		// Its name was read before it was lost.
		c.Fault = fieldFault("GPU is lost")
		if slices.ContainsFunc(slices.Collect(maps.Values(g.record)), func(text string) bool { return bare(text) == "GPU requires reset" }) {
			c.Fault = fieldFault("GPU requires reset")
		}
	}
	return c
}

// fieldFault recognizes a GPU that does not respond: nvidia-smi then writes NVML's error
// in place of each value.
func fieldFault(value string) *fault {
	switch words := bare(value); words {
	case "GPU is lost":
		return nvmlFault(nvmlGPUIsLost, words)
	case "GPU requires reset":
		return nvmlFault(nvmlResetRequired, words)
	case "Unknown Error":
		return nvmlFault(nvmlUnknown, words)
	}
	return nil
}

// bare removes the brackets around some of NVML's errors.
func bare(value string) string { return strings.Trim(strings.TrimSpace(value), "[]") }

// quantity parses a number with the given unit, such as "24268 MiB".
func quantity(text, unit string) (float64, bool) {
	number, ok := strings.CutSuffix(strings.TrimSpace(text), unit)
	if !ok {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	// No valid value is larger, and a float64 is exact up to there.
	if err != nil || !(v >= 0 && v < 1<<40) {
		return 0, false
	}
	return v, true
}
