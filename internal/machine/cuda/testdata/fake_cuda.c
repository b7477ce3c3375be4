/*
 * A libcuda.so.1 without a GPU, for tests. Built by internal/machine/cuda/cudatest.
 *
 * FAKE_CUDA names the scenario, one to a process: a machine, or one that fails in
 * some way. FAKE_CUDA_LOG names a file for a line per thing that was made, freed,
 * copied or launched. FAKE_CUDA_FREE limits the free memory of each GPU, in MiB,
 * and with it the size of copies, which a CPU takes long for.
 *
 * It is strict where a driver is: a call before cuInit, on a thread without a
 * context, with a handle that was destroyed or a range that is not in one
 * allocation is an error. Work is done on the CPU, by the kernel's own
 * source, and as on a GPU later: a launch returns at once, and time passes while
 * somebody waits. How long is made up from the GPU's figures; so a rate that comes
 * out near those shows that the caller timed what it meant to.
 *
 * CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER work as in CUDA, by index and UUID.
 * Compiled with -DFAKE_OLD it lacks the functions that came after CUDA 10.
 */
#include "fake_gpu.h"

/* ---- devices ---- */

static int faster(const void *a, const void *b)
{
	const struct gpu *g = *(const struct gpu *const *)a, *h = *(const struct gpu *const *)b;
	double x = flops_per_second(g), y = flops_per_second(h);
	return x == y ? (g > h) - (g < h) : (x < y) - (x > y);
}

/* matches reports whether an entry of CUDA_VISIBLE_DEVICES names a device. */
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
	case 18: *v = g->integrated; break;
	case 17: case 35: case 50: case 34: *v = 0; break;
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

/* GPUs of one kind access each other. */
API R cuDeviceCanAccessPeer(int *can, int device, int other)
{
	NEED_INIT;
	if (device < 0 || device >= visible || other < 0 || other >= visible)
		RETURN(INVALID_DEVICE);
	*can = device != other && !strcmp(devices[device]->name, devices[other]->name);
	RETURN(SUCCESS);
}

static R access_peer(void *context, int on)
{
	int can, other = (int)(uintptr_t)context - 1;
	R r = cuDeviceCanAccessPeer(&can, current - 1, other);
	if (r || !can)
		return r ? r : PEER_UNSUPPORTED;
	NEED_CONTEXT;
	if (!retained[other] || peers[current - 1][other] == on)
		RETURN(!retained[other] ? INVALID_CONTEXT : on ? PEER_ENABLED : PEER_NOT_ENABLED);
	peers[current - 1][other] = on;
	fake_cuda_log(on ? "peer" : "unpeer");
	RETURN(SUCCESS);
}

API R cuCtxEnablePeerAccess(void *context, unsigned flags) { return flags ? INVALID_VALUE : access_peer(context, 1); }
API R cuCtxDisablePeerAccess(void *context) { return access_peer(context, 0); }

/* A copy between two devices, which goes through the host unless one may access the other. */
API R cuMemcpyPeerAsync(P to, void *to_context, P from, void *from_context, size_t bytes, void *stream)
{
	NEED_CONTEXT;
	int there = (int)(uintptr_t)to_context, here = (int)(uintptr_t)from_context;
	if (stream || !holds_on(there, to, bytes, 0) || !holds_on(here, from, bytes, 0))
		RETURN(INVALID_VALUE);
	R r = copy(to, from, bytes, peers[current - 1][(there == current ? here : there) - 1] ? 50e9 : 0.4 * PCIE * 1e9, 0, "peercopy");
	if (is("wrong-peer") && here == 2)
		((unsigned char *)(uintptr_t)to)[bytes - 1] ^= 1;
	RETURN(r);
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
			kernels[i] = (struct kernel){host, m};
			*to = &kernels[i];
			RETURN(SUCCESS);
		}
	RETURN(NOT_FOUND);
}

static int is_kernel(const struct kernel *k) { return k >= kernels && k < kernels + SLOTS && k->module; }

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
	if (stream || extra || gy != 1 || gz != 1 || by != 1 || bz != 1 || !gx || !bx || bx > 1024 || shared > 48 << 10)
		RETURN(INVALID_VALUE);
	struct launch l;
	memset(&l, 0, sizeof l); /* what is between the fields is compared, too */
	l.kernel = k->host, l.blocks = gx, l.threads = bx, l.shared = shared;
	l.a = *(P *)parameters[0], l.b = *(P *)parameters[1], l.c = *(P *)parameters[2];
	l.m = *(unsigned *)parameters[3], l.n = *(unsigned *)parameters[4], l.k = *(unsigned *)parameters[5];
	struct work w;
	memset(&w, 0, sizeof w);
	w.run = run, w.flops = 2.0 * l.m * l.n * l.k;
	memcpy(w.arguments, &l, sizeof l);
	w.reads[0] = (struct span){l.a, 4ull * l.m * l.k};
	w.reads[1] = (struct span){l.b, 4ull * l.k * l.n};
	w.writes = (struct span){l.c, 4ull * l.m * l.n};
	fake_cuda_log("launch %s %u", k->host->name, gx);
	RETURN(submit(&w));
}
