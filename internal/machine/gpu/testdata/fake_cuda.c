/*
 * A libcuda.so.1 without a driver, for the tests of this package. Its cards are
 * those of fake_nvml.c, in the reverse order, for CUDA's order is its own.
 *
 * FAKE_CUDA is the number of cards, or the name of a fault. While it copies, it
 * says so in FAKE_BUSY, for the fake NVML. It writes the number of each card of
 * which it makes a context to the file FAKE_CONTEXTS.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUCCESS = 0, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_DEVICE = 101,
       SYSTEM_NOT_READY = 802, SYSTEM_DRIVER_MISMATCH = 803, COMPAT_NOT_SUPPORTED = 804, UNKNOWN = 999 };

static const char *scenario(void) { const char *s = getenv("FAKE_CUDA"); return s ? s : "0"; }
static int is(const char *s) { return !strcmp(scenario(), s); }
static int cards(void) { int n = atoi(scenario()); return is("part") || is("spark") ? 1 : n ? n : 2; }

static void hang(void)
{
	for (;;)
		pause();
}

int cuInit(unsigned flags)
{
	if (is("hang"))
		hang();
	if (is("segfault"))
		raise(SIGSEGV);
	return is("0") ? NO_DEVICE : is("fabric") ? SYSTEM_NOT_READY : is("mismatch") ? SYSTEM_DRIVER_MISMATCH
		: is("compat") ? COMPAT_NOT_SUPPORTED : is("unknown") ? UNKNOWN : SUCCESS;
}

int cuDriverGetVersion(int *v) { *v = 12040; return SUCCESS; }

int cuGetErrorName(int code, const char **s) { *s = "CUDA_ERROR_FAKE"; return SUCCESS; }
int cuGetErrorString(int code, const char **s) { *s = "fake error at /opt/fake of 0000:10:00.0"; return SUCCESS; }

int cuDeviceGetCount(int *n) { *n = cards(); return SUCCESS; }
int cuDeviceGet(int *d, int i) { *d = i; return i < cards() ? SUCCESS : INVALID_DEVICE; }

int cuDeviceGetPCIBusId(char *s, int size, int d)
{
	snprintf(s, size, "0000:%02X:00.0", 0x10 * (cards() - d));
	return SUCCESS;
}

int cuDeviceGetAttribute(int *v, int attribute, int d)
{
	if (is("spark")) {
		*v = attribute == 16 ? 48 : attribute == 18 || attribute == 76 ? 1 : attribute == 75 ? 12 : 0;
		return SUCCESS;
	}
	switch (attribute) {
	case 13: *v = d ? 1582000 : 1695000; break;
	case 16: *v = is("part") ? 16 : d ? 28 : 82; break;
	case 36: *v = is("silent") ? 0 : d ? 5505000 : 9751000; break;
	case 37: *v = d ? 352 : 384; break;
	case 75: *v = is("part") ? 9 : d ? 6 : 8; break;
	case 76: *v = is("part") ? 0 : d ? 1 : 6; break;
	default: *v = 0;
	}
	return is("silent") && attribute == 37 ? UNKNOWN : SUCCESS;
}

int cuDeviceGetName(char *s, int size, int d)
{
	snprintf(s, size, "%s", is("spark") ? "NVIDIA GB10" : is("part") ? "NVIDIA H100 80GB HBM3 MIG 1g.10gb" : d ? "GeForce GTX 1080 Ti" : "GeForce RTX 3090");
	return SUCCESS;
}

int cuDeviceTotalMem_v2(size_t *n, int d)
{
	*n = (is("spark") ? 122502ULL : is("part") ? 9856ULL : d ? 11175ULL : 24265ULL) << 20;
	return SUCCESS;
}

int cuDevicePrimaryCtxRetain(void **c, int d)
{
	FILE *f = getenv("FAKE_CONTEXTS") ? fopen(getenv("FAKE_CONTEXTS"), "a") : NULL;
	if (f) {
		fprintf(f, "%d\n", d);
		fclose(f);
	}
	if (is("hang-late") && d == 1)
		hang();
	*c = (void *)1;
	return is("no-context") ? OUT_OF_MEMORY : SUCCESS;
}
int cuDevicePrimaryCtxRelease_v2(int d) { return SUCCESS; }
int cuCtxSetCurrent(void *c) { return SUCCESS; }

int cuMemGetInfo_v2(size_t *free, size_t *total)
{
	*free = is("full") ? 20 << 20 : 10ULL << 30;
	*total = 11ULL << 30;
	return SUCCESS;
}
int cuMemAlloc_v2(unsigned long long *p, size_t n) { *p = 0x7f0000000000; return SUCCESS; }
int cuMemFree_v2(unsigned long long p) { return SUCCESS; }
int cuMemHostAlloc(void **p, size_t n, unsigned flags) { *p = malloc(n); return SUCCESS; }
int cuMemFreeHost(void *p) { free(p); return SUCCESS; }

/* A bus needs a moment to wake. */
static int copies;
static int copy(void)
{
	if (++copies > 20)
		setenv("FAKE_BUSY", "1", 1);
	return is("bad-copy") ? UNKNOWN : SUCCESS;
}
int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from, size_t n, void *s) { return copy(); }
int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t n, void *s) { return copy(); }
int cuCtxSynchronize(void) { setenv("FAKE_BUSY", "0", 1); usleep(2000); return SUCCESS; }
