// C = A * B on the tensor cores of compute capability 8.0 and later, in fp16,
// bf16 or tf32 (one of -DFP16, -DBF16, -DTF32) with sums in fp32. A is m x k, B
// k x n, C m x n, row-major and dense, all of the same type; tf32 is float in
// memory, and its operands are rounded as they are read.
//
// A block of 128 threads computes 128 x 128 elements of C, each of its four warps
// 64 x 64 by mma.sync (m16n8k16, tf32 m16n8k8). Tiles of A and B are 64 bytes
// deep in k, 16 KiB together, and three of them are in shared memory: 48 KiB, as
// much as a block gets without asking, and two blocks share an SM.
// Sizes may be any. Where a row of A or B does not begin on a multiple of 16 bytes
// its elements are fetched one by one, which is slow.
//
// Limits. For 64 x 64 x 16 elements in fp16 a warp reads 4 KiB of shared memory,
// 32 cycles at 128 bytes a cycle; the tensor cores of an SM of 8.0 take 64 cycles
// (1024 FMA a cycle), those of 8.6 and 8.9 128 or more. Tf32 has half as many
// elements in as many bytes, and takes as long for them. So the tensor cores are
// the limit there. On 9.0 mma.sync does not reach their full rate: that takes
// wgmma, which is no PTX that other GPUs run. About six tenths of the peak is what
// others measured of it: https://arxiv.org/abs/2402.13499.
#include "tile.h"

#define TILE 128
#define THREADS 128
#define STAGES 3
#define STAGE 16384 // bytes
#define A_BYTES 8192

#if defined FP16
#define T(name) VARIANT(gemm_fp16##name)
typedef unsigned short T(_element);
#define MMA mma_fp16
#define PACK pack_fp16
#elif defined BF16
#define T(name) VARIANT(gemm_bf16##name)
typedef unsigned short T(_element);
#define MMA mma_bf16
#define PACK pack_bf16
#elif defined TF32
#define T(name) VARIANT(gemm_tf32##name)
typedef float T(_element);
#define MMA mma_tf32
#endif

#define E T(_element)
#define CHUNK (16 / sizeof(E))    // elements of 16 bytes, the unit of copies
#define DEPTH (4 * CHUNK)         // of a tile in k
#define B_CHUNKS (TILE / CHUNK)   // in a row of B's tile

// Where a chunk lies in a tile, in bytes. The exclusive-or spreads the eight rows
// that ldmatrix reads at once, or a warp's reads of B in tf32, over all banks.
INLINE unsigned T(_a_at)(unsigned row, unsigned chunk) { return (row * 4 + (chunk ^ (row >> 1 & 3))) * 16; }
#ifdef TF32
INLINE unsigned T(_b_at)(unsigned k, unsigned chunk) { return A_BYTES + (k * B_CHUNKS + (chunk ^ (k & 3) * 2)) * 16; }
#else
INLINE unsigned T(_b_at)(unsigned k, unsigned chunk) { return A_BYTES + (k * B_CHUNKS + (chunk ^ (k & 7))) * 16; }
#endif

// What a thread moves of each pair of tiles: four chunks of A, 32 rows apart, and
// four of B, some rows apart.
struct T(_mover) {
	const E *a, *b;          // of the next tile
	unsigned a_rows, a_left; // of the matrix from there on: rows, and elements in k
	unsigned b_left, b_columns;
	unsigned n, k;
};

#define A_ROW (THREAD / 4)
#define A_CHUNK (THREAD % 4)
#define B_ROW (THREAD / B_CHUNKS)
#define B_CHUNK (THREAD % B_CHUNKS)

INLINE unsigned T(_left)(unsigned from, unsigned end) { return from < end ? end - from : 0; }

INLINE struct T(_mover) T(_mover_of)(const E *a, const E *b, unsigned m, unsigned n, unsigned k, unsigned row, unsigned column) {
	struct T(_mover) v;
	row += A_ROW, column += B_CHUNK * CHUNK;
	v.a = a + (u64)row * k + A_CHUNK * CHUNK;
	v.b = b + (u64)B_ROW * n + column;
	v.a_rows = T(_left)(row, m), v.a_left = T(_left)(A_CHUNK * CHUNK, k);
	v.b_left = T(_left)(B_ROW, k), v.b_columns = T(_left)(column, n);
	v.n = n, v.k = k;
	return v;
}

