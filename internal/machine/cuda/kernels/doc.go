// Package kernels has kernels for matrix multiplication that need only the NVIDIA driver, which
// compiles their PTX for the GPU. They are measured on machines without cuBLAS.
//
//	k, err := kernels.Choose(86, "fp32", m, n, depth)
//	module, err := context.Load(k.PTX())
//	f, err := module.Kernel(k.Name)
//	err = f.Launch(cuda.Dim{X: k.Grid(m, n)}, cuda.Dim{X: k.Threads}, k.Shared, a, b, c, uint32(m), uint32(n), uint32(depth))
//
// # Sources
//
// The sources in src/ are in the common subset of CUDA and C11. Their comments explain what each
// kernel does and what limits its speed. clang compiles them to PTX, which is committed and
// embedded, so that a build of gpudocs needs no clang and a measurement no CUDA toolkit:
//
//	apt-get install clang-19
//	go generate ./internal/machine/cuda/kernels
//
//	src/sgemm.c   fp32 on the CUDA cores; tiles are copied to shared memory by sgemm_sync.h
//	              before compute capability 8.0, by sgemm_async.h since then
//	src/tensor.c  fp16, bf16, tf32 on the tensor cores of 8.0 and later
//	src/wmma.c    fp16 on those of 7.0 to 7.5
//	src/tile.h    which block computes which tile of C
//	src/device.h  the instructions of a GPU; src/host.h, host.c and host_warp.h: the same on a CPU
//
// The name of a kernel ends with its least compute capability. Sizes may be any up to [MaxSize].
// If the rows of A or B do not begin on multiples of 16 bytes, elements are read one by one, and
// the kernel is much slower: measure with multiples of 8, or better of 128.
//
// The driver compiles PTX of an older capability for any newer GPU, so the kernels run on 10.x and
// 12.x too. With tf32, a NaN whose mantissa begins with eleven ones is treated as 0 (see
// src/tensor.c). Infinities are correct.
//
// # Verification
//
// The kernels have not been run or measured on a GPU yet. The tests check without one:
//
//   - Results are correct. The same sources, compiled for the CPU, are compared with float64 for
//     shapes that are no multiples of a tile, between inaccessible pages, and with the fragments
//     of mma and ldmatrix as the PTX ISA defines them (TestHost).
//   - No barrier and no wait for cp.async is missing. Results do not depend on the order of threads
//     or on when copies are done, and no two threads access the same bytes of shared memory without
//     a barrier between (TestSharedMemory, which records every access of a thread).
//   - Shared memory has no bank conflicts if rows are aligned (the same test). Those of wmma are
//     unknown.
//   - With ptxas of CUDA 11.8, for 5.0, 6.1, 7.0, 7.5, 8.0, 8.6, 8.9 and 9.0, no registers are
//     spilled, and the registers of an SM are sufficient for two blocks. 86.6 to 88.3 % of the
//     instructions in the inner loop of sgemm are FFMA, which is the limit for an SM with as many
//     FFMA pipes as it issues instructions (8.6, 8.9, 9.0). 7.0, 7.5 and 8.0 have half as many
//     pipes, so this does not limit them (TestSASS, which needs a CUDA toolkit).
//   - The tensor-core kernels issue 245 to 344 instructions for 64 mma.sync. On 9.0 mma.sync is much
//     slower than wgmma, which they do not use: expect about 60 % of cuBLAS there.
//
// The aim is 80 % of cuBLAS in fp32 and 60 % in the other types on 8.x, for n of 4096 and more.
// On a GPU, TestGPU checks the results and gpudocs bench matmul measures the speed.
package kernels
