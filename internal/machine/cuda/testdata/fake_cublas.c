/*
 * A libcublas.so.N without a GPU, N being what -DMAJOR= says, for tests. It works
 * with the fake libcuda alone, and like the real one needs the libcublasLt.so.N
 * that belongs to it. Built by internal/machine/cuda/cudatest.
 *
 * FAKE_CUBLAS names a fault: create (cublasCreate fails), arch (the device is too
 * old), slow (a tenth of the speed).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "fake_cuda.h"

#define API __attribute__((visibility("default")))

enum { SUCCESS = 0, NOT_INITIALIZED = 1, ALLOC_FAILED = 3, INVALID_VALUE = 7, ARCH_MISMATCH = 8, EXECUTION_FAILED = 13, NOT_SUPPORTED = 15 };
enum { R32F = 0, R16F = 2, R16BF = 14, COMPUTE_32F = 68, COMPUTE_32F_FAST_TF32 = 77, MAGIC = 0xcb1a5 };

extern int fake_cublas_lt(void); /* of libcublasLt */

struct handle { int magic, context; unsigned long long workspace; size_t workspace_bytes; };

static int is(const char *fault)
{
	const char *s = getenv("FAKE_CUBLAS");
	return s && !strcmp(s, fault);
}

/* driver finds a function of the libcuda that is loaded already. */
static void *driver(const char *name)
{
	void *cuda = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	return cuda ? dlsym(cuda, name) : NULL;
}

static int current(void)
{
	int (*f)(void) = (int (*)(void))driver("fake_cuda_current");
	return f ? f() : 0;
}

API int cublasGetProperty(int property, int *value)
{
	static const int version[] = {MAJOR, 4, 5};
	if (property < 0 || property > 2)
		return INVALID_VALUE;
	*value = version[property];
	return SUCCESS;
}

API int cublasCreate_v2(struct handle **h)
{
	if (is("create") || !current() || fake_cublas_lt() != MAJOR)
		return NOT_INITIALIZED;
	*h = calloc(1, sizeof **h);
	(*h)->magic = MAGIC, (*h)->context = current();
	void (*log)(const char *, ...) = (void (*)(const char *, ...))driver("fake_cuda_log");
	log("cublas %d", MAJOR);
	return SUCCESS;
}

static int works(const struct handle *h) { return h && h->magic == MAGIC && h->context == current(); }

API int cublasDestroy_v2(struct handle *h)
{
	if (!works(h))
		return NOT_INITIALIZED;
	h->magic = 0; /* and stays, so that a second time is seen */
	void (*log)(const char *, ...) = (void (*)(const char *, ...))driver("fake_cuda_log");
	log("cublasdestroy %d", MAJOR);
	return SUCCESS;
}

API int cublasGetVersion_v2(struct handle *h, int *version)
{
	if (!works(h))
		return NOT_INITIALIZED;
	*version = MAJOR * 10000 + 405;
	return SUCCESS;
}

API int cublasSetWorkspace_v2(struct handle *h, unsigned long long at, size_t bytes)
{
	if (!works(h))
		return NOT_INITIALIZED;
	if (at % 256)
		return INVALID_VALUE;
	h->workspace = at, h->workspace_bytes = bytes;
	return SUCCESS;
}

/* Column-major: c[j * ldc + i]. */
struct gemm { unsigned long long a, b, c; int m, n, k, lda, ldb, ldc, type, compute; float alpha, beta; };

static float bits(uint32_t b) { float f; memcpy(&f, &b, 4); return f; }

static float element(unsigned long long p, size_t i, int type, int compute)
{
	const void *at = (const void *)(uintptr_t)p;
	uint32_t b;
	switch (type) {
	case R16F: return (float)((const _Float16 *)at)[i];
	case R16BF: return bits((uint32_t)((const uint16_t *)at)[i] << 16);
	}
	if (compute != COMPUTE_32F_FAST_TF32)
		return ((const float *)at)[i];
	memcpy(&b, (const char *)at + 4 * i, 4);
	return bits((b + 0xfff + (b >> 13 & 1)) & ~0x1fffu); /* 10 bits, to the nearest */
}

