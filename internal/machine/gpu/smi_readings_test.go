package gpu

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
)

var update = flag.Bool("update", false, "write the expected files of testdata anew")

// smiFiles are the generations of nvidia-smi for which there is a file.
func smiFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/smi-*.xml")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	return files
}

// The inventory of each generation is in a file beside it, in the form of reports.
func TestSMIReadings(t *testing.T) {
	t.Parallel()
	for _, file := range smiFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			inv, err := parseSMI(data)
			if err != nil {
				t.Fatal(err)
			}
			g := inv.gpu(nil)
			checkPublishable(t, g)
			got, err := json.MarshalIndent(g.Devices, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden := strings.TrimSuffix(file, "xml") + "json"
			if *update {
				write(t, golden, string(got)+"\n", 0o644)
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(append(got, '\n'), want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// oneCard returns a log of one GPU that contains inside.
func oneCard(inside string) string {
	return "<nvidia_smi_log><driver_version>535.104.05</driver_version><attached_gpus>1</attached_gpus><gpu><product_name>A</product_name>" +
		inside + "</gpu></nvidia_smi_log>"
}

// A placeholder instead of a value gives the reason for the missing value.
func TestSMIWhyNull(t *testing.T) {
	t.Parallel()
	for text, why := range map[string]string{
		"N/A":                        report.WhyNotSupported,
		"[N/A]":                      report.WhyNotSupported,
		"[Not Supported]":            report.WhyNotSupported,
		"Insufficient Permissions":   report.WhyPermission,
		"[Insufficient Permissions]": report.WhyPermission,
		"[No Permission]":            report.WhyPermission,
		"[Unknown Error]":            report.WhyFailed,
		"[GPU requires reset]":       report.WhyLost,
		"Function Not Found":         report.WhyOldDriver,
		"GPU is lost":                report.WhyLost,
		"Requested functionality has been deprecated": report.WhyFailed,
		"":                               report.WhyFailed,
		"41":                             report.WhyFailed, // no unit
		"41 F":                           report.WhyFailed,
		"41.5 C":                         report.WhyFailed,
		"-41 C":                          report.WhyFailed,
		"NaN C":                          report.WhyFailed,
		"1e300 C":                        report.WhyFailed,
		"41 C":                           "",
		" 41\n C ":                       "",
		"<deep>41 C</deep>":              report.WhySource,
		"41 C</gpu_temp><gpu_temp>[N/A]": "", // the first of two
		"</gpu_temp></temperature><temperature><gpu_temp>41 C": report.WhyFailed,
	} {
		inv, err := parseSMI([]byte(oneCard("<temperature><gpu_temp>" + text + "</gpu_temp></temperature>")))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		g := inv.gpu(nil)
		checkPublishable(t, g)
		r := g.Devices[0].Readings
		if got := whyUnknown(r, "temperature_c"); got != why || (why == "") != (r.Temperature != nil && *r.Temperature == 41) {
			t.Errorf("%q: %q, want %q", text, got, why)
		}
		if lost := g.Code == report.CodeLost || g.Code == report.CodeReset; lost != (why == report.WhyLost) {
			t.Errorf("%q: code %q", text, g.Code)
		}
	}
}

func whyUnknown(r *report.Readings, field string) string {
	for _, u := range r.Unknown {
		if u.Field == field {
			return u.Why
		}
	}
	return ""
}

// Sums and lists with a missing part must not look complete.
func TestSMIParts(t *testing.T) {
	t.Parallel()
	event := func(reason, state string) string {
		return fmt.Sprintf("<clocks_event_reasons><clocks_event_reason_%s>%s</clocks_event_reason_%[1]s><clocks_event_reason_sw_power_cap>Active</clocks_event_reason_sw_power_cap></clocks_event_reasons>", reason, state)
	}
	volatile := func(sram, dram string) string {
		return "<ecc_errors><volatile><sram_correctable>" + sram + "</sram_correctable><dram_correctable>" + dram + "</dram_correctable></volatile></ecc_errors>"
	}
	for _, tt := range []struct{ inside, field, why string }{
		{event("hw_slowdown", "Not Active"), "throttle", ""},
		{event("hw_slowdown", "N/A"), "throttle", ""},
		{event("unheard_of", "Active"), "throttle", ""},
		{event("hw_slowdown", "[Unknown Error]"), "throttle", report.WhyFailed},
		{event("hw_slowdown", "[Insufficient Permissions]"), "throttle", report.WhyPermission},
		{"<clocks_event_reasons>N/A</clocks_event_reasons>", "throttle", report.WhyNotSupported},
		{"<clocks_event_reasons></clocks_event_reasons>", "throttle", report.WhyFailed},
		{"", "throttle", report.WhySource},
		{volatile("1", "2"), "ecc.corrected", ""},
		{volatile("N/A", "3"), "ecc.corrected", ""},
		{volatile("N/A", "N/A"), "ecc.corrected", report.WhyNotSupported},
		{volatile("3", "[Unknown Error]"), "ecc.corrected", report.WhyFailed},
		{volatile("[No Permission]", "3"), "ecc.corrected", report.WhyPermission},
		{volatile("1.5", "1.5"), "ecc.corrected", report.WhyFailed},
		{"", "ecc.corrected", report.WhySource},
	} {
		inv, err := parseSMI([]byte(oneCard(tt.inside)))
		if err != nil {
			t.Fatal(err)
		}
		g := inv.gpu(nil)
		checkPublishable(t, g)
		r := g.Devices[0].Readings
		if got := whyUnknown(r, tt.field); got != tt.why {
			t.Errorf("%s: %s is %q, want %q", tt.inside, tt.field, got, tt.why)
		}
		if tt.why == "" && tt.field == "throttle" && !slices.Equal(r.Throttle, []string{"sw-power-cap"}) {
			t.Errorf("%s: %q", tt.inside, r.Throttle)
		}
		if tt.why == "" && tt.field == "ecc.corrected" && *r.ECC.Corrected != 3 {
			t.Errorf("%s: %d", tt.inside, *r.ECC.Corrected)
		}
	}
}

func TestSMIHostile(t *testing.T) {
	t.Parallel()
	whole := oneCard("<fb_memory_usage><total>8 MiB</total></fb_memory_usage>")
	utf16 := []byte{0xff, 0xfe}
	for _, r := range whole {
		utf16 = append(utf16, byte(r), 0)
	}
	for _, tt := range []struct {
		name, text string
		err        string // part of the error; empty for an answer with one GPU of 8 MiB
	}{
		{"whole", whole, ""},
		{"warnings and a byte order mark before", "\ufeffWARNING: <b> & infoROM\n<?xml version=\"1.0\" encoding=\"shift_jis\" ?>" + whole, ""},
		{"a DTD within", "<!DOCTYPE nvidia_smi_log [<!ENTITY a \"aaaa\">]>" + whole, ""},
		{"two documents", whole + strings.ReplaceAll(whole, "8 MiB", "9 MiB"), ""},
		{"junk after", whole + "<<<&", ""},
		{"unknown elements", strings.ReplaceAll(whole, "<gpu>", "<news a='b'><total>3</total></news><gpu><gpu><fb_memory_usage><total>3 MiB</total></fb_memory_usage></gpu>"), ""},
		{"deep", strings.ReplaceAll(whole, "<gpu>", "<gpu>"+strings.Repeat("<a>", 5000)+strings.Repeat("</a>", 5000)), ""},
		{"bytes that are no text", strings.ReplaceAll(whole, "<gpu>", "<gpu>\x00\xff\xfe"), ""},
		{"an entity", strings.ReplaceAll(whole, "<product_name>A", "<product_name>&a;"), "invalid character entity"},
		{"an entity bomb", "<!DOCTYPE nvidia_smi_log [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>" + strings.ReplaceAll(whole, ">A<", ">&b;<"), "invalid character entity"},
		{"half", whole[:len(whole)/2], "unexpected EOF"},
		{"half, then whole", whole[:len(whole)/2] + whole, "syntax error"},
		{"UTF-16", string(utf16), "no nvidia_smi_log"},
		{"no number of GPUs", strings.ReplaceAll(whole, ">1<", ">many<"), "invalid syntax"},
		{"nothing", "", "no nvidia_smi_log"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inv, err := parseSMI([]byte(tt.text))
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error %v, want %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			g := inv.gpu(nil)
			checkPublishable(t, g)
			if len(g.Devices) != 1 || g.Devices[0].MemoryBytes != 8<<20 {
				t.Errorf("got %+v", g)
			}
		})
	}
}

// A huge answer must not become a huge inventory.
func TestSMIHuge(t *testing.T) {
	t.Parallel()
	cards := strings.Repeat("<gpu><product_name>A</product_name><mig_devices>"+strings.Repeat("<mig_device/>", 200)+"</mig_devices></gpu>", 2000)
	inv, err := parseSMI([]byte("<nvidia_smi_log><attached_gpus>2000</attached_gpus>" + cards + "</nvidia_smi_log>"))
	if err != nil || len(inv.GPUs) != maxDevices || len(inv.GPUs[0].Readings.MIG.Instances) != maxInstances {
		t.Errorf("%d GPUs, %v", len(inv.GPUs), err)
	}
}

func TestSMILostWhereItCannotBeListed(t *testing.T) {
	t.Parallel()
	two := strings.Replace(oneCard(""), "<attached_gpus>1", "<attached_gpus>2", 1)
	for before, code := range map[string]string{
		"": report.CodeDriverFailed,
		"Unable to determine the device handle for GPU 0000:06:00.0: Unknown Error\n":                                       report.CodeLost,
		"Unable to determine the device handle for GPU 0000:06:00.0: GPU is lost.  Reboot the system to recover this GPU\n": report.CodeLost,
	} {
		inv, err := parseSMI([]byte(before + two))
		if err != nil {
			t.Fatal(err)
		}
		if g := inv.gpu(nil); g.Code != code || identifying.MatchString(g.Detail) {
			t.Errorf("%q: %s %q", before, g.Code, g.Detail)
		}
	}
	inv, err := parseSMI([]byte("<nvidia_smi_log><attached_gpus>0</attached_gpus><error_string>made up</error_string></nvidia_smi_log>"))
	if err != nil || inv.gpu(nil).Detail != "made up" {
		t.Errorf("%+v, %v", inv, err)
	}
}

func TestSMIProfiles(t *testing.T) {
	t.Parallel()
	const card = "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-a1000000-0000-4000-8000-000000000100)\n"
	const other = "GPU 1: NVIDIA T4 (UUID: GPU-f4000000-0000-4000-8000-000000000100)\n"
	for _, tt := range []struct{ list, want string }{
		{card + "  MIG 3g.20gb Device 0: (UUID: MIG-GPU-a1000000/2/0)\n  MIG 1g.5gb  Device  1: (UUID: MIG-1)\n  MIG 1c.2g.10gb+me Device 2: (UUID: MIG-2)\n" + other, "3g.20gb 1g.5gb 1c.2g.10gb+me"},
		{other + "  MIG 9g.9gb Device 0: (UUID: MIG-9)\n" + card + "  MIG 3g.20gb Device 0: (UUID: x)\n  MIG 1g.5gb Device 2: (UUID: x)\n  MIG 1g.5gb Device 5: (UUID: x)\n", "3g.20gb 1g.5gb 1g.5gb"},
		{card + "  MIG 3g.20gb Device 0: (UUID: x)\n", "  "}, // fewer than the XML lists
		{card, "  "},
		{"", "  "},
	} {
		o := options(t)
		fakeSMI{show(t, "smi-470.xml"), "echo 8.0"}.install(t, &o, tt.list)
		g := probe(t, o)
		var names []string
		for _, i := range g.Devices[0].Readings.MIG.Instances {
			names = append(names, i.Profile)
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.list, got, tt.want)
		}
	}
}

func TestSMIPlaces(t *testing.T) {
	t.Parallel()
	env := func(name string) string {
		return map[string]string{"SystemRoot": `C:\Windows`, "ProgramFiles": `C:\Program Files`}[name]
	}
	for system, want := range map[string][]string{
		"linux":   {"nvidia-smi", "/usr/lib/wsl/lib/nvidia-smi"},
		"windows": {"nvidia-smi", `C:\Windows\System32\nvidia-smi.exe`, `C:\Program Files\NVIDIA Corporation\NVSMI\nvidia-smi.exe`},
		"freebsd": {"nvidia-smi"},
	} {
		if got := smiPlaces(system, env); !slices.Equal(got, want) {
			t.Errorf("%s: %q", system, got)
		}
	}
}
