package cuda

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// tree creates empty files.
func tree(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		full := filepath.Join(dir, f)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFindBLAS(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		files []string
		want  []Library
	}{
		"nothing":         {[]string{"lib/libcublas.so", "lib/libcublasLt.so.12", "lib/libcublas.so.12.4.5.8", "lib/libcublas.so.10", "lib/libcublas_static.a"}, nil},
		"the folder":      {[]string{"libcublas.so.12"}, []Library{{"libcublas.so.12", 12, FromSystem}}},
		"site-packages":   {[]string{"nvidia/cublas/lib/libcublas.so.12"}, []Library{{"nvidia/cublas/lib/libcublas.so.12", 12, FromPip}}},
		"CUDA 13's":       {[]string{"nvidia/cu13/lib/libcublas.so.13"}, []Library{{"nvidia/cu13/lib/libcublas.so.13", 13, FromPip}}},
		"an old torch":    {[]string{"torch/lib/libcublas.so.11"}, []Library{{"torch/lib/libcublas.so.11", 11, FromTorch}}},
		"conda":           {[]string{"conda-meta/history", "lib/libcublas.so.12"}, []Library{{"lib/libcublas.so.12", 12, FromConda}}},
		"conda's toolkit": {[]string{"conda-meta/history", "targets/" + target() + "/lib/libcublas.so.12"}, []Library{{"targets/" + target() + "/lib/libcublas.so.12", 12, FromConda}}},
		"a venv":          {[]string{"lib/python3.12/site-packages/nvidia/cublas/lib/libcublas.so.12"}, []Library{{"lib/python3.12/site-packages/nvidia/cublas/lib/libcublas.so.12", 12, FromPip}}},
		"pip in conda": {[]string{"conda-meta/history", "lib/libcublas.so.11", "lib/python3.12/site-packages/torch/lib/libcublas.so.11"},
			[]Library{{"lib/libcublas.so.11", 11, FromConda}, {"lib/python3.12/site-packages/torch/lib/libcublas.so.11", 11, FromTorch}}},
		"the newest first": {[]string{"nvidia/cublas/lib/libcublas.so.12", "nvidia/cu13/lib/libcublas.so.13", "torch/lib/libcublas.so.11", "lib64/libcublas.so.14"},
			[]Library{{"lib64/libcublas.so.14", 14, FromSystem}, {"nvidia/cu13/lib/libcublas.so.13", 13, FromPip}, {"nvidia/cublas/lib/libcublas.so.12", 12, FromPip}, {"torch/lib/libcublas.so.11", 11, FromTorch}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := tree(t, tt.files...)
			var want []Library
			for _, l := range tt.want {
				l.Path = filepath.Join(dir, l.Path)
				want = append(want, l)
			}
			if got := FindBLAS(dir); !slices.Equal(got, want) {
				t.Errorf("got %v\nwant %v", got, want)
			}
		})
	}
}

// Of the same version the first folder's file comes first, and a file counts once.
func TestFindBLASOrder(t *testing.T) {
	t.Parallel()
	first, second := tree(t, "lib/libcublas.so.12"), tree(t, "libcublas.so.12", "nvidia/cu13/lib/libcublas.so.13")
	dirs := []string{filepath.Join(first, "missing"), "relative", "", first, second, first}
	link := filepath.Join(t.TempDir(), "cuda")
	if err := os.Symlink(first, link); err == nil {
		dirs = append(dirs, link)
	}
	var got []string
	for _, l := range FindBLAS(dirs...) {
		got = append(got, l.Path)
	}
	want := []string{filepath.Join(second, "nvidia/cu13/lib/libcublas.so.13"), filepath.Join(first, "lib/libcublas.so.12"), filepath.Join(second, "libcublas.so.12")}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// The name of a folder is not a pattern.
func TestFindBLASPattern(t *testing.T) {
	t.Parallel()
	dir := tree(t, "a[b/libcublas.so.12", "*/lib/libcublas.so.12")
	if got := FindBLAS(filepath.Join(dir, "a[b"), filepath.Join(dir, "*")); len(got) != 2 {
		t.Errorf("%v", got)
	}
}

func TestSystemDirs(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("folders of Linux")
	}
	root := tree(t, "usr/local/cuda-12.4/lib64/libcublas.so.12", "usr/local/cuda-11.8/x", "usr/lib/x86_64-linux-gnu/x", "opt/nvidia/hpc_sdk/Linux_x86_64/24.3/math_libs/12.3/lib64/x")
	for file, text := range map[string]string{"cuda.conf": "# the toolkit's\n/usr/local/cuda/targets/x86_64-linux/lib\n\n", "other.txt": "/no\n"} {
		if err := os.MkdirAll(filepath.Join(root, "etc/ld.so.conf.d"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "etc/ld.so.conf.d", file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"LD_LIBRARY_PATH": "/a::/b", "CUDA_HOME": "/c"}
	got := systemDirs(root, func(name string) string { return env[name] })
	want := []string{"/a", "/b", "/c", "/usr/local/cuda/targets/x86_64-linux/lib", root + "/usr/local/cuda-12.4", root + "/usr/local/cuda-11.8",
		root + "/usr/lib/x86_64-linux-gnu", root + "/opt/nvidia/hpc_sdk/Linux_x86_64/24.3/math_libs", root + "/opt/nvidia/hpc_sdk/Linux_x86_64/24.3/math_libs/12.3"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func FuzzFindBLAS(f *testing.F) {
	f.Add("nvidia/cublas/lib/libcublas.so.12")
	f.Add("libcublas.so.99999999999999999999")
	f.Add("lib/libcublas.so.-12")
	f.Add("lib/libcublas.so.12/libcublas.so.13")
	f.Fuzz(func(t *testing.T, file string) {
		full := filepath.Join(t.TempDir(), filepath.FromSlash(filepath.Clean("/"+file)))
		if os.MkdirAll(filepath.Dir(full), 0o755) != nil || os.WriteFile(full, nil, 0o644) != nil {
			return // such a file cannot exist
		}
		for _, l := range FindBLAS(filepath.Dir(full), filepath.Dir(filepath.Dir(full))) {
			if l.Major < oldest || l.Path == "" || l.From == "" {
				t.Errorf("%+v", l)
			}
		}
	})
}
