/*
 * A libcuda.so.1 without a GPU, for tests. Built by internal/cuda/cudatest.
 *
 * FAKE_CUDA names the scenario, one to a process: a machine, or one that fails in
 * some way. FAKE_CUDA_LOG names a file for a line per thing that was made, freed,
 * copied or launched.
 *
 * It is strict where a driver is: a call before cuInit, on a thread without a
 * context, with a handle that was destroyed or a range that is not in one
 * allocation is an error. Work is done on the processor, by the kernels' own
 * sources, and as on a GPU later: a launch returns at once, and time passes while
 * somebody waits. How long is made up from the GPU's figures; so a rate that comes
 * out near those shows that the caller timed what it meant to.
 *
 * CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER work as in CUDA, by index and UUID.
 * Compiled with -DFAKE_OLD it lacks the functions that came after CUDA 10.
 */
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
#include "../kernels/src/host.c"
#include "fake_cuda.h"

#define API __attribute__((visibility("default")))

typedef int R;
typedef unsigned long long P;

enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, STUB = 34, DEVICE_UNAVAILABLE = 46,
       NO_DEVICE = 100, INVALID_DEVICE = 101, INVALID_CONTEXT = 201, INVALID_PTX = 218, UNSUPPORTED_PTX = 222,
       INVALID_HANDLE = 400, NOT_FOUND = 500, NOT_READY = 600, ILLEGAL_ADDRESS = 700, LAUNCH_FAILED = 719,
       NOT_READY_SYSTEM = 802, DRIVER_MISMATCH = 803, COMPAT = 804, UNKNOWN = 999 };

/* ---- machines ---- */

struct gpu {
	const char *name;
	char uuid[16];
	int pci, major, minor, sms, clock, memory_clock, bus, l2, ecc; /* kHz, kHz, bits, bytes */
	P mebibytes;
	int flops; /* fp32 in a clock of an SM */
};

/* Those of the fake NVML, and where they are on the bus. */
#define BYTES(a, b, c, d) (char)a, (char)b, (char)c, (char)d
static const struct gpu
	gtx1080ti = {"GeForce GTX 1080 Ti", {BYTES(0x1f, 0x0e, 0x7c, 0x11), [6] = 0x40, [8] = (char)0x80, [14] = 0x10, (char)0x80}, 0, 6, 1, 28, 1582000, 5505000, 352, 2816 << 10, 0, 11178, 256},
	rtx3090 = {"GeForce RTX 3090", {BYTES(0x2a, 0x3b, 0x7c, 0x22), [6] = 0x40, [8] = (char)0x80, [14] = 0x30, (char)0x90}, 0, 8, 6, 82, 1695000, 9751000, 384, 6 << 20, 0, 24268, 256},
	h100 = {"NVIDIA H100 80GB HBM3", {BYTES(0x90, 0, 0, 0), [6] = 0x40, [8] = (char)0x80, [14] = 1, 0}, 0, 9, 0, 132, 1980000, 2619000, 5120, 50 << 20, 1, 81559, 256};

struct machine {
	const char *scenario;
	int cuda, ptx, init; /* init: what cuInit returns */
	const struct gpu *gpus[8];
};

