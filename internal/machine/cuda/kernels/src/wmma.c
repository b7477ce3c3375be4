// C = A * B in fp16 on the tensor cores of compute capability 7.0 to 7.5, with
// sums in fp32. A is m x k, B k x n, C m x n, row-major and dense.
//
// A block of 256 threads computes 128 x 128 elements of C, each of its eight warps
// 64 x 32 as 4 x 2 fragments of wmma (m16n16k16), the one form of the tensor cores
// that 7.0 and 7.5 share. Which lane has which element of a fragment is not documented.
// The next tiles travel in registers while these, 32 deep in k, are in work.
//
// Limits. For 64 x 32 x 16 elements a warp reads 3 KiB of shared memory, twice
// that on 7.0, whose fragments hold A and B twice: 48 cycles at 128 bytes a cycle.
// The tensor cores of an SM (512 FMA a cycle) take 64. So both are near.
#include "tile.h"

#define TILE 128
#define DEPTH 32
#define THREADS 256
#define W(name) VARIANT(gemm_fp16##name)
typedef unsigned short W(_element);
#define E W(_element)

// In elements. The pitches make the banks of eight rows all different.
#define A_PITCH (DEPTH + 8)
#define B_PITCH (TILE + 8)
#define B_AT (TILE * A_PITCH)
#define STAGE (B_AT + DEPTH * B_PITCH)

#define LANE (THREAD % 32)
#define WARP_ROW (THREAD / 128 * 64)
#define WARP_COLUMN (THREAD / 32 % 4 * 32)

// What a thread moves of each pair of tiles: two chunks of eight elements of A,
// 64 rows apart, and two of B, 16 rows apart.
struct W(_mover) {
	const E *a, *b;          // of the next tile
	unsigned a_rows, a_left; // of the matrix from there on: rows, and elements in k
	unsigned b_left, b_columns;
	unsigned n, k;
	u4 next_a[2], next_b[2];
};

INLINE unsigned W(_left)(unsigned from, unsigned end) { return from < end ? end - from : 0; }

INLINE void W(_begin)(struct W(_mover) *v, const E *a, const E *b, unsigned m, unsigned n, unsigned k, unsigned row, unsigned column) {
	row += THREAD / 4, column += THREAD % 16 * 8;
	v->a = a + (u64)row * k + THREAD % 4 * 8;
	v->b = b + (u64)(THREAD / 16) * n + column;
	v->a_rows = W(_left)(row, m), v->a_left = W(_left)(THREAD % 4 * 8, k);
	v->b_left = W(_left)(THREAD / 16, k), v->b_columns = W(_left)(column, n);
	v->n = n, v->k = k;
}

// Reads eight elements of a row, of which so many are inside the matrix; the
// others are 0 and are not touched. pitch is that of the rows: if it is a multiple
// of eight, it is all or none.
INLINE u4 W(_fetch)(const E *p, unsigned inside, unsigned pitch) {
	if (pitch % 8 == 0) return inside ? *(const u4 *)(const void *)p : (u4){0, 0, 0, 0};
	u64 low = 0, high = 0;
	KEEP_LOOP for (unsigned i = 0; i < 8; i++) {
		u64 element = i < inside ? (u64)p[i] << (i % 4 * 16) : 0;
		if (i < 4) low |= element;
		else high |= element;
	}
	return (u4){(unsigned)low, (unsigned)(low >> 32), (unsigned)high, (unsigned)(high >> 32)};
}

INLINE void W(_next)(struct W(_mover) *v) {
	UNROLL for (unsigned i = 0; i < 2; i++) {
		v->next_a[i] = W(_fetch)(v->a + (u64)(64 * i) * v->k, 64 * i < v->a_rows ? v->a_left : 0, v->k);
		v->next_b[i] = W(_fetch)(v->b + (u64)(16 * i) * v->n, 16 * i < v->b_left ? v->b_columns : 0, v->n);
	}
	v->a += DEPTH, v->a_left = W(_left)(DEPTH, v->a_left);
	v->b += (u64)DEPTH * v->n, v->b_left = W(_left)(DEPTH, v->b_left);
}

