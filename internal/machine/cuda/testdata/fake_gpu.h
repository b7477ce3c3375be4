/*
 * The GPUs behind the fake libcuda: what machines there are, how they fail, their
 * memory, their work and the time it takes. A part of fake_cuda.c.
 */
#pragma once
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "host.c"
#include "fake_cuda.h"

#define API __attribute__((visibility("default")))

typedef int R;
typedef unsigned long long P;

enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, STUB = 34, DEVICE_UNAVAILABLE = 46,
       NO_DEVICE = 100, INVALID_DEVICE = 101, INVALID_CONTEXT = 201, INVALID_PTX = 218, UNSUPPORTED_PTX = 222,
       INVALID_HANDLE = 400, NOT_FOUND = 500, NOT_READY = 600, ILLEGAL_ADDRESS = 700, PEER_ENABLED = 704, PEER_NOT_ENABLED = 705, PEER_UNSUPPORTED = 217, LAUNCH_FAILED = 719,
       NOT_READY_SYSTEM = 802, DRIVER_MISMATCH = 803, COMPAT = 804, UNKNOWN = 999 };

/* ---- machines ---- */

struct gpu {
	const char *name;
	char uuid[16];
	int pci, major, minor, sms, clock, memory_clock, bus, l2, ecc; /* kHz, kHz, bits, bytes */
	P mebibytes;
	int flops; /* fp32 in a clock of an SM */
	int integrated; /* its memory is the CPU's */
};

/* Those of the fake NVML, and where they are on the bus. */
#define BYTES(a, b, c, d) (char)a, (char)b, (char)c, (char)d
static const struct gpu
	gtx1080ti = {"GeForce GTX 1080 Ti", {BYTES(0x1f, 0x0e, 0x7c, 0x11), [6] = 0x40, [8] = (char)0x80, [14] = 0x10, (char)0x80}, 0, 6, 1, 28, 1582000, 5505000, 352, 2816 << 10, 0, 11178, 256},
	rtx3090 = {"GeForce RTX 3090", {BYTES(0x2a, 0x3b, 0x7c, 0x22), [6] = 0x40, [8] = (char)0x80, [14] = 0x30, (char)0x90}, 0, 8, 6, 82, 1695000, 9751000, 384, 6 << 20, 0, 24268, 256},
	h100 = {"NVIDIA H100 80GB HBM3", {BYTES(0x90, 0, 0, 0), [6] = 0x40, [8] = (char)0x80, [14] = 1, 0}, 0, 9, 0, 132, 1980000, 2619000, 5120, 50 << 20, 1, 81559, 256},
	gb10 = {"NVIDIA GB10", {BYTES(0xb1, 0, 0, 0), [6] = 0x40, [8] = (char)0x80, [14] = 1, 0}, 0, 12, 1, 48, 2418000, 8533000, 256, 24 << 20, 0, 122502, 256, 1};

struct machine {
	const char *scenario;
	int cuda, ptx, init; /* init: what cuInit returns */
	const struct gpu *gpus[8];
};

static const struct machine machines[] = {
	{"one", 12040, 84, SUCCESS, {&rtx3090}},
	{"two", 11020, 72, SUCCESS, {&gtx1080ti, &rtx3090}}, /* those of FAKE_NVML=two */
	{"modern", 13000, 90, SUCCESS, {&h100}},
	{"spark", 13000, 90, SUCCESS, {&gb10}},
	{"none", 12040, 84, NO_DEVICE, {0}},
	{"not-ready", 12040, 84, NOT_READY_SYSTEM, {0}},
	{"mismatch", 12040, 84, DRIVER_MISMATCH, {0}},
	{"compat", 12040, 84, COMPAT, {0}},
	{"stub", 12040, 84, STUB, {0}},
	{"unknown", 12040, 84, UNKNOWN, {0}},
	{"hang", 12040, 84, SUCCESS, {&rtx3090}},        /* in cuInit */
	{"hang-late", 12040, 84, SUCCESS, {&rtx3090}},   /* in whatever waits for the GPU */
	{"crash", 12040, 84, SUCCESS, {&rtx3090}},       /* in cuInit */
	{"crash-late", 12040, 84, SUCCESS, {&rtx3090}},  /* in the first work */
	{"crash-second", 11020, 72, SUCCESS, {&gtx1080ti, &rtx3090}}, /* in the first work on the second GPU */
	{"hang-second", 11020, 72, SUCCESS, {&gtx1080ti, &rtx3090}},
	{"taken", 12040, 84, SUCCESS, {&rtx3090}},       /* another process has the GPU for itself */
	{"full", 12040, 84, SUCCESS, {&rtx3090}},        /* 1 MiB is free */
	{"nearly-full", 13000, 90, SUCCESS, {&h100}},    /* 300 MiB are free */
	{"fragmented", 12040, 84, SUCCESS, {&rtx3090}},  /* memory is free, and not to be had above 1 MiB */
	{"wrong", 12040, 84, SUCCESS, {&rtx3090}},       /* results are wrong */
	{"fails", 12040, 84, SUCCESS, {&rtx3090}},       /* the first work fails, as on a GPU with a fault */
	{"wrong-peer", 12040, 84, SUCCESS, {&rtx3090, &rtx3090}}, /* copies from the second to the first GPU are wrong */
	{"node", 12080, 87, SUCCESS, {&h100, &h100, &h100, &h100, &h100, &h100, &h100, &h100}},
};