static void put(unsigned long long p, size_t i, int type, float f)
{
	void *at = (void *)(uintptr_t)p;
	uint32_t b;
	switch (type) {
	case R16F: ((_Float16 *)at)[i] = (_Float16)f; break;
	case R16BF:
		memcpy(&b, &f, 4);
		((uint16_t *)at)[i] = isnan(f) ? 0x7fff : (b + 0x7fff + (b >> 16 & 1)) >> 16;
		break;
	default: ((float *)at)[i] = f;
	}
}

static const char *run(const void *arguments)
{
	struct gemm g;
	memcpy(&g, arguments, sizeof g);
	float *a = malloc(sizeof *a * g.m * g.k), *sum = malloc(sizeof *sum * g.m);
	if (!a || !sum)
		return "no memory to multiply in";
	for (int l = 0; l < g.k; l++)
		for (int i = 0; i < g.m; i++)
			a[(size_t)l * g.m + i] = element(g.a, (size_t)l * g.lda + i, g.type, g.compute);
	for (int j = 0; j < g.n; j++) {
		memset(sum, 0, sizeof *sum * g.m);
		for (int l = 0; l < g.k; l++) {
			float b = element(g.b, (size_t)j * g.ldb + l, g.type, g.compute);
			const float *column = a + (size_t)l * g.m;
			for (int i = 0; i < g.m; i++)
				sum[i] += column[i] * b;
		}
		for (int i = 0; i < g.m; i++) {
			size_t at = (size_t)j * g.ldc + i;
			float old = g.beta ? g.beta * element(g.c, at, g.type, COMPUTE_32F) : 0;
			put(g.c, at, g.type, g.alpha * sum[i] + old);
		}
	}
	free(a);
	free(sum);
	return NULL;
}

/* How much faster than fp32 a GPU is, about. */
static double speed(const struct gemm *g)
{
	double s = g->type != R32F ? 4 : g->compute == COMPUTE_32F_FAST_TF32 ? 2 : 1;
	return is("slow") ? s / 10 : s;
}

API int cublasGemmEx(struct handle *h, int opa, int opb, int m, int n, int k,
                     const float *alpha, unsigned long long a, int atype, int lda,
                     unsigned long long b, int btype, int ldb,
                     const float *beta, unsigned long long c, int ctype, int ldc, int compute, int algo)
{
	if (!works(h))
		return NOT_INITIALIZED;
	if (is("arch"))
		return ARCH_MISMATCH;
	if (opa || opb || m < 1 || n < 1 || k < 1 || !alpha || !beta || !a || !b || !c || lda < m || ldb < k || ldc < m)
		return INVALID_VALUE;
	if (atype != btype || atype != ctype || (atype != R32F && atype != R16F && atype != R16BF))
		return NOT_SUPPORTED;
	if ((compute != COMPUTE_32F && (compute != COMPUTE_32F_FAST_TF32 || atype != R32F)) || (algo != -1 && algo != 99))
		return NOT_SUPPORTED;
	struct gemm g;
	memset(&g, 0, sizeof g);
	g = (struct gemm){a, b, c, m, n, k, lda, ldb, ldc, atype, compute, *alpha, *beta};
	_Static_assert(sizeof g <= WORK_BYTES, "the arguments fit");
	unsigned long long size = atype == R32F ? 4 : 2;
	struct work w;
	memset(&w, 0, sizeof w);
	w.run = run, w.flops = 2.0 * m * n * k / speed(&g);
	memcpy(w.arguments, &g, sizeof g);
	w.reads[0] = (struct span){a, size * ((unsigned long long)lda * (k - 1) + m)};
	w.reads[1] = (struct span){b, size * ((unsigned long long)ldb * (n - 1) + k)};
	w.writes = (struct span){c, size * ((unsigned long long)ldc * (n - 1) + m)};
	void (*log)(const char *, ...) = (void (*)(const char *, ...))driver("fake_cuda_log");
	int (*submit)(const struct work *) = (int (*)(const struct work *))driver("fake_cuda_submit");
	log("gemm %d %d %d type %d compute %d algo %d workspace %zu", m, n, k, atype, compute, algo, h->workspace_bytes);
	return submit(&w) ? EXECUTION_FAILED : SUCCESS;
}