INLINE void W(_put)(const struct W(_mover) *v, E *stage) {
	UNROLL for (unsigned i = 0; i < 2; i++) {
		*(u4 *)(void *)(stage + (THREAD / 4 + 64 * i) * A_PITCH + THREAD % 4 * 8) = v->next_a[i];
		*(u4 *)(void *)(stage + B_AT + (THREAD / 16 + 16 * i) * B_PITCH + THREAD % 16 * 8) = v->next_b[i];
	}
}

INLINE void W(_multiply)(struct wmma_sum sum[4][2], const E *stage) {
	KEEP_LOOP for (unsigned k = 0; k < DEPTH; k += 16) { // unrolled it would not do with 128 registers
		struct wmma_operand b[2];
		UNROLL for (unsigned j = 0; j < 2; j++) b[j] = wmma_load_b(stage + B_AT + k * B_PITCH + WARP_COLUMN + 16 * j, B_PITCH);
		UNROLL for (unsigned i = 0; i < 4; i++) {
			struct wmma_operand a = wmma_load_a(stage + (WARP_ROW + 16 * i) * A_PITCH + k, A_PITCH);
			UNROLL for (unsigned j = 0; j < 2; j++) wmma_mma(&sum[i][j], &a, &b[j]);
		}
	}
}

INLINE void W(_sum_up)(struct wmma_sum sum[4][2], struct W(_mover) *v, E *shared) {
	W(_next)(v);
	W(_put)(v, shared);
	barrier();
	KEEP_LOOP for (unsigned k = 0; k < v->k; k += DEPTH) {
		unsigned tile = k / DEPTH;
		W(_next)(v);
		W(_multiply)(sum, shared + tile % 2 * STAGE);
		W(_put)(v, shared + (tile + 1) % 2 * STAGE);
		barrier();
	}
}

// Stores a fragment by way of shared memory, 1 KiB a warp, as only there it is
// known which element is where: each lane rounds half a row of it.
INLINE void W(_store)(E *c, const struct wmma_sum *sum, float *own, unsigned m, unsigned n, unsigned row, unsigned column) {
	wmma_store(own, sum, 16);
	barrier_warp();
	row += LANE / 2, column += LANE % 2 * 8;
	const float *from = own + LANE * 8;
	E *p = c + (u64)row * n + column;
	unsigned inside = row < m && column < n ? n - column : 0;
	if (n % 8 == 0 && inside) {
		u4 v;
		UNROLL for (unsigned i = 0; i < 4; i++) v[i] = round_fp16(from[2 * i]) | (unsigned)round_fp16(from[2 * i + 1]) << 16;
		*(u4 *)(void *)p = v;
	} else KEEP_LOOP for (unsigned i = 0; i < 8; i++)
		if (i < inside) p[i] = round_fp16(from[i]);
	barrier_warp();
}

KERNEL(W(), THREADS, 2)(const E *a, const E *b, E *c, unsigned m, unsigned n, unsigned k) {
	unsigned row, column;
	tile_of(BLOCK, tiles_of(m, TILE), tiles_of(n, TILE), &row, &column);
	row *= TILE, column *= TILE;
	struct W(_mover) v;
	W(_begin)(&v, a, b, m, n, k, row, column);
	struct wmma_sum sum[4][2];
	UNROLL for (unsigned i = 0; i < 4; i++) UNROLL for (unsigned j = 0; j < 2; j++)
		UNROLL for (unsigned e = 0; e < 8; e++) sum[i][j].v[e] = 0;
	W(_sum_up)(sum, &v, SHARED(E));
	UNROLL for (unsigned i = 0; i < 4; i++) UNROLL for (unsigned j = 0; j < 2; j++)
		W(_store)(c, &sum[i][j], SHARED(float) + THREAD / 32 * 256, m, n, row + WARP_ROW + 16 * i, column + WARP_COLUMN + 16 * j);
}

#undef TILE
#undef DEPTH
#undef THREADS
#undef W
#undef E
#undef A_PITCH
#undef B_PITCH
#undef B_AT
#undef STAGE
#undef LANE
#undef WARP_ROW
#undef WARP_COLUMN