static const struct machine *machine(void)
{
	const char *s = getenv("FAKE_CUDA");
	for (size_t i = 0; s && i < sizeof machines / sizeof *machines; i++)
		if (!strcmp(s, machines[i].scenario))
			return &machines[i];
	fprintf(stderr, "fake CUDA: no scenario %s\n", s ? s : "is named");
	_exit(3);
}

static int is(const char *scenario) { return !strcmp(machine()->scenario, scenario); }

API void fake_cuda_log(const char *format, ...)
{
	const char *path = getenv("FAKE_CUDA_LOG");
	int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
	if (file < 0)
		return;
	va_list arguments;
	va_start(arguments, format);
	char line[256];
	int n = vsnprintf(line, sizeof line - 1, format, arguments);
	va_end(arguments);
	line[n++] = '\n';
	if (write(file, line, n) != n)
		abort();
	close(file);
}

/* ---- state; NVIDIA's may be called from any thread, so a lock is around it ---- */

enum { DEVICES = 8, SLOTS = 4096, MIB = 1 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int initialized, visible;
static struct gpu cards[DEVICES];          /* by their place on the bus */
static const struct gpu *devices[DEVICES]; /* as CUDA shows them */
static int retained[DEVICES];
static int peers[DEVICES][DEVICES]; /* who may access whom */
static R broken; /* the error that stays, once there is one */
static _Thread_local int current; /* the context of this thread: device + 1 */

struct allocation { P at, bytes; int device, host; };
static struct allocation allocations[SLOTS];

struct event { double at; int recorded, live; };
struct module { char *image; int live; };
struct kernel { const struct host_kernel *host; struct module *module; };
static struct event events[SLOTS];
static struct module modules[SLOTS];
static struct kernel kernels[SLOTS];

#define LOCKED pthread_mutex_lock(&lock)
#define RETURN(r) do { R result_ = (r); pthread_mutex_unlock(&lock); return result_; } while (0)
#define NEED_INIT do { LOCKED; if (!initialized) RETURN(NOT_INITIALIZED); } while (0)
#define NEED_CONTEXT do { NEED_INIT; if (!current) RETURN(INVALID_CONTEXT); if (broken) RETURN(broken); } while (0)

/* ---- time ---- */

static double busy_until; /* seconds of the machine's clock */

static double now(void)
{
	struct timespec s;
	clock_gettime(CLOCK_MONOTONIC, &s);
	return s.tv_sec + s.tv_nsec * 1e-9;
}

static void takes(double seconds)
{
	double start = now();
	busy_until = (busy_until > start ? busy_until : start) + seconds;
}

static double bytes_per_second(const struct gpu *g) { return 2e3 * g->memory_clock * g->bus / 8; }
static double flops_per_second(const struct gpu *g) { return 1e3 * g->clock * g->sms * g->flops; }
enum { PCIE = 12 }; /* GB/s */

/* ---- memory ---- */

/* The live allocation that holds a range of a device, or of the host; NULL if none does. */
static struct allocation *holds_on(int device, P at, P bytes, int host)
{
	for (int i = 0; i < SLOTS; i++) {
		struct allocation *a = &allocations[i];
		if (a->at && a->host == host && (host || a->device == device) && at >= a->at && bytes <= a->bytes && at - a->at <= a->bytes - bytes)
			return a;
	}
	return NULL;
}

static struct allocation *holds(P at, P bytes, int host) { return holds_on(current, at, bytes, host); }

/* Memory that ends, to 256 bytes, with a page that nobody may touch. */
static P take(P bytes)
{
	P page = sysconf(_SC_PAGESIZE), whole = (bytes + 255) / 256 * 256, room = (whole + page - 1) / page * page;
	char *p = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED || mprotect(p + room, page, PROT_NONE))
		return 0;
	return (P)(uintptr_t)(p + room - whole);
}

