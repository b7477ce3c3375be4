// The kernels on a CPU: the same sources, with a GPU's threads as coroutines that
// run one after another from barrier to barrier. For tests, and for a libcuda
// that has no GPU. Include this file, or compile it with cc -std=gnu11 -O2.
//
//	const struct host_kernel *k = host_kernel_named("sgemm_sm50");
//	const char *fault = host_launch(k, blocks, threads, shared_bytes, params);
//
// params are as for cuLaunchKernel: a pointer to each parameter. A fault, in
// words, is what a GPU would fail on or, worse, would not: threads of a block at
// different barriers, the wrong number of threads, too little shared memory. An
// access past the end of shared memory ends the process, as that is the end of
// a page.
//
// Two things are up to a GPU, so a kernel must be right whatever they are, and
// host_schedule sets them: the order of threads between two barriers, and when
// cp.async copies (at once, not before it is waited for, or at some barrier before
// that, the place holding NaN till then). A result that differs shows a barrier or
// a wait too few.
#undef _FORTIFY_SOURCE // it takes a longjmp to another stack for an error
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define HOST
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include "device.h"

// For a test that wants to know of accesses to shared memory and of barriers.
enum host_event { HOST_READ, HOST_WRITE, HOST_WARP_BARRIER, HOST_BLOCK_BARRIER, HOST_BLOCK_BEGINS };
#ifndef HOST_TRACE
#define HOST_TRACE(event, address, bytes) ((void)0)
#endif

enum { HOST_THREADS = 1024, HOST_WARP = 32, HOST_STACK = 64 << 10, HOST_SHARED = 256 << 10, HOST_COPIES = 64 };

enum host_order { HOST_FORWARD, HOST_BACKWARD, HOST_SHUFFLED };
enum host_copies { HOST_AT_ONCE, HOST_LATE, HOST_SOMETIME };
struct host_schedule { enum host_order order; enum host_copies copies; };
static struct host_schedule host_schedule;

unsigned host_block, host_thread;
char *host_shared;

struct host_copy {
	void *to;
	const void *from; // or NULL: 0
	unsigned bytes, group;
};

static struct host_lane {
	enum host_state { HOST_NEW, HOST_READY, HOST_AT_WARP, HOST_AT_BARRIER, HOST_DONE, HOST_FAILED } state;
	jmp_buf at;
	void (*perform)(void **operands); // at HOST_AT_WARP: what the warp is to do together
	void *operand;
	struct host_copy copies[HOST_COPIES]; // those under way, oldest first
	unsigned copying, groups;
} host_lanes[HOST_THREADS];

static jmp_buf host_main;
static const char *host_fault;
static char *host_stacks, *host_shared_end;
static void (*host_body)(void **);
static void **host_params;

// Leaves the thread; it goes on when it is resumed.
static void host_wait(enum host_state state) {
	struct host_lane *l = &host_lanes[host_thread];
	l->state = state;
	if (!_setjmp(l->at)) _longjmp(host_main, 1);
}

// Ends the launch if something does not hold that a GPU would fail on.
static void host_must(int holds, const char *fault) {
	if (holds) return;
	host_fault = fault;
	host_wait(HOST_FAILED);
}

static void host_together(void (*perform)(void **), void *operand) {
	host_lanes[host_thread].perform = perform;
	host_lanes[host_thread].operand = operand;
	host_wait(HOST_AT_WARP);
}

static void host_carry_out_first(struct host_lane *l) {
	struct host_copy c = l->copies[0];
	HOST_TRACE(HOST_WRITE, c.to, c.bytes);
	memmove(l->copies, l->copies + 1, --l->copying * sizeof c);
	if (c.from) memcpy(c.to, c.from, c.bytes);
	else memset(c.to, 0, c.bytes);
}

