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
typedef float f2 __attribute__((vector_size(8)));
typedef unsigned u4 __attribute__((vector_size(16))); // the same for any bits

#ifdef HOST
#include "host.h"
#else

#define KERNEL(name, threads, blocks) \
	extern "C" __attribute__((global)) __attribute__((launch_bounds(threads, blocks))) void name
#define INLINE static inline __attribute__((device)) __attribute__((always_inline))
#define UNROLL _Pragma("unroll")
#define KEEP_LOOP _Pragma("nounroll")

extern __attribute__((shared)) __attribute__((aligned(128))) char shared_memory[];

#define BLOCK __nvvm_read_ptx_sreg_ctaid_x()
#define THREAD __nvvm_read_ptx_sreg_tid_x()
#define SHARED(type) ((type *)shared_memory)

INLINE void barrier(void) { __syncthreads(); }

// The 32-bit address of something in shared memory, which asm wants.
INLINE unsigned shared_address(const void *p) {
	return (unsigned)(u64)(const __attribute__((address_space(3))) void *)p;
}

// To the nearest, ties to even.
INLINE unsigned short round_fp16(float v) {
	unsigned short bits;
	asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(v));
	return bits;
}

#if CAPABILITY >= 70
INLINE void barrier_warp(void) { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }

// 16 x 16 elements spread over a warp, those of an operand twice.
struct wmma_operand { unsigned v[8]; };
struct wmma_sum { float v[8]; };

#define WMMA_LOAD(name, instruction) \
	INLINE struct wmma_operand name(const unsigned short *from, unsigned pitch) { \
		struct wmma_operand o; \
		asm volatile("wmma.load." instruction ".sync.aligned.row.m16n16k16.shared.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" \
			: "=r"(o.v[0]), "=r"(o.v[1]), "=r"(o.v[2]), "=r"(o.v[3]), "=r"(o.v[4]), "=r"(o.v[5]), "=r"(o.v[6]), "=r"(o.v[7]) \
			: "r"(shared_address(from)), "r"(pitch) : "memory"); \
		return o; \
	}
WMMA_LOAD(wmma_load_a, "a")
WMMA_LOAD(wmma_load_b, "b")

INLINE void wmma_mma(struct wmma_sum *sum, const struct wmma_operand *a, const struct wmma_operand *b) {
	asm("wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, "
		"{%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, {%0, %1, %2, %3, %4, %5, %6, %7};"
		: "+f"(sum->v[0]), "+f"(sum->v[1]), "+f"(sum->v[2]), "+f"(sum->v[3]), "+f"(sum->v[4]), "+f"(sum->v[5]), "+f"(sum->v[6]), "+f"(sum->v[7])
		: "r"(a->v[0]), "r"(a->v[1]), "r"(a->v[2]), "r"(a->v[3]), "r"(a->v[4]), "r"(a->v[5]), "r"(a->v[6]), "r"(a->v[7]),
		  "r"(b->v[0]), "r"(b->v[1]), "r"(b->v[2]), "r"(b->v[3]), "r"(b->v[4]), "r"(b->v[5]), "r"(b->v[6]), "r"(b->v[7]));
}

INLINE void wmma_store(float *to, const struct wmma_sum *sum, unsigned pitch) {
	asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;"
		:: "r"(shared_address(to)), "f"(sum->v[0]), "f"(sum->v[1]), "f"(sum->v[2]), "f"(sum->v[3]),
		   "f"(sum->v[4]), "f"(sum->v[5]), "f"(sum->v[6]), "f"(sum->v[7]), "r"(pitch) : "memory");
}
#endif

#if CAPABILITY >= 80
// Two at once, the first in the lower half.
INLINE unsigned pack_fp16(float first, float second) {
	unsigned bits;
	asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(second), "f"(first));
	return bits;
}
INLINE unsigned pack_bf16(float first, float second) {
	unsigned bits;
	asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(second), "f"(first));
	return bits;
}

// Copies 16 bytes from global to shared memory behind the thread's back, past L1;
// or clears the 16 bytes and does not touch from.
INLINE void cp_async(void *to, const void *from, int inside) {
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
		::"r"(shared_address(to)), "l"(from), "r"(inside ? 16 : 0) : "memory");
}
// The same for 4 bytes, anywhere.
INLINE void cp_async_4(void *to, const void *from, int inside) {
	asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
		::"r"(shared_address(to)), "l"(from), "r"(inside ? 4 : 0) : "memory");
}
INLINE void cp_async_commit(void) { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits until at most some of the groups of this thread are on their way.
#define cp_async_wait(groups) asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory")

// Reads four 8 x 8 matrices of 16-bit elements, each lane giving the address of
// a row: lanes 0 to 7 those of the first matrix, and so on. Element by element, or
// transposed, a lane gets what mma wants of it.
INLINE u4 ldmatrix(const void *row) {
	unsigned a, b, c, d;
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(shared_address(row)) : "memory");
	return (u4){a, b, c, d};
}
INLINE u4 ldmatrix_trans(const void *row) {
	unsigned a, b, c, d;
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(shared_address(row)) : "memory");
	return (u4){a, b, c, d};
}

// sum += a * b for a warp: 16 x 8 elements, 16 deep, in tf32 8. Which element is
// whose: PTX ISA, "Matrix Fragments for mma.m16n8k16" and "mma.m16n8k8".
#define MMA_INSTRUCTION(name, shape_and_types) \
	INLINE void name(f4 *sum, u4 a, unsigned b0, unsigned b1) { \
		float s0 = (*sum)[0], s1 = (*sum)[1], s2 = (*sum)[2], s3 = (*sum)[3]; \
		asm("mma.sync.aligned." shape_and_types " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
			: "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1)); \
		*sum = (f4){s0, s1, s2, s3}; \
	}
MMA_INSTRUCTION(mma_fp16, "m16n8k16.row.col.f32.f16.f16.f32")
MMA_INSTRUCTION(mma_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32")
MMA_INSTRUCTION(mma_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32")
#endif

#endif