static void give(struct allocation *a)
{
	P page = sysconf(_SC_PAGESIZE), start = a->at / page * page;
	munmap((void *)(uintptr_t)start, a->at - start + (a->bytes + 255) / 256 * 256 + page);
	a->at = 0;
}

static P used(int device)
{
	P n = 0;
	for (int i = 0; i < SLOTS; i++)
		if (allocations[i].at && !allocations[i].host && allocations[i].device == device)
			n += allocations[i].bytes;
	return n;
}

static P total(void) { return devices[current - 1]->mebibytes * MIB; }

static P available(void)
{
	if (is("full"))
		return MIB > used(current) ? MIB - used(current) : 0;
	const char *free_mebibytes = getenv("FAKE_CUDA_FREE");
	P all = is("nearly-full") ? 700ull * MIB : free_mebibytes ? (400ull + atoi(free_mebibytes)) * MIB : total();
	return all - 400ull * MIB - used(current); /* a context takes some */
}

static R allocate(P *to, P bytes, int host)
{
	if (!bytes || !to)
		return INVALID_VALUE;
	if (!host && (bytes > available() || (is("fragmented") && bytes > MIB)))
		return OUT_OF_MEMORY;
	for (int i = 0; i < SLOTS; i++)
		if (!allocations[i].at) {
			P at = take(bytes);
			if (!at)
				return OUT_OF_MEMORY;
			memset((void *)(uintptr_t)at, 0x7f, bytes < 4096 ? bytes : 4096); /* nobody said that it is cleared */
			allocations[i] = (struct allocation){at, bytes, host ? 0 : current, host};
			*to = at;
			fake_cuda_log("%s %llu", host ? "hostalloc" : "alloc", bytes);
			return SUCCESS;
		}
	return OUT_OF_MEMORY;
}

/* ---- work ---- */

static struct work pending, done;
static int is_pending, is_done; /* is_done: nothing it read was changed since */

static void finish(void)
{
	if (!is_pending)
		return;
	is_pending = 0;
	if (is_done && !memcmp(&done, &pending, sizeof done))
		return; /* the same on the same: the result is there */
	const char *fault = pending.run(pending.arguments);
	if (fault) {
		fprintf(stderr, "fake CUDA: %s\n", fault);
		broken = LAUNCH_FAILED;
		return;
	}
	if (is("wrong"))
		for (P i = 0; i < pending.writes.bytes; i += 2) /* a high bit of each mantissa, whatever the type */
			((unsigned char *)(uintptr_t)pending.writes.at)[i] ^= 0x40;
	done = pending, is_done = 1;
}

/* changed says that memory was written from outside. */
static void changed(void)
{
	finish();
	is_done = 0;
}

static R submit(const struct work *w)
{
	if (is("crash-late") || (is("crash-second") && current == 2))
		raise(SIGSEGV);
	if (is("fails"))
		broken = LAUNCH_FAILED;
	const struct span *spans[] = {&w->reads[0], &w->reads[1], &w->writes};
	for (int i = 0; i < 3; i++)
		if (!holds(spans[i]->at, spans[i]->bytes, 0))
			broken = ILLEGAL_ADDRESS;
	if (broken)
		return SUCCESS; /* whoever waits for it hears of it */
	if (is_pending && memcmp(&pending, w, sizeof *w))
		finish();
	pending = *w, is_pending = 1;
	takes(2e-6 + w->flops / (0.8 * flops_per_second(devices[current - 1])));
	return SUCCESS;
}

API R fake_cuda_submit(const struct work *w) { NEED_CONTEXT; RETURN(submit(w)); }
API int fake_cuda_current(void) { return current; }

/* wait_until waits for a time of the GPU's; the lock is not held meanwhile. */
static R wait_until(double time)
{
	if (is("hang-late") || (is("hang-second") && current == 2))
		for (;;)
			pause();
	finish();
	pthread_mutex_unlock(&lock);
	for (double left; (left = time - now()) > 0;) {
		struct timespec s = {(time_t)left, (long)((left - (time_t)left) * 1e9)};
		nanosleep(&s, NULL);
	}
	LOCKED;
	return broken;
}