static void host_copy(void *to, const void *from, unsigned bytes) {
	struct host_lane *l = &host_lanes[host_thread];
	host_must((uintptr_t)to % bytes == 0 && (uintptr_t)from % bytes == 0, "a misaligned address");
	host_must(l->copying < HOST_COPIES, "more copies under way than there is room for here");
	HOST_TRACE(HOST_WRITE, to, bytes);
	memset(to, 0xff, bytes);
	l->copies[l->copying++] = (struct host_copy){to, from, bytes, l->groups};
	if (host_schedule.copies == HOST_AT_ONCE) host_carry_out_first(l);
}

void cp_async(void *to, const void *from, int inside) { host_copy(to, inside ? from : NULL, 16); }
void cp_async_4(void *to, const void *from, int inside) { host_copy(to, inside ? from : NULL, 4); }
void cp_async_commit(void) { host_lanes[host_thread].groups++; }

void cp_async_wait(unsigned groups) {
	struct host_lane *l = &host_lanes[host_thread];
	while (l->copying && l->copies[0].group + groups < l->groups) host_carry_out_first(l);
}

void barrier(void) {
	static unsigned dice;
	struct host_lane *l = &host_lanes[host_thread];
	while (host_schedule.copies == HOST_SOMETIME && l->copying && (dice = dice * 1664525 + 1013904223) >> 31) host_carry_out_first(l);
	host_wait(HOST_AT_BARRIER);
}

#include "host_warp.h"

static void host_enter(void) {
	host_body(host_params);
	host_wait(HOST_DONE);
}

// Starts a thread on a stack of its own.
static void host_start(unsigned thread) {
	ucontext_t context;
	getcontext(&context);
	context.uc_stack.ss_sp = host_stacks + (size_t)thread * HOST_STACK;
	context.uc_stack.ss_size = HOST_STACK;
	context.uc_link = NULL;
	makecontext(&context, host_enter, 0);
	setcontext(&context);
}

static void host_resume(unsigned thread) {
	host_thread = thread;
	if (_setjmp(host_main)) return; // it waits, or is done
	if (host_lanes[thread].state == HOST_NEW) host_start(thread);
	_longjmp(host_lanes[thread].at, 1);
}

static unsigned host_nth(unsigned i, unsigned count) {
	if (host_schedule.order == HOST_BACKWARD) return count - 1 - i;
	if (host_schedule.order == HOST_SHUFFLED && count % 4 == 0) return (i * (count / 2 + 1) + count / 2) % count;
	return i;
}

// Runs the lanes of a warp to the next barrier of the block, or to their end.
static const char *host_run_warp(struct host_lane *lanes) {
	for (;;) {
		for (unsigned i = 0; i < HOST_WARP; i++) host_resume((unsigned)(lanes - host_lanes) + host_nth(i, HOST_WARP));
		void *operands[HOST_WARP];
		for (unsigned i = 0; i < HOST_WARP; i++) {
			if (lanes[i].state == HOST_FAILED) return host_fault;
			if (lanes[i].state != lanes[0].state || lanes[i].perform != lanes[0].perform)
				return "lanes of a warp do not come to the same barrier or instruction of all";
			operands[i] = lanes[i].operand;
		}
		if (lanes[0].state != HOST_AT_WARP) return NULL;
		lanes[0].perform(operands);
		for (unsigned i = 0; i < HOST_WARP; i++) lanes[i].state = HOST_READY;
	}
}

static const char *host_run_block(unsigned block, unsigned threads) {
	host_block = block;
	HOST_TRACE(HOST_BLOCK_BEGINS, NULL, (unsigned)(host_shared_end - host_shared)); // all of it
	for (unsigned i = 0; i < threads; i++) {
		struct host_lane *l = &host_lanes[i];
		l->state = HOST_NEW, l->copying = l->groups = 0, l->perform = NULL;
	}
	do {
		HOST_TRACE(HOST_BLOCK_BARRIER, NULL, 0);
		for (unsigned i = 0; i < threads / HOST_WARP; i++) {
			const char *fault = host_run_warp(host_lanes + host_nth(i, threads / HOST_WARP) * HOST_WARP);
			if (fault) return fault;
		}
		for (unsigned i = HOST_WARP; i < threads; i += HOST_WARP)
			if (host_lanes[i].state != host_lanes[0].state) return "warps of a block do not come to the same barrier";
	} while (host_lanes[0].state != HOST_DONE);
	return NULL;
}