// Moves a chunk of which so many elements are inside the matrix; the others become
// 0 and are not touched. Where each row begins on a multiple of 16 bytes it is all
// or none, and cp.async moves it.
INLINE void T(_copy)(char *to, const E *from, unsigned inside, int aligned) {
	if (aligned) cp_async(to, from, inside > 0);
	else KEEP_LOOP for (unsigned i = 0; i < CHUNK; i++) ((E *)(void *)to)[i] = i < inside ? from[i] : 0;
}

INLINE void T(_copy_a)(const struct T(_mover) *v, char *stage, unsigned i, int aligned) {
	unsigned row = 32 * i;
	T(_copy)(stage + T(_a_at)(A_ROW + row, A_CHUNK), v->a + (u64)row * v->k, row < v->a_rows ? v->a_left : 0, aligned);
}
INLINE void T(_copy_b)(const struct T(_mover) *v, char *stage, unsigned i, int aligned) {
	unsigned row = THREADS / B_CHUNKS * i;
	T(_copy)(stage + T(_b_at)(B_ROW + row, B_CHUNK), v->b + (u64)row * v->n, row < v->b_left ? v->b_columns : 0, aligned);
}

INLINE void T(_next)(struct T(_mover) *v, char *stage) {
	if (v->k % CHUNK == 0) UNROLL for (unsigned i = 0; i < 4; i++) T(_copy_a)(v, stage, i, 1);
	else KEEP_LOOP for (unsigned i = 0; i < 4; i++) T(_copy_a)(v, stage, i, 0);
	if (v->n % CHUNK == 0) UNROLL for (unsigned i = 0; i < 4; i++) T(_copy_b)(v, stage, i, 1);
	else KEEP_LOOP for (unsigned i = 0; i < 4; i++) T(_copy_b)(v, stage, i, 0);
	v->a += DEPTH, v->a_left = T(_left)(DEPTH, v->a_left);
	v->b += (u64)DEPTH * v->n, v->b_left = T(_left)(DEPTH, v->b_left);
}

// Operands of a step of half a tile in k: four times 16 rows of A, eight times
// 8 columns of B.
struct T(_operands) {
	u4 a[4];
	unsigned b[8][2];
};

#define LANE (THREAD % 32)
#define WARP_ROW (THREAD / 64 * 64)
#define WARP_COLUMN (THREAD / 32 % 2 * 64)

#ifdef TF32
// To the nearest of 10 bits of mantissa, ties away from 0, as cvt.rna.tf32 does,
// which takes six instructions where this takes two, and would be the limit. The
// price: a NaN whose mantissa begins with eleven ones becomes 0.
INLINE unsigned T(_round)(unsigned v) { return (v + 0x1000) & ~0x1fffu; }
#endif

INLINE void T(_read)(struct T(_operands) *o, const char *stage, unsigned step) {
	UNROLL for (unsigned i = 0; i < 4; i++) {
		o->a[i] = ldmatrix(stage + T(_a_at)(WARP_ROW + 16 * i + LANE % 16, 2 * step + LANE / 16));
#ifdef TF32
		UNROLL for (unsigned j = 0; j < 4; j++) o->a[i][j] = T(_round)(o->a[i][j]);
#endif
	}
#ifdef TF32
	UNROLL for (unsigned i = 0; i < 8; i++) UNROLL for (unsigned half = 0; half < 2; half++) {
		unsigned k = 8 * step + 4 * half + LANE % 4, column = WARP_COLUMN + 8 * i + LANE / 4;
		o->b[i][half] = T(_round)(*(const unsigned *)(const void *)(stage + T(_b_at)(k, column / 4) + column % 4 * 4));
	}
#else
	UNROLL for (unsigned i = 0; i < 8; i += 2) {
		u4 b = ldmatrix_trans(stage + T(_b_at)(16 * step + LANE % 16, WARP_COLUMN / 8 + i + LANE / 16));
		o->b[i][0] = b[0], o->b[i][1] = b[1], o->b[i + 1][0] = b[2], o->b[i + 1][1] = b[3];
	}
#endif
}

INLINE void T(_multiply)(f4 sum[4][8], const struct T(_operands) *o) {
	UNROLL for (unsigned i = 0; i < 4; i++)
		UNROLL for (unsigned j = 0; j < 8; j++) MMA(&sum[i][j], o->a[i], o->b[j][0], o->b[j][1]);
}

