// Holds a kernel's accesses to shared memory against two rules:
//
//   - Of two threads that touch the same bytes, one of them writing, one does it
//     before a barrier and the other after. Whatever the order was this time.
//   - The lanes of a warp that are served at once touch different banks, or the
//     same word: 32 lanes at 4 bytes or less, 16 at 8, 8 at 16. There are 32 banks
//     of 4 bytes, https://docs.nvidia.com/cuda/cuda-c-programming-guide/, "Shared
//     Memory" of each compute capability. Not looked at with RACES_ONLY in the
//     environment: for wmma, whose lanes here are not those of a GPU, and for
//     matrices whose elements are fetched one by one.
//
// The accesses come from the kernel itself: check.c is compiled with
// -fsanitize=thread, whose calls to a run time end up here.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum event { READ, WRITE, WARP_BARRIER, BLOCK_BARRIER, BLOCK_BEGINS };
enum { SHARED = 256 << 10, THREADS = 1024, ACCESSES = 1 << 14 };

extern char *host_shared;
extern unsigned host_thread;

static unsigned phase, warp_phase[THREADS], shared; // bytes

// Who touched a byte last, and when.
static struct byte {
	struct touch { unsigned thread, phase, warp_phase; } wrote, read, read_too; // two readers, for one may be the writer
} bytes[SHARED];

// The accesses of a thread since the last barrier.
static struct access { unsigned at, bytes; } accesses[THREADS][ACCESSES];
static unsigned count[THREADS];

static void fail(const char *what, unsigned at, unsigned by, unsigned other) {
	printf("%s: byte %u of shared memory, threads %u and %u, phase %u\n", what, at, by, other, phase);
	exit(4);
}

static int races(const struct touch *t) {
	if (t->phase != phase || t->thread == host_thread) return 0;
	return t->thread / 32 != host_thread / 32 || t->warp_phase == warp_phase[host_thread];
}

static void touch(unsigned at, int write) {
	struct byte *b = &bytes[at];
	struct touch now = {host_thread, phase, warp_phase[host_thread]};
	if (races(&b->wrote)) fail("no barrier after a write", at, host_thread, b->wrote.thread);
	if (write && races(&b->read)) fail("no barrier after a read", at, host_thread, b->read.thread);
	if (write && races(&b->read_too)) fail("no barrier after a read", at, host_thread, b->read_too.thread);
	if (write) b->wrote = now;
	else if (b->read.thread != host_thread) b->read_too = b->read, b->read = now;
	else b->read = now;
}

// How many times as long lanes take than without conflicts.
static unsigned conflict(unsigned first, unsigned lanes, unsigned n) {
	unsigned words[32][32], filled[32] = {0}, most = 0;
	for (unsigned i = first; i < first + lanes; i++) {
		struct access a = accesses[i][n];
		for (unsigned word = a.at / 4; word <= (a.at + a.bytes - 1) / 4; word++) {
			unsigned bank = word % 32, j = 0;
			while (j < filled[bank] && words[bank][j] != word) j++;
			if (j == filled[bank]) words[bank][filled[bank]++] = word;
			if (filled[bank] > most) most = filled[bank];
		}
	}
	return most;
}

// Lanes come by the same way, so the nth access of each is one instruction.
static void banks(unsigned warp) {
	if (getenv("RACES_ONLY")) return;
	for (unsigned i = 1; i < 32; i++)
		if (count[warp + i] != count[warp]) return;
	for (unsigned n = 0; n < count[warp]; n++) {
		unsigned size = accesses[warp][n].bytes, lanes = size <= 4 ? 32 : 128 / size;
		for (unsigned first = warp; first < warp + 32; first += lanes)
			if (conflict(first, lanes, n) > 1) fail("bank conflict", accesses[first][n].at, first, first + lanes - 1);
	}
}

void trace(int event, const void *address, unsigned size) {
	uintptr_t at = (uintptr_t)address - (uintptr_t)host_shared;
	switch (event) {
	case READ: case WRITE:
		if (at >= shared) return;
		for (unsigned i = 0; i < size; i++) touch((unsigned)at + i, event == WRITE);
		if (count[host_thread] < ACCESSES) accesses[host_thread][count[host_thread]++] = (struct access){(unsigned)at, size};
		return;
	case WARP_BARRIER:
		warp_phase[host_thread]++;
		return;
	case BLOCK_BEGINS:
		phase++, shared = size;
		memset(count, 0, sizeof count);
		return;
	case BLOCK_BARRIER:
		phase++;
		for (unsigned warp = 0; warp < THREADS; warp += 32) banks(warp);
		memset(count, 0, sizeof count);
	}
}

#define ACCESS(n) \
	void __tsan_read##n(void *p) { trace(READ, p, n); } \
	void __tsan_write##n(void *p) { trace(WRITE, p, n); } \
	void __tsan_unaligned_read##n(void *p) { trace(READ, p, n); } \
	void __tsan_unaligned_write##n(void *p) { trace(WRITE, p, n); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
void __tsan_read_range(void *p, size_t n) { trace(READ, p, (unsigned)n); }
void __tsan_write_range(void *p, size_t n) { trace(WRITE, p, (unsigned)n); }
void __tsan_init(void) {}
void __tsan_func_entry(void *p) { (void)p; }
void __tsan_func_exit(void) {}

// clang has calls for these, too; host.c tells of those that count.
void *__tsan_memset(void *to, int v, size_t n) { return memset(to, v, n); }
void *__tsan_memcpy(void *to, const void *from, size_t n) { return memcpy(to, from, n); }
void *__tsan_memmove(void *to, const void *from, size_t n) { return memmove(to, from, n); }