struct host_kernel {
	const char *name;
	unsigned threads, shared; // of a block; shared in bytes
	unsigned tile_m, tile_n;  // of C, one block's
	void (*body)(void **params);
};

// The stacks, and a page that nobody may touch after the shared memory.
static int host_prepare(void) {
	if (host_stacks) return 1;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *stacks = mmap(NULL, (size_t)HOST_THREADS * HOST_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *shared = mmap(NULL, HOST_SHARED + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stacks == MAP_FAILED || shared == MAP_FAILED) return 0;
	if (mprotect(shared + HOST_SHARED, page, PROT_NONE)) return 0;
	host_stacks = stacks, host_shared_end = shared + HOST_SHARED;
	return 1;
}

__attribute__((unused)) static const char *host_launch(
		const struct host_kernel *k, unsigned blocks, unsigned threads, unsigned shared, void **params) {
	if (threads != k->threads) return "the kernel wants another number of threads";
	if (shared < k->shared || shared > HOST_SHARED) return "the kernel wants another size of shared memory";
	if (!host_prepare()) return "no memory for the threads of a block";
	host_shared = host_shared_end - k->shared;
	host_body = k->body, host_params = params;
	for (unsigned i = 0; i < blocks; i++) {
		memset(host_shared, 0xff, k->shared); // NaN: what nobody wrote
		const char *fault = host_run_block(i, threads);
		if (fault) return fault;
	}
	return NULL;
}

#define CAPABILITY 50
#include "sgemm.c"
#undef CAPABILITY
#define CAPABILITY 70
#include "wmma.c"
#undef CAPABILITY
#define CAPABILITY 80
#include "sgemm.c"
#define FP16
#include "tensor.c"
#undef FP16
#define BF16
#include "tensor.c"
#undef BF16
#define TF32
#include "tensor.c"
#undef TF32
#undef CAPABILITY

#define HOST_ENTRY(kernel, type) \
	static void host_##kernel(void **p) { \
		kernel(*(const type **)p[0], *(const type **)p[1], *(type **)p[2], *(unsigned *)p[3], *(unsigned *)p[4], *(unsigned *)p[5]); \
	}
HOST_ENTRY(sgemm_sm50, float)
HOST_ENTRY(sgemm_any_sm50, float)
HOST_ENTRY(sgemm_sm80, float)
HOST_ENTRY(sgemm_any_sm80, float)
HOST_ENTRY(gemm_fp16_sm70, unsigned short)
HOST_ENTRY(gemm_fp16_sm80, unsigned short)
HOST_ENTRY(gemm_bf16_sm80, unsigned short)
HOST_ENTRY(gemm_tf32_sm80, float)

// As in kernels.go.
static const struct host_kernel host_kernels[] = {
	{"sgemm_sm50", 256, 16640, 128, 128, host_sgemm_sm50},
	{"sgemm_any_sm50", 256, 16640, 128, 128, host_sgemm_any_sm50},
	{"sgemm_sm80", 256, 33280, 128, 128, host_sgemm_sm80},
	{"sgemm_any_sm80", 256, 33280, 128, 128, host_sgemm_any_sm80},
	{"gemm_fp16_sm70", 256, 37888, 128, 128, host_gemm_fp16_sm70},
	{"gemm_fp16_sm80", 128, 49152, 128, 128, host_gemm_fp16_sm80},
	{"gemm_bf16_sm80", 128, 49152, 128, 128, host_gemm_bf16_sm80},
	{"gemm_tf32_sm80", 128, 49152, 128, 128, host_gemm_tf32_sm80},
};

__attribute__((unused)) static const struct host_kernel *host_kernel_named(const char *name) {
	for (unsigned i = 0; i < sizeof host_kernels / sizeof host_kernels[0]; i++)
		if (!strcmp(host_kernels[i].name, name)) return &host_kernels[i];
	return NULL;
}
