// C = A * B in fp32 on the ordinary cores; A is m x k, B k x n, C m x n, row-major
// and dense. A block of 256 threads computes 128 x 128 elements of C, each thread
// 8 x 8 of them in registers. It runs from compute capability 5.0 on.
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
// a thread reads four neighbours of a column of A or of a row of B at once. Tiles
// come through registers, the next one while this one is in work.
#include "device.h"

#define TILE 128
#define DEPTH 8
#define THREADS 256

// In floats. The pitch of A makes the banks that a warp writes all different; a
// stage is a tile of A and one of B. There are two stages.
#define A_PITCH (TILE + 4)
#define B_AT (DEPTH * A_PITCH)
#define STAGE (B_AT + DEPTH * TILE)

// Blocks run about in the order of their numbers. In row-major order the blocks
// that run at one time would share few rows of A and need all of B; in groups of
// eight rows of tiles, column by column, they form a patch near a square, and its
// rows of A and columns of B are read from L2 many times for once from memory.
#define GROUP 8

INLINE unsigned tiles_of(unsigned size) { return (size + TILE - 1) / TILE; }

INLINE void tile_of(unsigned block, unsigned rows, unsigned columns, unsigned *row, unsigned *column) {
	unsigned first = block / (GROUP * columns) * GROUP;
	unsigned height = rows - first < GROUP ? rows - first : GROUP;
	unsigned in_group = block % (GROUP * columns);
	*row = first + in_group % height;
	*column = in_group / height;
}

// The place of a thread's elements in the block's tile. Warps stand 4 x 2, each
// over 32 x 64 elements, and a warp's lanes 4 x 8. Lanes that differ in bit 0 read
// the same of A and those that differ in bit 1 the same of B: that lets each half
// of a warp have its LDS.128 in one wavefront. A thread's rows are four neighbours
// and the four 16 further on, its columns four and those 32 further on.
INLINE unsigned row_of(void) { return THREAD / 64 * 32 + ((THREAD >> 1 & 1) + (THREAD >> 3 & 2)) * 4; }
INLINE unsigned column_of(void) { return THREAD / 32 % 2 * 64 + ((THREAD & 1) + (THREAD >> 1 & 6)) * 4; }

INLINE void step(f4 sum[8][2], const float *a, const float *b) {
	f4 rows[2] = {*(const f4 *)a, *(const f4 *)(a + 16)}, columns[2] = {*(const f4 *)b, *(const f4 *)(b + 32)};
	UNROLL for (unsigned i = 0; i < 8; i++)
		UNROLL for (unsigned j = 0; j < 2; j++) sum[i][j] += rows[i / 4][i % 4] * columns[j];
}

// Adds the product of a stage's tiles.
INLINE void multiply(f4 sum[8][2], const float *stage, int aligned) {
	const float *a = stage + row_of(), *b = stage + B_AT + column_of();
	if (aligned) UNROLL for (unsigned k = 0; k < DEPTH; k++) step(sum, a + k * A_PITCH, b + k * TILE);
	else KEEP_LOOP for (unsigned k = 0; k < DEPTH; k++) step(sum, a + k * A_PITCH, b + k * TILE);
}

INLINE void store(float *c, f4 sum[8][2], unsigned m, unsigned n, unsigned row, unsigned column, int aligned) {
	row += row_of(), column += column_of();
	UNROLL for (unsigned i = 0; i < 8; i++) UNROLL for (unsigned j = 0; j < 2; j++) {
		unsigned r = row + i / 4 * 16 + i % 4, from = column + 32 * j;
		float *p = c + (u64)r * n + from;
		if (r >= m || from >= n) continue;
		if (aligned) *(f4 *)p = sum[i][j];
		else UNROLL for (unsigned e = 0; e < 4; e++)
			if (from + e < n) p[e] = sum[i][j][e];
	}
}

