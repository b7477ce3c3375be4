// Package kernels holds kernels that multiply matrices and need nothing but the
// NVIDIA driver, which compiles their PTX for the GPU that it finds: what is
// measured with where a machine has no cuBLAS.
//
//	k, err := kernels.Choose(86, "fp32", m, n, depth)
//	module, err := context.Load(k.PTX())
//	f, err := module.Kernel(k.Name)
//	err = f.Launch(cuda.Dim{X: k.Grid(m, n)}, cuda.Dim{X: k.Threads}, k.Shared, a, b, c, uint32(m), uint32(n), uint32(depth))
//
// # Sources
//
// src/ has them in C, in the common subset of CUDA and C11. Their comments say
// what each does and what limits it. clang makes the PTX, which is committed and
// embedded, so that a build of gpudocs needs no clang and a measurement no CUDA
// toolkit:
//
//	apt-get install clang-19
//	go generate ./internal/machine/cuda/kernels
//
//	src/sgemm.c   fp32 on the ordinary cores; sgemm_sync.h brings the tiles to
//	              shared memory before compute capability 8.0, sgemm_async.h since
//	src/tensor.c  fp16, bf16, tf32 on the tensor cores of 8.0 and later
//	src/wmma.c    fp16 on those of 7.0 to 7.5
//	src/tile.h    which block computes which tile of C
//	src/device.h  a GPU's instructions; src/host.h, host.c and host_warp.h: on a CPU
//
// The names of kernels end in the least compute capability that they are for.
// Sizes may be any up to [MaxSize]. If the rows of A or B do not begin on
// multiples of 16 bytes, elements are fetched one by one, and the kernel is far
// from its best: measure with multiples of 8, better of 128.
//
// The driver compiles PTX of an older capability for any newer GPU, so these run
// on 10.x and 12.x, too. Of tf32: a NaN whose mantissa begins with eleven ones is
// taken for 0 (see src/tensor.c); infinities are right.
//
// # What is known of them, and what is not
//
// They are not yet measured on a GPU, nor has one run them: there was none. What
// the tests hold without one:
//
//   - They are right: the same sources, compiled for the CPU, are held against
//     float64 for shapes that are no multiple of anything, between pages that
//     nobody may touch, and with the fragments of mma and ldmatrix as the PTX ISA
//     has them (TestHost).
//   - No barrier and no wait for cp.async is missing: results do not depend on the
//     order of threads or on when copies are done, and no two threads touch
//     the same bytes of shared memory without a barrier between (TestSharedMemory,
//     which sees every access that a thread makes).
//   - Shared memory has no bank conflicts where rows are aligned (the same test);
//     those of wmma are not known.
//   - With ptxas of CUDA 11.8, for 5.0, 6.1, 7.0, 7.5, 8.0, 8.6, 8.9 and 9.0:
//     nothing is spilled, two blocks have room in an SM's registers, and of the
//     inner loop of sgemm 86.6 to 88.3 % of the instructions are FFMA, which is the
//     bound for an SM with as many FFMA pipes as it issues instructions (8.6, 8.9,
//     9.0), while 7.0, 7.5 and 8.0 have half as many pipes and so room to spare
//     (TestSASS; it needs a CUDA toolkit).
//   - The tensor-core kernels issue 245 to 344 instructions for 64 mma.sync. On
//     9.0 mma.sync itself is far below what wgmma reaches, which these do not use:
//     expect about 60 % of cuBLAS there.
//
// The aim is 80 % of cuBLAS in fp32 and 60 % in the other types on 8.x, for n of
// 4096 and more. TestGPU tells on a GPU whether they are right, gpudocs bench
// matmul how fast they are.
package kernels