static const struct machine machines[] = {
	{"one", 12040, 84, SUCCESS, {&rtx3090}},
	{"two", 11020, 72, SUCCESS, {&gtx1080ti, &rtx3090}}, /* those of FAKE_NVML=two */
	{"modern", 13000, 90, SUCCESS, {&h100}},
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
	{"fragmented", 12040, 84, SUCCESS, {&rtx3090}},  /* memory is free, and not to be had above 1 MiB */
	{"wrong", 12040, 84, SUCCESS, {&rtx3090}},       /* results are wrong */
	{"fails", 12040, 84, SUCCESS, {&rtx3090}},       /* the first work fails, as on a GPU with a fault */
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
static R broken; /* the error that stays, once there is one */
static _Thread_local int current; /* the context of this thread: device + 1 */

struct allocation { P at, bytes; int device, host; };
static struct allocation allocations[SLOTS];

struct event { double at; int recorded, live; };
struct module { char *image; int live; };
struct kernel { const struct host_kernel *host; struct module *module; unsigned shared; };
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

/* The live allocation that holds a range of the device, or of the host; NULL if none does. */
static struct allocation *holds(P at, P bytes, int host)
{
	for (int i = 0; i < SLOTS; i++) {
		struct allocation *a = &allocations[i];
		if (a->at && a->host == host && (host || a->device == current) && at >= a->at && bytes <= a->bytes && at - a->at <= a->bytes - bytes)
			return a;
	}
	return NULL;
}

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
	return total() - 400ull * MIB - used(current); /* a context takes some */
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

/* ---- libcuda ---- */

static int faster(const void *a, const void *b)
{
	const struct gpu *g = *(const struct gpu *const *)a, *h = *(const struct gpu *const *)b;
	double x = flops_per_second(g), y = flops_per_second(h);
	return x == y ? (g > h) - (g < h) : (x < y) - (x > y);
}

/* matches tells whether an entry of CUDA_VISIBLE_DEVICES names a device. */
static int matches(const char *entry, int index, const struct gpu *g)
{
	char uuid[41] = "GPU-", *p = uuid + 4, *end;
	for (int i = 0; i < 16; i++)
		p += sprintf(p, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", (unsigned char)g->uuid[i]);
	if (!strncmp(entry, "GPU-", 4))
		return entry[4] && !strncmp(uuid, entry, strlen(entry));
	return strtol(entry, &end, 10) == index && end != entry && !*end;
}

static void see(void)
{
	const struct gpu *all[DEVICES];
	int n = 0;
	for (; n < DEVICES && machine()->gpus[n]; n++) {
		cards[n] = *machine()->gpus[n];
		cards[n].pci = 0x10 * (n + 1);
		if (n && machine()->gpus[n] == machine()->gpus[0])
			cards[n].uuid[3] = (char)n;
		all[n] = &cards[n];
	}
	const char *order = getenv("CUDA_DEVICE_ORDER"), *list = getenv("CUDA_VISIBLE_DEVICES");
	if (!order || strcmp(order, "PCI_BUS_ID"))
		qsort(all, n, sizeof *all, faster);
	if (!list) {
		memcpy(devices, all, sizeof all);
		visible = n;
		return;
	}
	char copy[256], *rest = copy, *entry;
	snprintf(copy, sizeof copy, "%s", list);
	while ((entry = strsep(&rest, ",")) && visible < DEVICES) {
		int i = 0;
		while (i < n && !matches(entry, i, all[i]))
			i++;
		if (i == n)
			return;
		devices[visible++] = all[i];
	}
}

API R cuInit(unsigned flags)
{
	if (flags)
		return INVALID_VALUE;
	if (is("hang"))
		for (;;)
			pause();
	if (is("crash"))
		raise(SIGSEGV);
	if (machine()->init)
		return machine()->init;
	LOCKED;
	if (!initialized)
		see();
	initialized = visible > 0;
	RETURN(initialized ? SUCCESS : NO_DEVICE);
}

API R cuDriverGetVersion(int *v) { *v = machine()->cuda; return SUCCESS; }

static const struct { R code; const char *name, *words; } errors[] = {
	{SUCCESS, "CUDA_SUCCESS", "no error"},
	{INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
	{OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
	{NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
	{STUB, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
	{DEVICE_UNAVAILABLE, "CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable"},
	{NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
	{INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
	{INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
	{INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
	{UNSUPPORTED_PTX, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."},
	{INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
	{NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
	{NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
	{ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
	{LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
	{NOT_READY_SYSTEM, "CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized"},
	{DRIVER_MISMATCH, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver / cuda driver combination"},
	{COMPAT, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", "forward compatibility was attempted on non supported HW"},
	{UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

static R text_of(R code, const char **text, int words)
{
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].code == code) {
			*text = words ? errors[i].words : errors[i].name;
			return SUCCESS;
		}
	*text = NULL;
	return INVALID_VALUE;
}

API R cuGetErrorName(R code, const char **text) { return text_of(code, text, 0); }
API R cuGetErrorString(R code, const char **text) { return text_of(code, text, 1); }

API R cuDeviceGetCount(int *n) { NEED_INIT; *n = visible; RETURN(SUCCESS); }

API R cuDeviceGet(int *d, int ordinal)
{
	NEED_INIT;
	if (ordinal < 0 || ordinal >= visible)
		RETURN(INVALID_DEVICE);
	*d = ordinal;
	RETURN(SUCCESS);
}

#define NEED_DEVICE(d) do { NEED_INIT; if ((d) < 0 || (d) >= visible) RETURN(INVALID_DEVICE); } while (0)

API R cuDeviceGetName(char *to, int n, int d)
{
	NEED_DEVICE(d);
	snprintf(to, n, "%s", devices[d]->name);
	RETURN(SUCCESS);
}

static R uuid(char *to, int d)
{
	NEED_DEVICE(d);
	memcpy(to, devices[d]->uuid, 16);
	RETURN(SUCCESS);
}

API R cuDeviceGetUuid(char *to, int d) { return uuid(to, d); }
#ifndef FAKE_OLD
API R cuDeviceGetUuid_v2(char *to, int d) { return uuid(to, d); }
#endif

API R cuDeviceGetPCIBusId(char *to, int n, int d)
{
	NEED_DEVICE(d);
	snprintf(to, n, "0000:%02X:00.0", devices[d]->pci);
	RETURN(SUCCESS);
}

API R cuDeviceTotalMem_v2(size_t *n, int d)
{
	NEED_DEVICE(d);
	*n = devices[d]->mebibytes * MIB;
	RETURN(SUCCESS);
}

API R cuDeviceGetAttribute(int *v, int attribute, int d)
{
	NEED_DEVICE(d);
	const struct gpu *g = devices[d];
	switch (attribute) {
	case 1: *v = 1024; break;
	case 8: *v = 48 << 10; break;
	case 10: *v = 32; break;
	case 12: case 82: *v = 65536; break;
	case 13: *v = g->clock; break;
	case 16: *v = g->sms; break;
	case 17: case 18: case 35: case 50: case 34: *v = 0; break;
	case 20: *v = is("taken") ? 3 : 0; break;
	case 32: *v = g->ecc; break;
	case 33: *v = g->pci; break;
	case 36: *v = g->memory_clock; break;
	case 37: *v = g->bus; break;
	case 38: *v = g->l2; break;
	case 39: *v = g->major == 8 ? 1536 : 2048; break;
	case 40: *v = 2; break;
	case 41: *v = 1; break;
	case 75: *v = g->major; break;
	case 76: *v = g->minor; break;
	case 81: *v = g->major == 9 ? 228 << 10 : g->major == 8 ? 100 << 10 : 96 << 10; break;
	case 97: *v = g->major == 9 ? 227 << 10 : g->major == 8 ? 99 << 10 : 48 << 10; break;
	default: RETURN(INVALID_VALUE);
	}
	RETURN(SUCCESS);
}

API R cuDevicePrimaryCtxRetain(void **context, int d)
{
	NEED_DEVICE(d);
	if (is("taken"))
		RETURN(DEVICE_UNAVAILABLE);
	retained[d]++;
	*context = (void *)(uintptr_t)(d + 1);
	fake_cuda_log("retain %d", d);
	RETURN(SUCCESS);
}

static R release(int d)
{
	NEED_DEVICE(d);
	if (!retained[d])
		RETURN(INVALID_CONTEXT);
	changed();
	if (!--retained[d]) { /* the context goes, and its memory with it */
		for (int i = 0; i < SLOTS; i++)
			if (allocations[i].at && !allocations[i].host && allocations[i].device == d + 1)
				give(&allocations[i]);
		broken = SUCCESS;
	}
	fake_cuda_log("release %d", d);
	RETURN(SUCCESS);
}

#ifdef FAKE_OLD
API R cuDevicePrimaryCtxRelease(int d) { return release(d); }
#else
API R cuDevicePrimaryCtxRelease_v2(int d) { return release(d); }
#endif

API R cuCtxSetCurrent(void *context)
{
	NEED_INIT;
	int n = (int)(uintptr_t)context;
	if (n < 0 || n > visible || (n && !retained[n - 1]))
		RETURN(INVALID_CONTEXT);
	current = n;
	RETURN(SUCCESS);
}

API R cuCtxSynchronize(void) { NEED_CONTEXT; RETURN(wait_until(busy_until)); }

API R cuMemGetInfo_v2(size_t *free_bytes, size_t *all)
{
	NEED_CONTEXT;
	*free_bytes = available(), *all = total();
	RETURN(SUCCESS);
}

API R cuMemAlloc_v2(P *to, size_t bytes) { NEED_CONTEXT; RETURN(allocate(to, bytes, 0)); }

API R cuMemHostAlloc(P *to, size_t bytes, unsigned flags)
{
	NEED_CONTEXT;
	if (flags & ~7u)
		RETURN(INVALID_VALUE);
	RETURN(allocate(to, bytes, 1));
}

static R give_back(P at, int host)
{
	struct allocation *a = holds(at, 1, host);
	if (!a || a->at != at)
		return INVALID_VALUE;
	changed();
	fake_cuda_log("%s %llu", host ? "hostfree" : "free", a->bytes);
	give(a);
	return SUCCESS;
}

API R cuMemFree_v2(P at) { NEED_CONTEXT; RETURN(at ? give_back(at, 0) : SUCCESS); }
API R cuMemFreeHost(P at) { NEED_CONTEXT; RETURN(give_back(at, 1)); }

/* copy moves bytes; on: the memory of the device that must hold them. */
static R copy(P to, P from, P bytes, double rate, int wait, const char *what)
{
	takes(5e-6 + bytes / rate);
	changed();
	memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
	fake_cuda_log("%s %llu", what, bytes);
	return wait ? wait_until(busy_until) : SUCCESS;
}

API R cuMemcpyHtoD_v2(P to, P from, size_t bytes)
{
	NEED_CONTEXT;
	RETURN(holds(to, bytes, 0) ? copy(to, from, bytes, PCIE * 0.5e9, 1, "upload") : INVALID_VALUE);
}

API R cuMemcpyDtoH_v2(P to, P from, size_t bytes)
{
	NEED_CONTEXT;
	RETURN(holds(from, bytes, 0) ? copy(to, from, bytes, PCIE * 0.5e9, 1, "download") : INVALID_VALUE);
}

/* With page-locked memory a copy is behind what is done; with other memory somebody waits. */
API R cuMemcpyHtoDAsync_v2(P to, P from, size_t bytes, void *stream)
{
	NEED_CONTEXT;
	if (stream || !holds(to, bytes, 0))
		RETURN(INVALID_VALUE);
	int locked = holds(from, bytes, 1) != NULL;
	RETURN(copy(to, from, bytes, PCIE * (locked ? 1e9 : 0.5e9), !locked, "upload"));
}

API R cuMemcpyDtoHAsync_v2(P to, P from, size_t bytes, void *stream)
{
	NEED_CONTEXT;
	if (stream || !holds(from, bytes, 0))
		RETURN(INVALID_VALUE);
	int locked = holds(to, bytes, 1) != NULL;
	RETURN(copy(to, from, bytes, PCIE * (locked ? 1e9 : 0.5e9), !locked, "download"));
}

API R cuMemcpyDtoDAsync_v2(P to, P from, size_t bytes, void *stream)
{
	NEED_CONTEXT;
	if (stream || !holds(to, bytes, 0) || !holds(from, bytes, 0))
		RETURN(INVALID_VALUE);
	/* read and written: twice the traffic */
	RETURN(copy(to, from, bytes, 0.45 * bytes_per_second(devices[current - 1]), 0, "copy"));
}

API R cuMemsetD8Async(P to, unsigned char value, size_t bytes, void *stream)
{
	NEED_CONTEXT;
	if (stream || !holds(to, bytes, 0))
		RETURN(INVALID_VALUE);
	changed();
	memset((void *)(uintptr_t)to, value, bytes);
	takes(5e-6 + bytes / bytes_per_second(devices[current - 1]));
	RETURN(SUCCESS);
}

/* ---- events; a handle is the address of one ---- */

static int is_event(const struct event *e) { return e >= events && e < events + SLOTS && e->live; }

API R cuEventCreate(struct event **to, unsigned flags)
{
	NEED_CONTEXT;
	if (flags & ~7u)
		RETURN(INVALID_VALUE);
	for (int i = 0; i < SLOTS; i++)
		if (!events[i].live) {
			events[i] = (struct event){0, 0, 1};
			*to = &events[i];
			fake_cuda_log("event");
			RETURN(SUCCESS);
		}
	RETURN(OUT_OF_MEMORY);
}

API R cuEventRecord(struct event *e, void *stream)
{
	NEED_CONTEXT;
	if (stream || !is_event(e))
		RETURN(INVALID_HANDLE);
	takes(0);
	e->at = busy_until, e->recorded = 1;
	RETURN(SUCCESS);
}

API R cuEventQuery(struct event *e)
{
	NEED_CONTEXT;
	if (!is_event(e))
		RETURN(INVALID_HANDLE);
	RETURN(e->recorded && e->at > now() ? NOT_READY : SUCCESS);
}

API R cuEventSynchronize(struct event *e)
{
	NEED_CONTEXT;
	if (!is_event(e))
		RETURN(INVALID_HANDLE);
	RETURN(e->recorded ? wait_until(e->at) : SUCCESS);
}

API R cuEventElapsedTime(float *milliseconds, struct event *start, struct event *end)
{
	NEED_CONTEXT;
	if (!is_event(start) || !is_event(end) || !start->recorded || !end->recorded)
		RETURN(INVALID_HANDLE);
	if (start->at > now() || end->at > now())
		RETURN(NOT_READY);
	*milliseconds = (float)((end->at - start->at) * 1e3);
	RETURN(SUCCESS);
}

API R cuEventDestroy_v2(struct event *e)
{
	NEED_CONTEXT;
	if (!is_event(e))
		RETURN(INVALID_HANDLE);
	e->live = 0;
	fake_cuda_log("eventdestroy");
	RETURN(SUCCESS);
}

/* ---- modules ---- */

/* fault_of tells what the driver's compiler would say of an image, which is PTX or is refused. */
static R fault_of(const char *image, const char **words)
{
	int major, minor, sm;
	const char *version = strstr(image, ".version "), *target = strstr(image, ".target sm_");
	const struct gpu *g = devices[current - 1];
	if (!version || sscanf(version, ".version %d.%d", &major, &minor) != 2 || !target || sscanf(target, ".target sm_%d", &sm) != 1 || !strstr(image, ".entry ")) {
		*words = "ptxas application ptx input, line 1; fatal   : Missing .version directive at start of file";
		return INVALID_PTX;
	}
	if (major * 10 + minor > machine()->ptx) {
		*words = "ptxas application ptx input, line 9; fatal   : Unsupported .version";
		return UNSUPPORTED_PTX;
	}
	if (sm > g->major * 10 + g->minor) {
		*words = "ptxas application ptx input, line 10; fatal   : SM version specified by .target is higher than default SM version assumed";
		return INVALID_PTX;
	}
	return SUCCESS;
}

API R cuModuleLoadDataEx(struct module **to, const char *image, unsigned n, const int *options, void **values)
{
	NEED_CONTEXT;
	char *log = NULL;
	size_t size = 0;
	for (unsigned i = 0; i < n; i++) {
		if (options[i] == 5)
			log = values[i];
		if (options[i] == 6)
			size = (size_t)(uintptr_t)values[i];
	}
	const char *words = "";
	R r = fault_of(image, &words);
	if (log && size)
		snprintf(log, size, "%s", words);
	if (r)
		RETURN(r);
	for (int i = 0; i < SLOTS; i++)
		if (!modules[i].live) {
			modules[i] = (struct module){strdup(image), 1};
			*to = &modules[i];
			fake_cuda_log("module");
			RETURN(SUCCESS);
		}
	RETURN(OUT_OF_MEMORY);
}

static int is_module(const struct module *m) { return m >= modules && m < modules + SLOTS && m->live; }

API R cuModuleUnload(struct module *m)
{
	NEED_CONTEXT;
	if (!is_module(m))
		RETURN(INVALID_HANDLE);
	for (int i = 0; i < SLOTS; i++)
		if (kernels[i].module == m)
			kernels[i] = (struct kernel){0};
	free(m->image);
	m->live = 0;
	fake_cuda_log("unload");
	RETURN(SUCCESS);
}

API R cuModuleGetFunction(struct kernel **to, struct module *m, const char *name)
{
	NEED_CONTEXT;
	if (!is_module(m))
		RETURN(INVALID_HANDLE);
	char entry[128];
	int length = snprintf(entry, sizeof entry, ".entry %s", name);
	const char *found = strstr(m->image, entry);
	if (!found || !strchr("( \n", found[length]))
		RETURN(NOT_FOUND);
	const struct host_kernel *host = host_kernel_named(name);
	if (!host)
		fprintf(stderr, "fake CUDA: the image has a kernel %s, and the processor has none\n", name);
	for (int i = 0; host && i < SLOTS; i++)
		if (!kernels[i].module) {
			kernels[i] = (struct kernel){host, m, 48 << 10};
			*to = &kernels[i];
			RETURN(SUCCESS);
		}
	RETURN(NOT_FOUND);
}

/* The parameters of an entry stand in parentheses after its name: .param .u64 name_param_0. */
#ifndef FAKE_OLD
API R cuFuncGetParamInfo(struct kernel *k, size_t index, size_t *offset, size_t *size)
{
	NEED_CONTEXT;
	if (!k->module)
		RETURN(INVALID_HANDLE);
	char entry[128];
	snprintf(entry, sizeof entry, ".entry %s(", k->host->name);
	const char *p = strstr(k->module->image, entry), *end = p ? strchr(p, ')') : NULL;
	*offset = 0;
	for (size_t i = 0; p && (p = strstr(p, ".param ")) && p < end; i++) {
		p += strlen(".param ");
		size_t bytes = strtoul(p + 2, NULL, 10) / 8; /* .u64 */
		*offset = (*offset + bytes - 1) / bytes * bytes;
		if (i == index) {
			*size = bytes;
			RETURN(SUCCESS);
		}
		*offset += bytes;
	}
	RETURN(INVALID_VALUE);
}
#endif

static int is_kernel(const struct kernel *k) { return k >= kernels && k < kernels + SLOTS && k->module; }

API R cuFuncGetAttribute(int *v, int attribute, struct kernel *k)
{
	NEED_CONTEXT;
	if (!is_kernel(k))
		RETURN(INVALID_HANDLE);
	if (attribute != 0)
		RETURN(INVALID_VALUE);
	*v = k->host->threads;
	RETURN(SUCCESS);
}

API R cuFuncSetAttribute(struct kernel *k, int attribute, int value)
{
	int most;
	R r = cuDeviceGetAttribute(&most, 97, current - 1);
	if (r)
		return r;
	NEED_CONTEXT;
	if (!is_kernel(k))
		RETURN(INVALID_HANDLE);
	if (attribute != 8 || value < 0 || value > most)
		RETURN(INVALID_VALUE);
	k->shared = value;
	RETURN(SUCCESS);
}

/* All our kernels multiply: (a, b, c, m, n, k). */
struct launch { const struct host_kernel *kernel; unsigned blocks, threads, shared, m, n, k; P a, b, c; };

static const char *run(const void *arguments)
{
	struct launch l;
	memcpy(&l, arguments, sizeof l);
	void *parameters[] = {&l.a, &l.b, &l.c, &l.m, &l.n, &l.k};
	return host_launch(l.kernel, l.blocks, l.threads, l.shared, parameters);
}

API R cuLaunchKernel(struct kernel *k, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                     unsigned shared, void *stream, void **parameters, void **extra)
{
	NEED_CONTEXT;
	if (!is_kernel(k))
		RETURN(INVALID_HANDLE);
	if (stream || extra || gy != 1 || gz != 1 || by != 1 || bz != 1 || !gx || !bx || bx > 1024 || shared > k->shared)
		RETURN(INVALID_VALUE);
	struct launch l;
	memset(&l, 0, sizeof l); /* what is between the fields is compared, too */
	l.kernel = k->host, l.blocks = gx, l.threads = bx, l.shared = shared;
	l.a = *(P *)parameters[0], l.b = *(P *)parameters[1], l.c = *(P *)parameters[2];
	l.m = *(unsigned *)parameters[3], l.n = *(unsigned *)parameters[4], l.k = *(unsigned *)parameters[5];
	P size = strncmp(k->host->name, "sgemm", 5) && !strstr(k->host->name, "tf32") ? 2 : 4; /* of an element */
	struct work w;
	memset(&w, 0, sizeof w);
	w.run = run, w.flops = 2.0 * l.m * l.n * l.k;
	memcpy(w.arguments, &l, sizeof l);
	w.reads[0] = (struct span){l.a, size * l.m * l.k};
	w.reads[1] = (struct span){l.b, size * l.k * l.n};
	w.writes = (struct span){l.c, size * l.m * l.n};
	fake_cuda_log("launch %s %u", k->host->name, gx);
	RETURN(submit(&w));
}
