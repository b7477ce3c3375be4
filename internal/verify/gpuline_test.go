package verify

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
)

func TestReadingLine(t *testing.T) {
	t.Parallel()
	device := func(set func(*report.Readings), unknown ...report.Unknown) report.Device {
		r := &report.Readings{Unknown: unknown}
		set(r)
		return report.Device{Name: "A", Readings: r}
	}
	links := func(up, of int) report.Device {
		return device(func(r *report.Readings) { r.NVLink = report.NVLink{Links: &of, Active: &up} })
	}
	without := func(why string) report.Device {
		return device(func(*report.Readings) {}, report.Unknown{Field: "nvlink.active", Why: why})
	}
	absent, denied, failed := without(report.WhyNotSupported), without(report.WhyPermission), without(report.WhyFailed)
	for _, c := range []struct {
		name    string
		devices []report.Device
		want    string
		found   string
	}{
		{"all", []report.Device{links(4, 4), links(4, 4)}, "passed", "4/4"},
		{"different GPUs", []report.Device{links(12, 12), links(4, 4)}, "passed", "4/4 (GPU 1)"},
		{"one is down", []report.Device{links(4, 4), links(12, 18), links(11, 18)}, "failed requirement (nvlink up == all; 11/18 (GPU 2))", "11/18 (GPU 2)"},
		{"none has any", []report.Device{absent, absent}, "skipped not-measured (not-supported) (nvlink up; )", ""},
		{"one has none", []report.Device{absent, links(4, 4)}, "passed", "4/4"},
		{"one may not be read", []report.Device{links(4, 4), denied}, "skipped not-measured (no-permission) (nvlink up; )", "4/4"},
		{"one cannot be read", []report.Device{failed, links(4, 4)}, "error not-measured (failed) (nvlink up; )", "4/4"},
		{"down, and one may not be read", []report.Device{denied, links(3, 4)}, "failed requirement (nvlink up == all; 3/4)", "3/4"},
		{"no readings", []report.Device{{Name: "A"}}, "skipped not-measured (source) (nvlink up; )", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			gpu := report.GPU{Status: report.GPUOk, Source: report.SourceNVML, Driver: "550.54.14", Devices: c.devices}
			r := verify(t, loadSite(t, map[string]string{"content/pt/a.md": "```gpu {name=lab}\nnvlink up == all\n```\n"}), gpu, Options{})
			name, outcome, _ := strings.Cut(outcomes(r)[0], " ")
			if name != "lab.nvlink-up" || outcome != c.want || r.Checks[0].Found != c.found {
				t.Errorf("%s: %s, found %q", name, outcome, r.Checks[0].Found)
			}
		})
	}
	site := loadSite(t, map[string]string{"content/pt/a.md": "```gpu {name=lab}\ntemperature < 85\n```\n"})
	for want, gpu := range map[string]report.GPU{"lab.temperature skipped no-gpu (no-library)": noGPU, "lab.temperature error gpu-broken (version-mismatch)": broken} {
		if got := outcomes(verify(t, site, gpu, Options{}))[0]; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
