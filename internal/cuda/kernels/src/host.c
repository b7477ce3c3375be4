// The kernels on a CPU: the same sources, with a GPU's threads as coroutines that
// run one after another from barrier to barrier. For tests, and for a libcuda
// that has no GPU. Include this file, or compile it with cc -std=gnu11 -O2.
//
//	const struct host_kernel *k = host_kernel_named("sgemm_sm50");
//	const char *fault = host_launch(k, blocks, threads, shared_bytes, params);
//
// params are as for cuLaunchKernel: a pointer to each parameter. A fault, in
// words, is what a GPU would fail on or, worse, would not: threads of a block at
// different barriers, too few threads, too little shared memory. Access to
// shared memory past its end ends the process, as its end is the end of a page.
//
// Two things are up to a GPU, so a kernel must be right whatever they are, and
// host_schedule sets them: the order of threads between two barriers, and when
// cp.async copies (at once, or not before it is waited for, the place holding
// NaN till then). A result that differs shows a barrier or a wait too few.
#define _GNU_SOURCE
#define HOST
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include "device.h"

enum { HOST_THREADS = 1024, HOST_WARP = 32, HOST_STACK = 64 << 10, HOST_SHARED = 256 << 10, HOST_COPIES = 64 };

enum host_order { HOST_FORWARD, HOST_BACKWARD, HOST_SHUFFLED };
struct host_schedule { enum host_order order; int late; };
static struct host_schedule host_schedule;

unsigned host_block, host_thread;
char *host_shared;

// A thread that waits says for what.
enum host_state { HOST_READY, HOST_AT_BARRIER, HOST_DONE };

struct host_copy { void *to; const void *from; unsigned group; };

static struct host_lane {
	enum host_state state;
	ucontext_t context;
	struct host_copy copies[HOST_COPIES]; // those under way, oldest first
	unsigned copying, groups, waited;
} host_lanes[HOST_THREADS];

static ucontext_t host_main;
static char *host_stacks, *host_shared_end;
static void (*host_body)(void **);
static void **host_params;

static void host_wait(enum host_state state) {
	struct host_lane *l = &host_lanes[host_thread];
	l->state = state;
	swapcontext(&l->context, &host_main);
}

void barrier(void) { host_wait(HOST_AT_BARRIER); }

void cp_async(void *to, const void *from) {
	struct host_lane *l = &host_lanes[host_thread];
	if ((uintptr_t)to % 16 || (uintptr_t)from % 16 || l->copying == HOST_COPIES) abort(); // a GPU faults, too
	if (!host_schedule.late) {
		memcpy(to, from, 16);
		return;
	}
	memset(to, 0xff, 16);
	l->copies[l->copying++] = (struct host_copy){to, from, l->groups};
}

void cp_async_commit(void) { host_lanes[host_thread].groups++; }

void cp_async_wait(unsigned groups) {
	struct host_lane *l = &host_lanes[host_thread];
	unsigned done = 0;
	while (done < l->copying && l->copies[done].group + groups < l->groups) {
		memcpy(l->copies[done].to, l->copies[done].from, 16);
		done++;
	}
	l->copying -= done;
	memmove(l->copies, l->copies + done, l->copying * sizeof l->copies[0]);
}

static float host_float(uint32_t bits) { float f; memcpy(&f, &bits, 4); return f; }
static uint32_t host_bits(float f) { uint32_t bits; memcpy(&bits, &f, 4); return bits; }

// Types of elements as on a GPU. To the nearest, ties to even; but cvt.rna.tf32,
// the only conversion to tf32 that all GPUs with it have, takes ties away from 0.
__attribute__((unused)) static float host_from_bf16(uint16_t v) { return host_float((uint32_t)v << 16); }
__attribute__((unused)) static uint16_t host_to_bf16(float f) {
	uint32_t b = host_bits(f);
	if (f != f) return 0x7fff;
	return (uint16_t)((b + 0x7fff + (b >> 16 & 1)) >> 16);
}
__attribute__((unused)) static float host_to_tf32(float f) { return host_float((host_bits(f) + 0x1000) & ~0x1fffu); }

