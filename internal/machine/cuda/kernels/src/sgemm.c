// C = A * B in fp32 on the ordinary cores; A is m x k, B k x n, C m x n, row-major
// and dense. A block of 256 threads computes 128 x 128 elements of C, each thread
// 8 x 8 of them in registers.
//
// Limits. A step of one in k is 64 FFMA and 4 LDS.128 a thread: 94 % of what is
// issued are FFMA. An LDS.128 is counted as two wavefronts of shared memory, as it
// has half a warp each that reads at most 128 bytes, no bank twice. Then 4 warps
// take 32 of its cycles for 64 cycles of the FFMA pipes of an SM with 128 cores,
// for 128 cycles of one with 64. So the pipes for FFMA are the limit everywhere;
// issue is close behind on SMs that issue as many instructions as they have pipes
// (8.6, 8.9, 9.0). Two blocks share an SM: one computes while the other waits at
// its barrier or for shared memory.
//
// Shared memory holds tiles of A (128 x 8), transposed, and B (8 x 128), so that
// a thread reads four neighbours of a column of A or of a row of B at once.
#include "tile.h"

#define TILE 128
#define DEPTH 8
#define THREADS 256
#define S(name) VARIANT(sgemm_##name)

// In floats. The pitch of A makes the banks that a warp writes all different; a
// stage is a tile of A and one of B.
#define A_PITCH (TILE + 4)
#define B_AT (DEPTH * A_PITCH)
#define STAGE (B_AT + DEPTH * TILE)

// The place of a thread's elements in the block's tile. Warps stand 4 x 2, each
// over 32 x 64 elements, and a warp's lanes 4 x 8. Lanes that differ in bit 0 read
// the same of A and those that differ in bit 1 the same of B: that lets each half
// of a warp have its LDS.128 in one wavefront. A thread's rows are four neighbours
// and the four 16 further on, its columns four and those 32 further on.
INLINE unsigned S(row_of)(void) { return THREAD / 64 * 32 + ((THREAD >> 1 & 1) + (THREAD >> 3 & 2)) * 4; }
INLINE unsigned S(column_of)(void) { return THREAD / 32 % 2 * 64 + ((THREAD & 1) + (THREAD >> 1 & 6)) * 4; }

INLINE void S(step)(f4 sum[8][2], const float *a, const float *b) {
	f4 rows[2] = {*(const f4 *)a, *(const f4 *)(a + 16)}, columns[2] = {*(const f4 *)b, *(const f4 *)(b + 32)};
	UNROLL for (unsigned i = 0; i < 8; i++)
		UNROLL for (unsigned j = 0; j < 2; j++) sum[i][j] += rows[i / 4][i % 4] * columns[j];
}

// Adds the product of a stage's tiles.
INLINE void S(multiply)(f4 sum[8][2], const float *stage, int aligned) {
	const float *a = stage + S(row_of)(), *b = stage + B_AT + S(column_of)();
	if (aligned) UNROLL for (unsigned k = 0; k < DEPTH; k++) S(step)(sum, a + k * A_PITCH, b + k * TILE);
	else KEEP_LOOP for (unsigned k = 0; k < DEPTH; k++) S(step)(sum, a + k * A_PITCH, b + k * TILE);
}

INLINE void S(store)(float *c, f4 sum[8][2], unsigned m, unsigned n, unsigned row, unsigned column, int aligned) {
	row += S(row_of)(), column += S(column_of)();
	UNROLL for (unsigned i = 0; i < 8; i++) UNROLL for (unsigned j = 0; j < 2; j++) {
		unsigned r = row + i / 4 * 16 + i % 4, from = column + 32 * j;
		float *p = c + (u64)r * n + from;
		if (r >= m || from >= n) continue;
		if (aligned) *(f4 *)p = sum[i][j];
		else UNROLL for (unsigned e = 0; e < 4; e++)
			if (from + e < n) p[e] = sum[i][j][e];
	}
}

#if CAPABILITY >= 80
#define STAGES 4
#include "sgemm_async.h"
#else
#define STAGES 2
#include "sgemm_sync.h"
#endif

INLINE void S(block)(const float *a, const float *b, float *c, unsigned m, unsigned n, unsigned k, int aligned) {
	unsigned row, column;
	tile_of(BLOCK, tiles_of(m, TILE), tiles_of(n, TILE), &row, &column);
	row *= TILE, column *= TILE;
	struct S(mover) v = S(mover_of)(a, b, m, n, k, row, column, aligned);
	f4 sum[8][2];
	UNROLL for (unsigned i = 0; i < 8; i++) sum[i][0] = sum[i][1] = (f4){0, 0, 0, 0};
	S(sum_up)(sum, &v, k, SHARED(float));
	S(store)(c, sum, m, n, row, column, aligned);
}

// n and k multiples of 4: each row begins on a multiple of 16 bytes.
KERNEL(VARIANT(sgemm), THREADS, 2)(const float *a, const float *b, float *c, unsigned m, unsigned n, unsigned k) {
	S(block)(a, b, c, m, n, k, 1);
}

// Any sizes. Elements are fetched one by one, and the loop is not unrolled, as the
// text would be twice as long.
KERNEL(VARIANT(sgemm_any), THREADS, 2)(const float *a, const float *b, float *c, unsigned m, unsigned n, unsigned k) {
	S(block)(a, b, c, m, n, k, 0);
}

#undef TILE
#undef DEPTH
#undef THREADS
#undef S
#undef A_PITCH
#undef B_AT
#undef STAGE
#undef STAGES
