package doctor

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func files(pairs ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for i := 0; i+1 < len(pairs); i += 2 {
		out[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return out
}

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestCards(t *testing.T) {
	t.Parallel()
	const bus = "sys/bus/pci/devices/0000:"
	root := files(
		bus+"01:00.0/vendor", "0x10de\n", bus+"01:00.0/class", "0x030000\n", // a GeForce
		bus+"01:00.1/vendor", "0x10de\n", bus+"01:00.1/class", "0x040300\n", // its sound
		bus+"41:00.0/vendor", "0x10de\n", bus+"41:00.0/class", "0x030200\n", // an A100
		bus+"42:00.0/vendor", "0x10de\n", bus+"42:00.0/class", "0x068000\n", // an NVSwitch
		bus+"c1:00.0/vendor", "0x1002\n", bus+"c1:00.0/class", "0x030000\n", // one by AMD
	)
	root[bus+"41:00.0/driver"] = &fstest.MapFile{Data: []byte("../../../bus/pci/drivers/nouveau"), Mode: fs.ModeSymlink}
	if d := cmp.Diff([]Card{{}, {Driver: "nouveau"}}, cards(root)); d != "" {
		t.Error(d)
	}
	if got := cards(files()); got == nil || len(got) != 0 {
		t.Errorf("without a bus: %v", got)
	}
}

func TestToolkitVersion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		files fstest.MapFS
		want  string
	}{
		{files("version.json", `{"cuda": {"name": "CUDA SDK", "version": "12.4.1"}, "nvcc": {"version": "12.4.131"}}`), "12.4.1"},
		{files("version.json", `{"cuda": {"version": "$(reboot)"}}`), ""},
		{files("version.txt", "CUDA Version 10.1.243\n"), "10.1.243"},
		{files("include/cuda.h", "/* */\n#define CUDA_VERSION 11080\n"), "11.8"},
		{files("targets/sbsa-linux/include/cuda.h", "#define CUDA_VERSION 13000\n"), "13.0"},
		{files("version.json", "{", "include/cuda.h", "#define CUDA_VERSION 12040\n"), "12.4"},
		{files(), ""},
	} {
		if got := toolkitVersion(c.files); got != c.want {
			t.Errorf("%v: %q, want %q", c.files, got, c.want)
		}
	}
}

// TestToolkits: a toolkit with several names is found once, and nvcc is never started.
func TestToolkits(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	real := filepath.Join(dir, "cuda-12.4")
	write := func(name, text string) {
		file := filepath.Join(real, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("bin/nvcc", "#!/bin/sh\ntouch "+dir+"/started\n")
	write("version.json", `{"cuda": {"version": "12.4.1"}}`)
	if err := os.Symlink(real, filepath.Join(dir, "cuda")); err != nil {
		t.Skip(err)
	}
	found := toolkits(env("CUDA_HOME", dir+"/cuda", "CUDA_PATH", real, "PATH", dir+"/none:"+dir+"/cuda/bin"))
	var ours []Toolkit
	for _, k := range found {
		if strings.HasPrefix(k.Path, dir) { // the machine may have its own
			ours = append(ours, k)
		}
	}
	if d := cmp.Diff([]Toolkit{{Version: "12.4.1", Path: real, NVCC: true}}, ours); d != "" {
		t.Error(d)
	}
	if _, err := os.Stat(dir + "/started"); err == nil {
		t.Error("nvcc was started")
	}
}

func FuzzFiles(f *testing.F) {
	f.Add("12")
	f.Add("\xff")
	f.Fuzz(func(t *testing.T, version string) {
		root := files("version.json", version, "version.txt", version, "include/cuda.h", version)
		if v := toolkitVersion(root); strings.Trim(v, "0123456789.") != "" {
			t.Errorf("version %q", v)
		}
		wheelName(version)
	})
}

func TestRedact(t *testing.T) {
	t.Parallel()
	redact := newRedactor("")
	for in, want := range map[string]string{
		"GPU-2a3b7c22":                         "GPU-<uuid>",
		"0,GPU-2a3b7c22-0000-4000-8000-000001": "0,GPU-<uuid>",
		"MIG-GPU-2a3b7c22/1/0":                 "MIG-GPU-<uuid>",
		"/opt/x:/home/zenobia/lib":             "/opt/x:/home/<user>/lib",
		"/Users/zenobia":                       "/Users/<user>",
		"/gpfs/home/zenobia/a:/home/zenobia":   "/gpfs/home/<user>/a:/home/<user>",
		"/homes/x":                             "/homes/x",
		"GPU-8 x":                              "GPU-<uuid> x",
		"NVIDIA GPU":                           "NVIDIA GPU",
	} {
		if got := redact(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
