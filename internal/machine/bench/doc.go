// Package bench measures the speed of GPUs, without ever failing, hanging or crashing
// the calling program.
//
// # What is measured
//
// A matmul is C = A B, of n x n elements of fp32, tf32, fp16 or bf16, with 2 n^3
// operations and sums in float32. A bandwidth is that of a copy within the GPU's
// memory, which counts both reads and writes. A copy from or to the host uses
// page-locked memory. A copy to peers goes from each GPU to each other one, directly if the
// machine allows that. Package measure parses what an author asks for.
//
// # How
//
// The GPU warms up for half a second, so that clocks have risen and code is loaded.
// Then at least 20 runs are timed, each between two events of the GPU's own clock,
// which a busy CPU does not disturb. Runs follow one another in batches that keep the
// GPU's queue full, unless a run is shorter than its launch, some microseconds. Timing
// ends if the median is steady or after three seconds. A rate is computed from the
// median.
//
// After that a few runs are timed by the CPU's clock, each from an empty queue: until
// the call returns, and until its result is available. Programs that time without
// synchronizing measure the first.
//
// The input is random, with a fixed seed, and all bits of its type are random: zeros
// and small integers switch fewer transistors, draw less power, and so are multiplied
// faster. 64 elements of the result are compared with sums in float64 of the same
// input; check.go derives the tolerance. Of a copy, 64 pieces are compared. A wrong
// result fails, whatever its rate.
//
// While runs are timed, NVML is queried every 20 ms for clock, power and the reasons
// for low clocks, if this program can use it (package gpu). The peak is the number of
// multiprocessors times what each does in a clock (peak.go, with sources) times the
// median of those clocks. Unknown values are omitted.
//
// # Backends
//
// cuBLAS if a copy of it is found and works, called as PyTorch calls it. Without one, fp32
// is done by a kernel of package cuda, which needs nothing but the driver, and the other
// types are not measured, as a library is missing.
//
// # Processes
//
// [Measure] starts a subprocess that runs [RunSubprocess], because a driver's library may
// end or block the process that calls it. The subprocess measures one GPU after the
// other, each in a context that is closed afterwards, and sends a line at each step. If
// it dies or is silent for too long, the current GPU is at fault; the results of the
// others are kept, and a second subprocess continues with the remaining ones. The limit
// of silence grows with n.
//
// Free memory is checked before it is allocated; a GPU with too little is reported.
// GPUs are numbered as in NVML, by their place on the bus, and CUDA_VISIBLE_DEVICES
// applies.
//
// # Limitations
//
// Several GPUs at once are not measured, nor sparse matrices,
// FP8 and FP64. MIG: a device of a divided GPU is measured like a GPU, with the peak of
// its own multiprocessors, and only the one that CUDA lists. Nothing keeps other
// programs from using the GPU meanwhile.
package bench
