package bench

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// fp32 is the number of FP32 operations of a streaming multiprocessor per clock, by
// compute capability: two (multiply and add) for each of its lanes. Source: CUDA C++ Best
// Practices Guide, "Arithmetic Instructions", table "Throughput of Native Arithmetic
// Instructions", row "32-bit floating-point add, multiply, multiply-add",
// https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/index.html#arithmetic-instructions-throughput-native-arithmetic-instructions
var fp32 = map[string]int{
	"5.0": 256, "5.2": 256, "5.3": 256, "6.0": 128, "6.1": 256, "6.2": 256,
	"7.0": 128, "7.2": 128, "7.5": 128, "8.0": 128, "8.6": 256, "8.7": 256, "8.9": 256,
	"9.0": 256, "10.0": 256, "10.3": 256, "12.0": 256, "12.1": 256,
}

// tensorCores is the number of operations of the tensor cores of a streaming
// multiprocessor per clock, in FP16 with sums in FP32, for dense matrices. BF16 is as
// fast and TF32 half as fast, from 8.0 on. Each value is the rate of a GPU that NVIDIA
// states, divided by the SMs and the boost clock of the same table:
//
//   - 7.0: Tesla V100 architecture whitepaper, table 1: 125 TFLOPS, 80 SMs, 1530 MHz
//   - 7.5: Turing architecture whitepaper, table 4: Quadro RTX 6000 130.5 TFLOPS, 72 SMs, 1770 MHz
//   - 8.0: A100 architecture whitepaper, table 1: 312 TFLOPS, 108 SMs, 1410 MHz
//   - 8.6: A40 datasheet: 149.7 TFLOPS, 84 SMs, 1740 MHz
//   - 8.9: RTX 6000 Ada datasheet: 364.2 TFLOPS, 142 SMs, 2505 MHz
//   - 9.0: H100 architecture whitepaper, table 2: 989.4 TFLOPS, 132 SMs, 1830 MHz
//   - 12.0: RTX Blackwell PRO whitepaper: RTX PRO 6000 503.8 TFLOPS, 188 SMs, 2617 MHz
//
// For other capabilities no known whitepaper has all three.
var tensorCores = map[string]int{"7.0": 1024, "7.5": 1024, "8.0": 2048, "8.6": 1024, "8.9": 1024, "9.0": 4096, "12.0": 1024}

// halved are names of GPUs whose tensor cores have half of that rate with sums in FP32:
// GeForce (GA102 whitepaper, appendix A: RTX 3090 71 TFLOPS; Ada whitepaper,
// appendix A: RTX 4090 165.2; RTX Blackwell whitepaper: RTX 5090 209.5) and two
// of the data centre (datasheets: L40 181.05, A10G 70).
var halved = []string{"GeForce", "A10G", "L40"}

// unstated are names of GPUs whose tensor cores are slower than those of other GPUs with
// their capability, by an amount that NVIDIA does not document.
var unstated = []string{"H20", "L20", "L2"}

// tensorPerClock returns the number of operations of a multiprocessor's tensor cores per
// clock, or 0 if it is unknown.
func tensorPerClock(compute, name string) int {
	rate := tensorCores[compute]
	words := strings.Fields(name)
	has := func(word string) bool { return slices.Contains(words, word) }
	switch {
	case compute == "7.5" && !has("RTX") && !has("T4"):
		return 0 // a GTX 16 or a T1000 has no tensor cores
	case slices.ContainsFunc(unstated, has):
		return 0
	case slices.ContainsFunc(halved, has) && compute != "7.0":
		return rate / 2
	}
	return rate
}

// peakRate returns the highest possible rate of a GPU at a clock in MHz, in TFLOP/s, or 0
// if it is unknown.
func peakRate(dtype, compute, name string, sms, mhz int) float64 {
	perClock := tensorPerClock(compute, name)
	switch dtype {
	case ask.FP32:
		perClock = fp32[compute]
	case ask.TF32:
		perClock /= 2
	}
	return float64(perClock) * float64(sms) * float64(mhz) / 1e6
}

// peakBandwidth returns the highest possible bandwidth of a memory, in GB/s, from its
// clock in kHz and the width of its bus in bits. CUDA reports the clock of every kind of
// memory so that there are two transfers per clock
// (https://developer.nvidia.com/blog/how-implement-performance-metrics-cuda-cc/).
func peakBandwidth(kHz, bits int) float64 {
	return 2 * float64(kHz) * float64(bits) / 8 / 1e6
}

// oldest are the oldest compute capabilities that multiply a type: FP16 arithmetic came
// with 5.3, TF32 and BF16 with 8.0 (CUDA C++ Programming Guide, "Arithmetic
// Instructions" and "Features and Technical Specifications").
var oldest = map[string][2]int{ask.FP16: {5, 3}, ask.TF32: {8, 0}, ask.BF16: {8, 0}}

// hasType reports whether a GPU of a capability multiplies a type.
func hasType(dtype string, major, minor int) bool {
	o := oldest[dtype]
	return major > o[0] || major == o[0] && minor >= o[1]
}
