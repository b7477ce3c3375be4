// C = A * B in fp32 on the ordinary cores; A is m x k, B k x n, C m x n, row-major
// and dense. A block of 256 threads computes 128 x 128 elements of C, each thread
// 8 x 8 of them in registers.
//
// Limits. A step of one in k is 64 FFMA a thread and, over 4 of them, 16 LDS.128:
// 94 % of what is issued are FFMA. An LDS.128 is two wavefronts of shared memory
// (half a warp each, 128 bytes, no bank twice), so 4 warps take 32 of its cycles
// for 64 cycles of the FFMA pipes of an SM with 128 cores, for 128 cycles of one
// with 64. So the pipes for FFMA are the limit everywhere; issue is close behind
// on SMs with 128 cores that issue one instruction a cycle (8.6, 8.9, 9.0). Two
// blocks share an SM: one computes while the other waits at its barrier.
//
// Shared memory holds tiles of A (128 x 8) and B (8 x 128) as they lie in memory.
// A thread reads A along k, four steps at a time, so A need not be transposed,
// and every access, by 16 bytes, is free of bank conflicts without padding.
#include "tile.h"

#define TILE 128
#define DEPTH 8
#define THREADS 256
#define STAGE (2 * TILE * DEPTH)            // floats: a tile of A and one of B
#define STAGES (CAPABILITY >= 80 ? 4 : 2)   // 32 KiB, 16 KiB of shared memory
#define S(name) VARIANT(sgemm_##name)

// What a thread moves of each pair of tiles: four elements of A and of B.
struct S(mover) {
	const float *a, *b;           // of tile 0
	unsigned a_row, a_k, b_k, b_column;
	unsigned a_at, b_at;          // in a stage
	unsigned m, n, k;
	int guarded;
};

INLINE struct S(mover) S(mover_of)(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
		unsigned row, unsigned column, int guarded) {
	struct S(mover) v;
	v.a_row = row + THREAD / 2, v.a_k = THREAD % 2 * 4;
	v.b_k = THREAD / 32, v.b_column = column + THREAD % 32 * 4;
	v.a = a + (u64)v.a_row * k + v.a_k;
	v.b = b + (u64)v.b_k * n + v.b_column;
	v.a_at = THREAD * 4, v.b_at = TILE * DEPTH + THREAD * 4;
	v.m = m, v.n = n, v.k = k, v.guarded = guarded;
	return v;
}

// Reads four elements; those outside the matrix are 0 and are not touched.
INLINE f4 S(fetch)(const float *p, unsigned inside, int guarded) {
	if (!guarded) return *(const f4 *)p;
	f4 v = {0, 0, 0, 0};
	UNROLL for (unsigned i = 0; i < 4; i++)
		if (i < inside) v[i] = p[i];
	return v;
}

INLINE unsigned S(inside)(int in, unsigned at, unsigned end) { return in && at < end ? end - at : 0; }

INLINE f4 S(fetch_a)(const struct S(mover) *v, unsigned tile) {
	unsigned at = tile * DEPTH;
	return S(fetch)(v->a + at, S(inside)(v->a_row < v->m, v->a_k + at, v->k), v->guarded);
}

INLINE f4 S(fetch_b)(const struct S(mover) *v, unsigned tile) {
	unsigned at = tile * DEPTH;
	return S(fetch)(v->b + (u64)at * v->n, S(inside)(v->b_k + at < v->k, v->b_column, v->n), v->guarded);
}

// The place of a warp and of a lane in the block's tile. Warps stand 4 x 2, each
// over 32 x 64 elements, and a warp's lanes 4 x 8. Lanes that differ in bit 0 read
// the same of A and those that differ in bit 1 the same of B: that lets each half
// of a warp have its LDS.128 in one wavefront.
INLINE unsigned S(row_of)(void) { return THREAD / 64 * 32 + (THREAD >> 1 & 1) + (THREAD >> 3 & 2); }
INLINE unsigned S(column_of)(void) { return THREAD / 32 % 2 * 64 + ((THREAD & 1) + (THREAD >> 1 & 6)) * 4; }

// Adds the product of a stage's tiles. A thread's rows are 4 apart; its columns
// are twice four neighbours, 32 apart.
INLINE void S(multiply)(f4 sum[8][2], const float *stage) {
	const float *a = stage + S(row_of)() * DEPTH;
	const float *b = stage + TILE * DEPTH + S(column_of)();
	UNROLL for (unsigned k = 0; k < DEPTH; k += 4) {
		f4 along[8];
		UNROLL for (unsigned i = 0; i < 8; i++) along[i] = *(const f4 *)(a + 4 * i * DEPTH + k);
		UNROLL for (unsigned step = 0; step < 4; step++) {
			f4 left = *(const f4 *)(b + (k + step) * TILE);
			f4 right = *(const f4 *)(b + (k + step) * TILE + 32);
			UNROLL for (unsigned i = 0; i < 8; i++) {
				sum[i][0] += along[i][step] * left;
				sum[i][1] += along[i][step] * right;
			}
		}
	}
}

