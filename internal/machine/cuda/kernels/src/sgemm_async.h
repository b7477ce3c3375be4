// How tiles come to shared memory from compute capability 8.0 on: by cp.async,
// three ahead of the one in work, past the registers. A thread moves four single
// elements of A, as they change place, and four neighbours of B.
struct S(mover) {
	const float *a, *b; // of the next tile
	unsigned a_left, b_left; // elements of the matrices from there on in k, or 0 outside in n
	unsigned a_rows;         // from there on; b_inside: columns
	unsigned b_inside;
	unsigned n, k;
	int aligned;
};

INLINE unsigned S(a_row)(void) { return THREAD / DEPTH; }
INLINE unsigned S(a_k)(void) { return THREAD % DEPTH; }
INLINE unsigned S(b_k)(void) { return THREAD / 32; }
INLINE unsigned S(b_column)(void) { return THREAD % 32 * 4; }

INLINE struct S(mover) S(mover_of)(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
		unsigned row, unsigned column, int aligned) {
	struct S(mover) v;
	row += S(a_row)(), column += S(b_column)();
	v.a = a + (u64)row * k + S(a_k)();
	v.b = b + (u64)S(b_k)() * n + column;
	v.a_left = S(a_k)() < k ? k - S(a_k)() : 0;
	v.b_left = column < n && S(b_k)() < k ? k - S(b_k)() : 0;
	v.a_rows = row < m ? m - row : 0;
	v.b_inside = n - column;
	v.n = n, v.k = k, v.aligned = aligned;
	return v;
}

INLINE unsigned S(less)(unsigned left) { return left > DEPTH ? left - DEPTH : 0; }

INLINE void S(next)(struct S(mover) *v, float *stage) {
	float *a = stage + S(a_k)() * A_PITCH + S(a_row)();
	float *b = stage + B_AT + S(b_k)() * TILE + S(b_column)();
	UNROLL for (unsigned row = 0; row < TILE; row += THREADS / DEPTH)
		cp_async_4(a + row, v->a + (u64)row * v->k, v->a_left && row < v->a_rows);
	UNROLL for (unsigned k = 0; k < DEPTH; k += THREADS / 32) {
		const float *from = v->b + (u64)k * v->n;
		if (v->aligned) cp_async(b + k * TILE, from, k < v->b_left);
		else UNROLL for (unsigned i = 0; i < 4; i++) cp_async_4(b + k * TILE + i, from + i, k < v->b_left && i < v->b_inside);
	}
	v->a += DEPTH, v->a_left = S(less)(v->a_left);
	v->b += (u64)DEPTH * v->n, v->b_left = S(less)(v->b_left);
}

INLINE void S(sum_up)(f4 sum[8][2], struct S(mover) *v, unsigned k, float *shared) {
	KEEP_LOOP for (unsigned i = 0; i < STAGES - 1; i++) {
		S(next)(v, shared + i * STAGE);
		cp_async_commit();
	}
	KEEP_LOOP for (unsigned at = 0; at < k; at += DEPTH) {
		unsigned tile = at / DEPTH;
		cp_async_wait(STAGES - 2); // this tile's group is done
		barrier();                 // for all threads, and the last tile is used up
		S(next)(v, shared + (tile + STAGES - 1) % STAGES * STAGE);
		cp_async_commit();
		S(multiply)(sum, shared + tile % STAGES * STAGE, v->aligned);
	}
	cp_async_wait(0);
}