// While the tensor cores work on one half of a tile, the operands of the next are
// read, and the tile after the next is on its way.
INLINE void T(_sum_up)(f4 sum[4][8], struct T(_mover) *v, char *shared) {
	struct T(_operands) first, second;
	KEEP_LOOP for (unsigned i = 0; i < STAGES - 1; i++) {
		T(_next)(v, shared + i * STAGE);
		cp_async_commit();
	}
	cp_async_wait(STAGES - 2);
	barrier();
	T(_read)(&first, shared, 0);
	char *now = shared, *end = shared + STAGES * STAGE, *later = end - STAGE;
	KEEP_LOOP for (unsigned k = 0; k < v->k; k += DEPTH) {
		T(_next)(v, later);
		cp_async_commit();
		T(_read)(&second, now, 1);
		T(_multiply)(sum, &first);
		later = now, now = now + STAGE == end ? shared : now + STAGE;
		cp_async_wait(STAGES - 2); // the next tile's group is done
		barrier();                 // for all threads, and this tile has been read
		T(_read)(&first, now, 0);
		T(_multiply)(sum, &second);
	}
	cp_async_wait(0); // or tiles past the end, all 0, would fall into what comes next
}

// The result goes by way of shared memory, so that whole rows of the tile are
// written at once, 32 KiB at a time: in tf32 in two passes, each of half the rows
// of each warp. The pitch makes the banks that a warp writes all different.
#define PASSES (sizeof(E) / 2)
#define C_PITCH (TILE + 8)

INLINE void T(_keep)(E *to, float left, float right) {
#ifdef TF32
	*(f2 *)to = (f2){left, right};
#else
	*(unsigned *)(void *)to = PACK(left, right);
#endif
}

INLINE void T(_store)(E *c, E *shared, f4 sum[4][8], unsigned m, unsigned n, unsigned row, unsigned column) {
	UNROLL for (unsigned pass = 0; pass < PASSES; pass++) {
		const unsigned rows = 64 / PASSES; // of a warp
		barrier();
		UNROLL for (unsigned i = 0; i < 4 / PASSES; i++) UNROLL for (unsigned j = 0; j < 8; j++) {
			f4 s = sum[pass * 4 / PASSES + i][j];
			E *to = shared + (WARP_ROW / PASSES + 16 * i + LANE / 4) * C_PITCH + WARP_COLUMN + 8 * j + LANE % 4 * 2;
			T(_keep)(to, s[0], s[1]);
			T(_keep)(to + 8 * C_PITCH, s[2], s[3]);
		}
		barrier();
		KEEP_LOOP for (unsigned i = B_ROW; i < 2 * rows; i += THREADS / B_CHUNKS) {
			unsigned r = row + i / rows * 64 + pass * rows + i % rows, from = column + B_CHUNK * CHUNK;
			unsigned inside = r < m ? T(_left)(from, n) : 0;
			const E *kept = shared + i * C_PITCH + B_CHUNK * CHUNK;
			E *to = c + (u64)r * n + from;
			if (n % CHUNK == 0 && inside) *(u4 *)(void *)to = *(const u4 *)(const void *)kept;
			else KEEP_LOOP for (unsigned e = 0; e < CHUNK; e++)
				if (e < inside) to[e] = kept[e];
		}
	}
}

KERNEL(T(), THREADS, 2)(const E *a, const E *b, E *c, unsigned m, unsigned n, unsigned k) {
	unsigned row, column;
	tile_of(BLOCK, tiles_of(m, TILE), tiles_of(n, TILE), &row, &column);
	row *= TILE, column *= TILE;
	struct T(_mover) v = T(_mover_of)(a, b, m, n, k, row, column);
	f4 sum[4][8];
	UNROLL for (unsigned i = 0; i < 4; i++) UNROLL for (unsigned j = 0; j < 8; j++) sum[i][j] = (f4){0, 0, 0, 0};
	T(_sum_up)(sum, &v, SHARED(char));
	T(_store)(c, SHARED(E), sum, m, n, row, column);
}

#undef A_ROW
#undef A_CHUNK
#undef B_ROW
#undef B_CHUNK
#undef PASSES
#undef C_PITCH
#undef TILE
#undef THREADS
#undef STAGES
#undef STAGE
#undef A_BYTES
#undef T
#undef MMA
#undef PACK
#undef E
#undef CHUNK
#undef DEPTH
#undef B_CHUNKS
#undef LANE
#undef WARP_ROW
#undef WARP_COLUMN
