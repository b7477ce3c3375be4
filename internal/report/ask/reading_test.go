package ask

import (
	"errors"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
)

func TestParseReading(t *testing.T) {
	for line, want := range map[string]string{
		"temperature < 85":      "temperature < 85",
		" temperature<85.5 °C ": "temperature < 85.5",
		"temperature < 85C":     "temperature < 85",
		"temperature < 85°C":    "temperature < 85",
		"power  draw <= 300 W":  "power draw <= 300",
		"power limit >= 1e3W":   "power limit >= 1e3",
		"nvlink up == all":      "nvlink up == all",
		"nvlink up >= 12":       "nvlink up >= 12",
		"pcie width == max":     "pcie width == max",
		"clock sm == max":       "clock sm == max",
		"ecc != off":            "ecc != off",
		"throttle == none":      "throttle == none",
	} {
		got, err := ParseLine(line)
		if err != nil || got.String() != want || !got.Reads() {
			t.Errorf("%q: %q, %v", line, got, err)
		}
		if again, err := ParseLine(got.String()); err != nil || again.String() != got.String() {
			t.Errorf("%q: %q is %v, %v", line, got, again, err)
		}
	}
	for _, line := range []string{"memory >= 8 GiB", "memory bandwidth", "gpus >= 1"} {
		if l, err := ParseLine(line); err != nil || l.Reads() {
			t.Errorf("%q is taken for a reading, %v", line, err)
		}
	}
	names := map[string]bool{}
	for _, e := range table {
		if e.Source == FromSensors {
			l, err := ParseLine(e.Example)
			names[l.Name()] = err == nil && l.Reads()
		}
	}
	if len(names) != 15 || !names["ecc-uncorrected"] || !names["temperature"] {
		t.Errorf("%v", names)
	}
}

func TestReadingErrors(t *testing.T) {
	for line, want := range map[string]struct{ at, message, hint string }{
		"nvlink lanes == 0":         {"nvlink lanes", `no reading of a GPU is called "nvlink lanes"`, "nvlink up"},
		"power of the card < 2":     {"power of the card", `no reading of a GPU is called "power of the card"`, "temperature, power draw"},
		"ecc uncorected == 0":       {"ecc uncorected", `no reading of a GPU is called "ecc uncorected"`, `ecc uncorrected`},
		"temperature":               {"", `temperature needs an operator, not ""`, ">="},
		"temperature = 3":           {"=", `temperature needs an operator, not "="`, ">="},
		"temperature <":             {"", `temperature cannot be compared with ""`, "8 °C"},
		"temperature < hot":         {"hot", `temperature cannot be compared with "hot"`, "8 °C"},
		"temperature < max":         {"max", `temperature cannot be compared with "max"`, "8 °C"},
		"nvlink up == max":          {"max", `nvlink up cannot be compared with "max"`, "8, all"},
		"temperature < NaN":         {"NaN", `temperature cannot be compared with "NaN"`, ""},
		"temperature < -1":          {"-1", `temperature cannot be compared with "-1"`, ""},
		"power draw < 1e99":         {"1e99", `power draw cannot be compared with "1e99"`, "8 W"},
		"power draw < 300 kW":       {"kW", `unexpected "kW"`, "the unit of power draw is W"},
		"temperature < 185 °F":      {"°F", `unexpected "°F"`, "the unit of temperature is °C"},
		"pcie gen == max x 2":       {"x 2", `unexpected "x"`, "one comparison"},
		"ecc < on":                  {"<", "on cannot be compared with <", "use == or !="},
		"temperature < 85 and gpus": {"and gpus", `unexpected "and"`, "°C"},
	} {
		_, err := ParseLine(line)
		var e *Fault
		if !errors.As(err, &e) {
			t.Errorf("%q: %v", line, err)
			continue
		}
		at := ""
		if e.Offset < len(line) {
			at = line[e.Offset : e.Offset+e.Width]
		}
		if at != want.at || e.Message.String() != want.message || !strings.Contains(e.Message.Hint().String(), want.hint) {
			t.Errorf("%q: %q: %s (%s)", line, at, e.Message, e.Message.Hint())
		}
	}
}

func FuzzReading(f *testing.F) {
	f.Add("temperature < 85.5 °C")
	f.Add("nvlink up == all")
	f.Add("ecc != off")
	f.Add("pcie width")
	f.Fuzz(func(t *testing.T, line string) {
		s, err := ParseLine(line)
		if err != nil {
			if e := (*Fault)(nil); !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(line) || e.Width < 1 || e.Message.IsZero() {
				t.Fatalf("%q: %v", line, err)
			}
			return
		}
		if again, err := ParseLine(s.String()); err != nil || again.String() != s.String() {
			t.Fatalf("%q is %q is %v, %v", line, s, again, err)
		}
	})
}

func TestReadingOf(t *testing.T) {
	known := func(n int) *int { return &n }
	errors, on := uint64(2), true
	r := &report.Readings{
		Temperature: known(33), Throttle: []string{"gpu-idle", "hw-slowdown"},
		PCIe:   report.PCIe{Generation: known(1), MaxGeneration: known(4), Width: known(16), MaxWidth: known(16)},
		ECC:    report.ECC{Enabled: &on, Uncorrected: &errors},
		NVLink: report.NVLink{Links: known(18), Active: known(12)},
		Clocks: report.Clocks{SM: known(210)},
		Unknown: []report.Unknown{{Field: "pcie.under_load", Why: report.WhyInUse}, {Field: "power.draw_w", Why: report.WhyPermission},
			{Field: "clocks.max_sm_mhz", Why: report.WhyOldDriver}},
	}
	for line, want := range map[string]string{
		"temperature < 33":        "33 °C no",
		"temperature <= 33":       "33 °C yes",
		"ecc == on":               "on yes",
		"ecc == off":              "on no",
		"ecc uncorrected == 0":    "2 no",
		"nvlink up == all":        "12/18 no",
		"nvlink up >= 12":         "12/18 yes",
		"throttle == none":        "1 no",
		"pcie gen == max":         "in-use", // an idle bus is slow
		"pcie gen <= 3":           "in-use",
		"pcie width == max":       "16/16 yes",
		"power draw < 300":        "no-permission",
		"power limit < 300":       "not-supported",
		"clock sm == max":         "old-driver",
		"clock sm < 300":          "210 MHz yes",
		"rows uncorrectable == 0": "not-supported",
		"mig == off":              "not-supported",
	} {
		s, err := ParseLine(line)
		if err != nil {
			t.Fatal(err)
		}
		on := func(r *report.Readings) Verdict {
			return s.Judge(MachineOf(report.Machine{GPU: report.GPU{Status: report.GPUOk, Devices: []report.Device{{Readings: r}}}}))
		}
		v := on(r)
		got := v.Why
		if v.Answer != Unknown {
			got = v.Found + map[Answer]string{Yes: " yes", No: " no"}[v.Answer]
		}
		if got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
		garbage := uint64(1<<64 - 2)
		if v := on(&report.Readings{ECC: report.ECC{Corrected: &garbage, Uncorrected: &garbage}}); line == "ecc uncorrected == 0" && v.Answer != No {
			t.Errorf("%s with %d errors", line, garbage)
		}
		if v := on(nil); v.Why != report.WhySource || v.Answer != Unknown {
			t.Errorf("%s of nothing: %+v", line, v)
		}
	}
}
