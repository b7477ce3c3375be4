// What the kernel says of a GPU: its words for threads and barriers, in the common
// subset of CUDA and C11. On a GPU they are here; on a CPU, for tests, host.c in
// ../testdata has them. Compiled as CUDA without CUDA's headers, so everything is
// spelled out.
#pragma once

typedef unsigned long long u64;
typedef float f4 __attribute__((vector_size(16))); // one LDG.128, LDS.128

#ifndef HOST
#define KERNEL(name, threads, blocks) \
	extern "C" __attribute__((global)) __attribute__((launch_bounds(threads, blocks))) void name
#define INLINE static inline __attribute__((device)) __attribute__((always_inline))
#define UNROLL _Pragma("unroll")
#define KEEP_LOOP _Pragma("nounroll")

extern __attribute__((shared)) __attribute__((aligned(128))) char shared_memory[];

#define BLOCK __nvvm_read_ptx_sreg_ctaid_x()
#define THREAD __nvvm_read_ptx_sreg_tid_x()
#define SHARED ((float *)shared_memory)

INLINE void barrier(void) { __syncthreads(); }
#endif
