package compat

// A toolkit is a release of the CUDA toolkit, with the oldest driver that it requires and
// the compute capabilities for which its nvcc generates code.
//
// Drivers: CUDA Toolkit Release Notes, "CUDA Toolkit and Corresponding Driver
// Versions", the row of the first release (GA) of each:
// https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/index.html (13.3, with
// all 11.x to 13.x) and
// https://docs.nvidia.com/cuda/archive/11.0/cuda-toolkit-release-notes/index.html
// (10.x). From 13.0 on the notes name no driver for Windows ("N/A"). A CUDA 12.7
// was never released. From 13.4 on no driver comes with the toolkit: one of
// 13.x that reports CUDA 13.4 is sufficient, such as those of branch 615
// (https://docs.nvidia.com/cuda/archive/13.4.1/cuda-toolkit-release-notes/index.html),
// and of branch 620 for 13.5.
//
// Compute capabilities: nvcc's manual, "GPU Feature List", of the release:
// https://docs.nvidia.com/cuda/archive/12.4.0/cuda-compiler-driver-nvcc/index.html
// and so on. Code for 3.0 was removed in 11.0, Kepler (3.x) with 12.0, and Maxwell,
// Pascal and Volta with 13.0: "Deprecated or Dropped Features" of the notes. From 11.7 on the
// assembler of the release (ptxas --help, of the package nvidia-cuda-nvcc) lists the same; in
// 13.4.59 and 13.5.37 it has 10.7 too.
type toolkit struct {
	version        string
	linux, windows string // drivers, empty if none is named
	archs          string
}

const (
	turing    = "3.0 3.2 3.5 3.7 5.0 5.2 5.3 6.0 6.1 6.2 7.0 7.2 7.5"
	ampere    = "3.5 3.7 5.0 5.2 5.3 6.0 6.1 6.2 7.0 7.2 7.5 8.0"
	hopper    = "5.0 5.2 5.3 6.0 6.1 6.2 7.0 7.2 7.5 8.0 8.6 8.7 8.9 9.0"
	blackwell = "7.5 8.0 8.6 8.7 8.8 8.9 9.0 10.0 10.3 11.0 12.0 12.1"
	rubin     = "7.5 8.0 8.6 8.7 8.8 8.9 9.0 10.0 10.3 10.7 11.0 12.0 12.1"
)

var toolkits = []toolkit{
	{"10.0", "410.48", "411.31", turing},
	{"10.1", "418.39", "418.96", turing},
	{"10.2", "440.33", "441.22", turing},
	{"11.0", "450.51.05", "451.48", ampere},
	{"11.1", "455.23", "456.38", ampere + " 8.6"},
	{"11.2", "460.27.03", "460.82", ampere + " 8.6"},
	{"11.3", "465.19.01", "465.89", ampere + " 8.6"},
	{"11.4", "470.42.01", "471.11", ampere + " 8.6 8.7"},
	{"11.5", "495.29.05", "496.04", ampere + " 8.6 8.7"},
	{"11.6", "510.39.01", "511.23", ampere + " 8.6 8.7"},
	{"11.7", "515.43.04", "516.01", ampere + " 8.6 8.7"},
	{"11.8", "520.61.05", "520.06", ampere + " 8.6 8.7 8.9 9.0"},
	{"12.0", "525.60.13", "527.41", hopper},
	{"12.1", "530.30.02", "531.14", hopper},
	{"12.2", "535.54.03", "536.25", hopper},
	{"12.3", "545.23.06", "545.84", hopper},
	{"12.4", "550.54.14", "551.61", hopper},
	{"12.5", "555.42.02", "555.85", hopper},
	{"12.6", "560.28.03", "560.76", hopper},
	{"12.8", "570.26", "570.65", hopper + " 10.0 10.1 12.0"},
	{"12.9", "575.51.03", "576.02", hopper + " 10.0 10.1 10.3 12.0 12.1"},
	{"13.0", "580.65.06", "", blackwell},
	{"13.1", "590.44.01", "", blackwell},
	{"13.2", "595.45.04", "", blackwell},
	{"13.3", "610.43.02", "", blackwell},
	{"13.4", "", "", rubin},
	{"13.5", "", "", rubin},
}

// A family is a major version, whose releases run on all its drivers from the given one
// on, "with limited feature-set": minor-version compatibility. It exists since 11.
//
// CUDA Toolkit Release Notes, "Minimum Required Driver Version for CUDA Minor
// Version Compatibility", and for 13.x on Windows, where they name none, the
// branch of the CUDA Compatibility guide:
// https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html
type family struct {
	major          int
	linux, windows string
}

var families = []family{
	{11, "450.80.02", "452.39"},
	{12, "525.60.13", "528.33"},
	{13, "580.65.06", "580"},
}
