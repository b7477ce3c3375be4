// Package bench measures what GPUs do, without ever failing, hanging or crashing
// the program that asks.
//
// # What is measured
//
// A matmul is C = A B, of n x n elements of fp32, tf32, fp16 or bf16, 2 n^3
// operations each, with sums in float32. A bandwidth is that of a copy within the
// GPU's memory, which counts what is read and what is written. A copy from or to
// the host is one of page-locked memory. Package measure says how an author
// asks for them.
//
// # How
//
// The GPU warms up for half a second, so that clocks have risen and code is
// loaded. Then runs are timed, at least 20, each between two events of the GPU's
// own clock, which a busy processor does not disturb. Runs follow one another in
// batches that keep the GPU's queue full, unless a run is shorter than its launch,
// some microseconds. It ends when the median is steady or three seconds are over. A
// rate is by the median.
//
// After that a few runs are timed by the processor's clock, each from an empty
// queue: until the call comes back, and until its result is there. Who times
// without synchronising measures the first.
//
// The input is random, with a fixed seed, and all bits of its type at random:
// zeros and small integers switch fewer transistors, draw less power, and so are
// multiplied faster. 64 elements of the result are held against sums in float64
// of the very same input; check.go derives what they may be off by. Of a copy, 64
// pieces are compared. A result that is wrong is wrong, whatever its rate.
//
// While runs are timed, NVML is asked every 20 ms for clock, power and the reasons
// for low clocks, where this program can ask it (package gpu). The peak is the
// number of multiprocessors times what each does in a clock (peak.go, with sources)
// times the median of those clocks. What is not known is left out.
//
// # Who does the work
//
// cuBLAS where a copy of it is found and works, asked as PyTorch asks it, and else
// the kernels of package cuda/kernels, which need nothing but the driver. A
// comparison on the processor is done by its BLAS (package blas).
//
// # In which process
//
// [Measure] starts a child that runs [Child], because a driver's library may end or
// hold the process that calls it. The child measures one GPU after the other, each
// in a context that is closed afterwards, and says at each step that it is alive.
// When it dies or falls silent, the GPU it was at is at fault; what the others have
// shown is kept, and a second child goes on with those behind. How long silence may
// last grows with n. The processor is measured in a child of its own.
//
// Memory that is needed is asked for before it is taken; a GPU that has too
// little says so. GPUs are numbered as NVML numbers them, by their place on the
// bus, and CUDA_VISIBLE_DEVICES counts.
//
// # What is not done
//
// Several GPUs at once, or copies between them. Sparse matrices, FP8, FP64. MIG: a
// device of a divided card is measured as a GPU, with the peak of its own
// multiprocessors, and only the one that CUDA shows. Nothing keeps others from
// using the GPU meanwhile.
package bench
