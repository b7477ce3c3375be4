/*
 * A libnvidia-ml.so.1 without a driver, for the tests of this package.
 *
 * FAKE_NVML names the scenario, one to a process. Built with -DFAKE_OLD it has
 * only the oldest functions, by their first names; with -DFAKE_460 it lacks those
 * that came after driver 460.
 *
 * FAKE_USED is how many percent of its time each GPU works for other processes, FAKE_MODE its
 * compute mode, FAKE_FREE how many MiB of its memory are free, FAKE_SLOW how many
 * milliseconds it takes to wake.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUCCESS = 0, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, NO_PERMISSION = 4,
       DRIVER_NOT_LOADED = 9, GPU_IS_LOST = 15, RESET_REQUIRED = 16, VERSION_MISMATCH = 18, UNKNOWN = 999 };

#include "fake_readings.h"

struct machine {
	const char *scenario, *driver;
	int cuda, init, cards;
	struct card card[8];
};

#define GTX1080TI "GeForce GTX 1080 Ti", "GPU-1f0e7c11-0000-4000-8000-000000001080", 11178, 6, 1
#define RTX3090 "GeForce RTX 3090", "GPU-2a3b7c22-0000-4000-8000-000000003090", 24268, 8, 6

#define H100(n) "NVIDIA H100 80GB HBM3", "GPU-9000000" #n "-0000-4000-8000-000000000100", 81559, 9, 0

static const struct machine machines[] = {
	{"two", "460.91.03", 11020, SUCCESS, 2, {{GTX1080TI}, {RTX3090}}},
	{"modern", "580.65.06", 13000, SUCCESS, 1, {{"NVIDIA H100 80GB HBM3", "GPU-90000000-0000-4000-8000-000000000100", 81559, 9, 0}}},
	{"geforce", "460.91.03", 11020, SUCCESS, 2, {
		{GTX1080TI, .readings = &gtx1080ti}, {RTX3090, .readings = &rtx3090}}},
	{"node", "570.124.06", 12080, SUCCESS, 8, {
		{H100(0), .readings = &h100}, {H100(1), .readings = &h100_worn}, {H100(2), .readings = &h100_divided}, {H100(3), .readings = &h100},
		{H100(4), .readings = &h100}, {H100(5), .readings = &h100}, {H100(6), .readings = &h100}, {H100(7), .readings = &h100}}},
	{"fabric", "570.124.06", 12080, SUCCESS, 2, {{H100(0), .readings = &h100_waiting}, {H100(1), .readings = &h100_waiting}}},
	{"sentinels", "580.65.06", 13000, SUCCESS, 1, {{"NVIDIA GB10", "GPU-b1000000-0000-4000-8000-000000000010", 122880, 12, 1, .readings = &sentinels}}},
	{"refused", "580.65.06", 13000, SUCCESS, 1, {{RTX3090, .readings = &refused}}},
	{"falling", "550.54.14", 12040, SUCCESS, 2, {{GTX1080TI, .readings = &gtx1080ti}, {RTX3090, .readings = &falling}}},
	{"reset", "550.54.14", 12040, SUCCESS, 2, {{GTX1080TI, .readings = &gtx1080ti}, {RTX3090, RESET_REQUIRED}}},
	{"mismatch", "", 0, VERSION_MISMATCH},
	{"permission", "", 0, NO_PERMISSION},
	{"unloaded", "", 0, DRIVER_NOT_LOADED},
	{"failed", "", 0, UNKNOWN},
	{"empty", "550.54.14", 12040, SUCCESS, 0},
	{"lost", "460.91.03", 11020, SUCCESS, 2, {{GTX1080TI}, {RTX3090, GPU_IS_LOST}}},
	{"lost-late", "460.91.03", 11020, SUCCESS, 2, {{GTX1080TI}, {RTX3090, SUCCESS, GPU_IS_LOST}}},
	{"forbidden", "460.91.03", 11020, SUCCESS, 2, {{GTX1080TI, NO_PERMISSION}, {RTX3090}}},
	{"all-forbidden", "460.91.03", 11020, SUCCESS, 2, {{GTX1080TI, NO_PERMISSION}, {RTX3090, NO_PERMISSION}}},
	{"unsupported", "580.65.06", 13000, SUCCESS, 1, {{"NVIDIA GB10", "GPU-b1000000-0000-4000-8000-000000000010", 7, 7, 7, SUCCESS, NOT_SUPPORTED, NOT_SUPPORTED}}},
	{"divided", "550.54.14", 12040, SUCCESS, 1, {{"NVIDIA A100-SXM4-40GB", "GPU-a1000000-0000-4000-8000-000000000100", 7, 8, 0, SUCCESS, NO_PERMISSION}}},
	{"odd", "550.54.14", 12040, SUCCESS, 1, {{RTX3090, SUCCESS, UNKNOWN}}},
	{"garbage", "460\n91\x01\xff.03", -7, SUCCESS, 1, {{NULL, "\xff", 24268, 8, 6}}},
	{"hang", "", 0, SUCCESS},
	{"abort", "550.54.14", 12040, SUCCESS, 1, {{RTX3090}}},
	{"segfault", "550.54.14", 12040, SUCCESS, 1, {{RTX3090}}},
};

static const struct machine *machine(void)
{
	const char *s = getenv("FAKE_NVML");
	for (size_t i = 0; s && i < sizeof machines / sizeof *machines; i++)
		if (!strcmp(s, machines[i].scenario))
			return &machines[i];
	fprintf(stderr, "fake NVML: no scenario %s\n", s ? s : "is named");
	_exit(3);
}

static int is(const char *scenario) { return !strcmp(machine()->scenario, scenario); }

static int text(char *to, unsigned size, const char *s)
{
	if (!s) { /* fill the whole buffer, without an end, with what no name should hold */
		for (unsigned i = 0; i < size; i++)
			to[i] = "\x1b[31m\xff\xc3\n A"[i % 10];
		return SUCCESS;
	}
	snprintf(to, size, "%s", s);
	return SUCCESS;
}

