// The words of device.h on a CPU; host.c carries them out. Plain C11.
#pragma once
#include <string.h>

#define KERNEL(name, threads, blocks) static void name
#define INLINE static inline __attribute__((unused))
#define UNROLL
#define KEEP_LOOP

extern unsigned host_block, host_thread;
extern char *host_shared;

#define BLOCK host_block
#define THREAD host_thread
#define SHARED(type) ((type *)(void *)host_shared)

void barrier(void);
void barrier_warp(void);
void cp_async(void *to, const void *from, int inside);
void cp_async_4(void *to, const void *from, int inside);
void cp_async_commit(void);
void cp_async_wait(unsigned groups);

unsigned short round_fp16(float v);
unsigned short round_bf16(float v);
unsigned pack_fp16(float first, float second);
unsigned pack_bf16(float first, float second);

u4 ldmatrix(const void *row);
u4 ldmatrix_trans(const void *row);
void mma_fp16(f4 *sum, u4 a, unsigned b0, unsigned b1);
void mma_bf16(f4 *sum, u4 a, unsigned b0, unsigned b1);
void mma_tf32(f4 *sum, u4 a, unsigned b0, unsigned b1);

struct wmma_operand { unsigned v[8]; };
struct wmma_sum { float v[8]; };
struct wmma_operand wmma_load_a(const unsigned short *from, unsigned pitch);
struct wmma_operand wmma_load_b(const unsigned short *from, unsigned pitch);
void wmma_mma(struct wmma_sum *sum, const struct wmma_operand *a, const struct wmma_operand *b);
void wmma_store(float *to, const struct wmma_sum *sum, unsigned pitch);
