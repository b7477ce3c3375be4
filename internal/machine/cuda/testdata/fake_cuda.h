/* What the fake libcuda and the fake libcublas share. */
#pragma once
#include <stddef.h>

enum { WORK_BYTES = 128 };

/*
 * A piece of work of the GPU: run(arguments) does it, and does the same if it is
 * done again. What it reads and writes, and how long a GPU would take.
 */
struct work {
	const char *(*run)(const void *arguments); /* a fault in words, or NULL */
	char arguments[WORK_BYTES];
	struct span { unsigned long long at, bytes; } reads[2], writes;
	double flops;
};

/* Puts work behind what the GPU does already. A CUresult. */
int fake_cuda_submit(const struct work *w);

/* Whether this thread has a context. */
int fake_cuda_current(void);

/* Writes a line to the file FAKE_CUDA_LOG. */
void fake_cuda_log(const char *format, ...);
