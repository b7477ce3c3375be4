// The kernel on a CPU: the same source, with a GPU's threads as coroutines that
// run one after another from barrier to barrier. A part of fake_gpu.h.
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
// The order of threads between two barriers is up to a GPU, so a kernel must be
// right whatever it is. FAKE_CUDA_ORDER sets it: backward or shuffled.
#undef _FORTIFY_SOURCE // it takes a longjmp to another stack for an error
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define HOST
#define KERNEL(name, threads, blocks) static void name
#define INLINE static inline __attribute__((unused))
#define UNROLL
#define KEEP_LOOP
#define BLOCK host_block
#define THREAD host_thread
#define SHARED ((float *)(void *)host_shared)

enum { HOST_THREADS = 1024, HOST_STACK = 64 << 10, HOST_SHARED = 256 << 10 };

static unsigned host_block, host_thread;
static char *host_shared;

static struct host_lane {
	enum host_state { HOST_NEW, HOST_AT_BARRIER, HOST_DONE } state;
	jmp_buf at;
} host_lanes[HOST_THREADS];

static jmp_buf host_main;
static char *host_stacks, *host_shared_end;
static const char *host_order = "";
static void (*host_body)(void **);
static void **host_params;

// Leaves the thread; it goes on when it is resumed.
static void host_wait(enum host_state state) {
	struct host_lane *l = &host_lanes[host_thread];
	l->state = state;
	if (!_setjmp(l->at)) _longjmp(host_main, 1);
}

static void barrier(void) { host_wait(HOST_AT_BARRIER); }

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
	switch (host_order[0]) {
	case 'b': return count - 1 - i;
	case 's': return (i * (count / 2 + 1) + count / 2) % count; // count is a multiple of 4
	}
	return i;
}

static const char *host_run_block(unsigned block, unsigned threads) {
	host_block = block;
	for (unsigned i = 0; i < threads; i++) host_lanes[i].state = HOST_NEW;
	do {
		for (unsigned i = 0; i < threads; i++) host_resume(host_nth(i, threads));
		for (unsigned i = 1; i < threads; i++)
			if (host_lanes[i].state != host_lanes[0].state) return "threads of a block do not come to the same barrier";
	} while (host_lanes[0].state != HOST_DONE);
	return NULL;
}

struct host_kernel {
	const char *name;
	unsigned threads, shared; // of a block; shared in bytes
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

static const char *host_launch(const struct host_kernel *k, unsigned blocks, unsigned threads, unsigned shared, void **params) {
	if (threads != k->threads) return "the kernel wants another number of threads";
	if (shared != k->shared) return "the kernel wants another size of shared memory";
	if (!host_prepare()) return "no memory for the threads of a block";
	const char *order = getenv("FAKE_CUDA_ORDER");
	host_order = order ? order : "";
	host_shared = host_shared_end - k->shared;
	host_body = k->body, host_params = params;
	for (unsigned i = 0; i < blocks; i++) {
		memset(host_shared, 0xff, k->shared); // NaN: what nobody wrote
		const char *fault = host_run_block(i, threads);
		if (fault) return fault;
	}
	return NULL;
}

#include "../sgemm/sgemm.c"

#define HOST_ENTRY(kernel) \
	static void host_##kernel(void **p) { \
		kernel(*(const float **)p[0], *(const float **)p[1], *(float **)p[2], *(unsigned *)p[3], *(unsigned *)p[4], *(unsigned *)p[5]); \
	}
HOST_ENTRY(sgemm_sm50)
HOST_ENTRY(sgemm_any_sm50)

static const struct host_kernel host_kernels[] = {
	{"sgemm_sm50", THREADS, 2 * STAGE * sizeof(float), host_sgemm_sm50},
	{"sgemm_any_sm50", THREADS, 2 * STAGE * sizeof(float), host_sgemm_any_sm50},
};

static const struct host_kernel *host_kernel_named(const char *name) {
	for (unsigned i = 0; i < sizeof host_kernels / sizeof host_kernels[0]; i++)
		if (!strcmp(host_kernels[i].name, name)) return &host_kernels[i];
	return NULL;
}