__attribute__((unused)) static float host_from_fp16(uint16_t v) {
	uint32_t sign = (uint32_t)(v & 0x8000) << 16, rest = v & 0x7fff;
	if (rest >= 0x7c00) return host_float(sign | 0x7f800000 | (rest & 0x3ff) << 13); // infinity, NaN
	float f = (float)rest; // a number of 2^-24 below 2^-14
	if (rest < 0x400) return host_float(sign | host_bits(f * 0x1p-24f));
	return host_float(sign | ((rest << 13) + (112u << 23)));
}
__attribute__((unused)) static uint16_t host_to_fp16(float f) {
	uint32_t b = host_bits(f), sign = b >> 16 & 0x8000;
	float size = host_float(b & 0x7fffffff);
	if (f != f) return 0x7fff;
	if (size >= 65520) return (uint16_t)(sign | 0x7c00);
	if (size < 0x1p-14f) return (uint16_t)(sign | (host_bits(size + 0.5f) - host_bits(0.5f))); // the addition rounds
	b = host_bits(size) - (112u << 23);
	return (uint16_t)(sign | (b + 0xfff + (b >> 13 & 1)) >> 13);
}

static void host_enter(void) {
	host_body(host_params);
	host_wait(HOST_DONE);
}

static unsigned host_nth(unsigned i, unsigned count) {
	if (host_schedule.order == HOST_BACKWARD) return count - 1 - i;
	if (host_schedule.order == HOST_SHUFFLED) return (i * 73 + 41) % count; // a permutation: counts are 2^k
	return i;
}

static void host_resume(unsigned thread) {
	host_thread = thread;
	swapcontext(&host_main, &host_lanes[thread].context);
}

// Runs each thread to its next barrier, or end; returns the state that all are in.
static const char *host_phase(unsigned threads, enum host_state *reached) {
	for (unsigned i = 0; i < threads; i++) host_resume(host_nth(i, threads));
	*reached = host_lanes[0].state;
	for (unsigned i = 1; i < threads; i++)
		if (host_lanes[i].state != *reached) return "threads of one block wait at a barrier that others do not come to";
	return NULL;
}

static const char *host_run_block(unsigned block, unsigned threads) {
	host_block = block;
	for (unsigned i = 0; i < threads; i++) {
		struct host_lane *l = &host_lanes[i];
		l->state = HOST_READY, l->copying = l->groups = 0;
		getcontext(&l->context);
		l->context.uc_stack.ss_sp = host_stacks + (size_t)i * HOST_STACK;
		l->context.uc_stack.ss_size = HOST_STACK;
		l->context.uc_link = NULL;
		makecontext(&l->context, host_enter, 0);
	}
	for (enum host_state reached = HOST_READY; reached != HOST_DONE;) {
		const char *fault = host_phase(threads, &reached);
		if (fault) return fault;
	}
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

__attribute__((unused)) static const char *host_launch(const struct host_kernel *k, unsigned blocks, unsigned threads, unsigned shared, void **params) {
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
#define CAPABILITY 80
#include "sgemm.c"
#undef CAPABILITY

#define HOST_ENTRY(kernel, type) \
	static void host_##kernel(void **p) { \
		kernel(*(const type **)p[0], *(const type **)p[1], *(type **)p[2], *(unsigned *)p[3], *(unsigned *)p[4], *(unsigned *)p[5]); \
	}
HOST_ENTRY(sgemm_sm50, float)
HOST_ENTRY(sgemm_any_sm50, float)
HOST_ENTRY(sgemm_sm80, float)
HOST_ENTRY(sgemm_any_sm80, float)

static const struct host_kernel host_kernels[] = {
	{"sgemm_sm50", 256, 16384, 128, 128, host_sgemm_sm50},
	{"sgemm_any_sm50", 256, 16384, 128, 128, host_sgemm_any_sm50},
	{"sgemm_sm80", 256, 32768, 128, 128, host_sgemm_sm80},
	{"sgemm_any_sm80", 256, 32768, 128, 128, host_sgemm_any_sm80},
};

__attribute__((unused)) static const struct host_kernel *host_kernel_named(const char *name) {
	for (unsigned i = 0; i < sizeof host_kernels / sizeof host_kernels[0]; i++)
		if (!strcmp(host_kernels[i].name, name)) return &host_kernels[i];
	return NULL;
}
