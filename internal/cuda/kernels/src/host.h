// The words of device.h on a CPU; host.c carries them out. Plain C11.
#pragma once
#include <string.h>

#define KERNEL(name, threads, blocks) static void name
#define INLINE static inline __attribute__((unused))
#define UNROLL

extern unsigned host_block, host_thread;
extern char *host_shared;

#define BLOCK host_block
#define THREAD host_thread
#define SHARED(type) ((type *)(void *)host_shared)

void barrier(void);
void cp_async(void *to, const void *from);
void cp_async_commit(void);
void cp_async_wait(unsigned groups);