INLINE void S(store)(float *c, f4 sum[8][2], unsigned m, unsigned n, unsigned row, unsigned column, int guarded) {
	row += S(row_of)(), column += S(column_of)();
	UNROLL for (unsigned i = 0; i < 8; i++) UNROLL for (unsigned half = 0; half < 2; half++) {
		unsigned r = row + 4 * i, from = column + 32 * half;
		float *p = c + (u64)r * n + from;
		if (!guarded) *(f4 *)p = sum[i][half];
		else UNROLL for (unsigned j = 0; j < 4; j++)
			if (r < m && from + j < n) p[j] = sum[i][half][j];
	}
}

#if CAPABILITY >= 80
// Tiles come by cp.async, three ahead of the one in work. In the guarded kernel,
// whose rows may begin anywhere, they come through registers.
INLINE void S(begin)(const struct S(mover) *v, float *stage, unsigned tile) {
	if (v->guarded) {
		*(f4 *)(stage + v->a_at) = S(fetch_a)(v, tile);
		*(f4 *)(stage + v->b_at) = S(fetch_b)(v, tile);
		return;
	}
	cp_async(stage + v->a_at, v->a + tile * DEPTH);
	cp_async(stage + v->b_at, v->b + (u64)(tile * DEPTH) * v->n);
}

INLINE void S(sum_up)(f4 sum[8][2], const struct S(mover) *v, float *shared) {
	unsigned tiles = tiles_of(v->k, DEPTH);
	for (unsigned tile = 0; tile < STAGES - 1; tile++) {
		if (tile < tiles) S(begin)(v, shared + tile * STAGE, tile);
		cp_async_commit();
	}
	for (unsigned tile = 0; tile < tiles; tile++) {
		cp_async_wait(STAGES - 2); // this tile's group is done
		barrier();                 // for all threads, and the last tile is used up
		unsigned next = tile + STAGES - 1;
		if (next < tiles) S(begin)(v, shared + next % STAGES * STAGE, next);
		cp_async_commit();
		S(multiply)(sum, shared + tile % STAGES * STAGE);
	}
}
#else
// The next tile travels in registers while this one is in work.
INLINE void S(sum_up)(f4 sum[8][2], const struct S(mover) *v, float *shared) {
	unsigned tiles = tiles_of(v->k, DEPTH);
	if (tiles == 0) return;
	f4 a = S(fetch_a)(v, 0), b = S(fetch_b)(v, 0);
	for (unsigned tile = 0;; tile++) {
		float *stage = shared + tile % STAGES * STAGE;
		*(f4 *)(stage + v->a_at) = a;
		*(f4 *)(stage + v->b_at) = b;
		barrier();
		if (tile + 1 < tiles) a = S(fetch_a)(v, tile + 1), b = S(fetch_b)(v, tile + 1);
		S(multiply)(sum, stage);
		if (tile + 1 == tiles) return;
	}
}
#endif

INLINE void S(block)(const float *a, const float *b, float *c, unsigned m, unsigned n, unsigned k, int guarded) {
	unsigned row, column;
	tile_of(BLOCK, tiles_of(m, TILE), tiles_of(n, TILE), &row, &column);
	row *= TILE, column *= TILE;
	struct S(mover) v = S(mover_of)(a, b, m, n, k, row, column, guarded);
	f4 sum[8][2];
	UNROLL for (unsigned i = 0; i < 8; i++) sum[i][0] = sum[i][1] = (f4){0, 0, 0, 0};
	S(sum_up)(sum, &v, SHARED(float));
	S(store)(c, sum, m, n, row, column, guarded);
}

// m and n multiples of 128, k of 8.
KERNEL(VARIANT(sgemm), THREADS, 2)(const float *a, const float *b, float *c, unsigned m, unsigned n, unsigned k) {
	S(block)(a, b, c, m, n, k, 0);
}

// Any sizes.
KERNEL(VARIANT(sgemm_any), THREADS, 2)(const float *a, const float *b, float *c, unsigned m, unsigned n, unsigned k) {
	S(block)(a, b, c, m, n, k, 1);
}

#undef TILE
#undef DEPTH
#undef THREADS
#undef STAGE
#undef STAGES
#undef S