/* hang leaves two processes that never end, and writes their numbers. */
static void hang(void)
{
	fork();
	FILE *f = fopen(getenv("FAKE_PIDS"), "a");
	fprintf(f, "%d\n", getpid());
	fclose(f);
	for (;;)
		pause();
}

static int init(void)
{
	if (is("hang"))
		hang();
	return machine()->init;
}

static int count(unsigned *n) { *n = machine()->cards; return SUCCESS; }

static int handle(unsigned i, const struct card **c)
{
	if (i >= (unsigned)machine()->cards)
		return INVALID_ARGUMENT;
	usleep(1000 * (getenv("FAKE_SLOW") ? atoi(getenv("FAKE_SLOW")) : 0)); /* without persistence mode, it wakes first */
	*c = &machine()->card[i];
	return (*c)->handle;
}

int nvmlSystemGetDriverVersion(char *v, unsigned size) { return text(v, size, machine()->driver); }

int nvmlDeviceGetName(const struct card *c, char *name, unsigned size)
{
	if (is("abort")) {
		fprintf(stderr, "fake NVML: about to abort\n");
		abort();
	}
	if (is("segfault"))
		raise(SIGSEGV);
	return text(name, size, c->name);
}

#ifdef FAKE_OLD

int nvmlInit(void) { return init(); }
int nvmlDeviceGetCount(unsigned *n) { return count(n); }
int nvmlDeviceGetHandleByIndex(unsigned i, const struct card **c) { return handle(i, c); }

#else

struct memory { unsigned long long total, free, used; };

int nvmlInit_v2(void) { return init(); }
int nvmlDeviceGetCount_v2(unsigned *n) { return count(n); }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, const struct card **c) { return handle(i, c); }

const char *nvmlErrorString(int value)
{
	switch (value) {
	case NOT_SUPPORTED: return "Not Supported";
	case NO_PERMISSION: return "Insufficient Permissions";
	case DRIVER_NOT_LOADED: return "Driver Not Loaded";
	case GPU_IS_LOST: return "GPU is lost";
	case RESET_REQUIRED: return "GPU requires reset";
	case VERSION_MISMATCH: return "Driver/library version mismatch";
	}
	return "Unknown Error";
}

/* The library is newer than the module in the scenarios of a mismatch. */
int nvmlSystemGetNVMLVersion(char *v, unsigned size) { return text(v, size, is("mismatch") ? "12.550.54.14" : "12.535.261.03"); }

struct pci {
	char legacy[16];
	unsigned domain, bus, device, id, subsystem;
	char address[32];
};

int nvmlDeviceGetPciInfo_v3(const struct card *c, struct pci *p)
{
	p->domain = 0;
	p->bus = 0x10 * (1 + (unsigned)(c - machine()->card));
	p->device = 0;
	return SUCCESS;
}

int nvmlSystemGetCudaDriverVersion(int *v) { *v = 9010; return SUCCESS; } /* to be seen if it is asked */
int nvmlSystemGetCudaDriverVersion_v2(int *v) { *v = machine()->cuda; return SUCCESS; }

int nvmlDeviceGetUUID(const struct card *c, char *uuid, unsigned size) { return text(uuid, size, c->uuid); }

int nvmlDeviceGetMemoryInfo(const struct card *c, struct memory *m)
{
	m->total = c->mebibytes << 20; /* also if the call fails: it must not be used */
	m->free = getenv("FAKE_FREE") ? strtoull(getenv("FAKE_FREE"), NULL, 10) << 20 : m->total;
	return c->memory;
}

int nvmlDeviceGetCudaComputeCapability(const struct card *c, int *major, int *minor)
{
	*major = c->major;
	*minor = c->minor;
	return c->compute;
}

#endif
