// What the kernels say of a GPU: their words for threads, barriers and the
// instructions that C has no operator for. On a GPU they are PTX, here; on a CPU
// host.c emulates them. The names of instructions are those of the PTX ISA,
// https://docs.nvidia.com/cuda/parallel-thread-execution/.
//
// Compiled as CUDA without CUDA's headers, so everything is spelled out. Each
// kernel is compiled with -DCAPABILITY=80, say: the least compute capability it is
// for, also on a CPU, where all variants stand in one program.
#pragma once

#define PASTE(a, b, c) a##b##c
#define PASTE_VALUES(a, b, c) PASTE(a, b, c)
#define VARIANT(name) PASTE_VALUES(name, _sm, CAPABILITY)

typedef unsigned long long u64;
typedef float f4 __attribute__((vector_size(16)));    // one LDG.128, LDS.128
typedef unsigned u4 __attribute__((vector_size(16))); // the same for any bits

#ifdef HOST
#include "host.h"
#else

#define KERNEL(name, threads, blocks) \
	extern "C" __attribute__((global)) __attribute__((launch_bounds(threads, blocks))) void name
#define INLINE static inline __attribute__((device)) __attribute__((always_inline))
#define UNROLL _Pragma("unroll")

extern __attribute__((shared)) __attribute__((aligned(128))) char shared_memory[];

#define BLOCK __nvvm_read_ptx_sreg_ctaid_x()
#define THREAD __nvvm_read_ptx_sreg_tid_x()
#define SHARED(type) ((type *)shared_memory)

INLINE void barrier(void) { __syncthreads(); }

// The 32-bit address of something in shared memory, which asm wants.
INLINE unsigned shared_address(const void *p) {
	return (unsigned)(u64)(const __attribute__((address_space(3))) void *)p;
}

#if CAPABILITY >= 80
// Copies 16 bytes from global to shared memory behind the thread's back, past L1.
INLINE void cp_async(void *to, const void *from) {
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
}
INLINE void cp_async_commit(void) { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits until at most some of the groups of this thread are on their way.
#define cp_async_wait(groups) asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory")
#endif

#endif