// How tiles come to shared memory: a thread moves four elements along k of a row
// of A, and four along a row of B.
struct mover {
	const float *a, *b; // of the next tile
	unsigned a_left, b_left; // elements of the matrices from there on in k, or 0 outside in m or n
	unsigned b_inside;       // elements of the four of B that are inside
	unsigned n;
	int aligned;
	f4 next_a, next_b;
};

INLINE unsigned a_row(void) { return THREAD / 2; }
INLINE unsigned a_k(void) { return THREAD % 2 * 4; }
INLINE unsigned b_k(void) { return THREAD / 32; }
INLINE unsigned b_column(void) { return THREAD % 32 * 4; }

INLINE struct mover mover_of(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
		unsigned row, unsigned column, int aligned) {
	struct mover v;
	row += a_row(), column += b_column();
	v.a = a + (u64)row * k + a_k();
	v.b = b + (u64)b_k() * n + column;
	v.a_left = row < m && a_k() < k ? k - a_k() : 0;
	v.b_left = column < n && b_k() < k ? k - b_k() : 0;
	v.b_inside = n - column;
	v.n = n, v.aligned = aligned;
	return v;
}

// Reads four elements of a row, of which so many are inside the matrix; the others
// are 0 and are not touched. Where rows are aligned it is all or none.
INLINE f4 fetch(const float *p, unsigned inside, int aligned) {
	f4 v = {0, 0, 0, 0};
	if (aligned) return inside ? *(const f4 *)p : v;
	UNROLL for (unsigned i = 0; i < 4; i++)
		if (i < inside) v[i] = p[i];
	return v;
}

INLINE unsigned less(unsigned left) { return left > DEPTH ? left - DEPTH : 0; }

INLINE void next(struct mover *v) {
	v->next_a = fetch(v->a, v->a_left, v->aligned);
	v->next_b = fetch(v->b, v->b_left ? v->b_inside : 0, v->aligned);
	v->a += DEPTH, v->a_left = less(v->a_left);
	v->b += (u64)DEPTH * v->n, v->b_left = less(v->b_left);
}

INLINE void put(const struct mover *v, float *stage) {
	UNROLL for (unsigned i = 0; i < 4; i++) stage[(a_k() + i) * A_PITCH + a_row()] = v->next_a[i];
	*(f4 *)(stage + B_AT + b_k() * TILE + b_column()) = v->next_b;
}

INLINE void sum_up(f4 sum[8][2], struct mover *v, unsigned k, float *shared) {
	next(v);
	put(v, shared);
	barrier();
	KEEP_LOOP for (unsigned at = 0; at < k; at += DEPTH) {
		unsigned tile = at / DEPTH;
		next(v);
		multiply(sum, shared + tile % 2 * STAGE, v->aligned);
		put(v, shared + (tile + 1) % 2 * STAGE);
		barrier();
	}
}

INLINE void block(const float *a, const float *b, float *c, unsigned m, unsigned n, unsigned k, int aligned) {
	unsigned row, column;
	tile_of(BLOCK, tiles_of(m), tiles_of(n), &row, &column);
	row *= TILE, column *= TILE;
	struct mover v = mover_of(a, b, m, n, k, row, column, aligned);
	f4 sum[8][2];
	UNROLL for (unsigned i = 0; i < 8; i++) sum[i][0] = sum[i][1] = (f4){0, 0, 0, 0};
	sum_up(sum, &v, k, SHARED);
	store(c, sum, m, n, row, column, aligned);
}

// n and k multiples of 4: each row begins on a multiple of 16 bytes.
KERNEL(sgemm_sm50, THREADS, 2)(const float *a, const float *b, float *c, unsigned m, unsigned n, unsigned k) {
	block(a, b, c, m, n, k, 1);
}

// Any sizes. Elements are fetched one by one, and the loop is not unrolled, as the
// text would be twice as long.
KERNEL(sgemm_any_sm50, THREADS, 2)(const float *a, const float *b, float *c, unsigned m, unsigned n, unsigned k) {
	block(a, b, c, m, n, k, 0);
}
