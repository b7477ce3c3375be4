// How tiles come to shared memory on compute capability 5.0 to 7.5: through
// registers, the next one while this one is in work. A thread moves four elements
// along k of a row of A, and four along a row of B.
struct S(mover) {
	const float *a, *b; // of the next tile
	unsigned a_left, b_left; // elements of the matrices from there on in k, or 0 outside in m or n
	unsigned b_inside;       // elements of the four of B that are inside
	unsigned n;
	int aligned;
	f4 next_a, next_b;
};

INLINE unsigned S(a_row)(void) { return THREAD / 2; }
INLINE unsigned S(a_k)(void) { return THREAD % 2 * 4; }
INLINE unsigned S(b_k)(void) { return THREAD / 32; }
INLINE unsigned S(b_column)(void) { return THREAD % 32 * 4; }

INLINE struct S(mover) S(mover_of)(const float *a, const float *b, unsigned m, unsigned n, unsigned k,
		unsigned row, unsigned column, int aligned) {
	struct S(mover) v;
	row += S(a_row)(), column += S(b_column)();
	v.a = a + (u64)row * k + S(a_k)();
	v.b = b + (u64)S(b_k)() * n + column;
	v.a_left = row < m && S(a_k)() < k ? k - S(a_k)() : 0;
	v.b_left = column < n && S(b_k)() < k ? k - S(b_k)() : 0;
	v.b_inside = n - column;
	v.n = n, v.aligned = aligned;
	return v;
}

// Reads four elements of a row, of which so many are inside the matrix; the others
// are 0 and are not touched. Where rows are aligned it is all or none.
INLINE f4 S(fetch)(const float *p, unsigned inside, int aligned) {
	f4 v = {0, 0, 0, 0};
	if (aligned) return inside ? *(const f4 *)p : v;
	UNROLL for (unsigned i = 0; i < 4; i++)
		if (i < inside) v[i] = p[i];
	return v;
}

INLINE unsigned S(less)(unsigned left) { return left > DEPTH ? left - DEPTH : 0; }

INLINE void S(next)(struct S(mover) *v) {
	v->next_a = S(fetch)(v->a, v->a_left, v->aligned);
	v->next_b = S(fetch)(v->b, v->b_left ? v->b_inside : 0, v->aligned);
	v->a += DEPTH, v->a_left = S(less)(v->a_left);
	v->b += (u64)DEPTH * v->n, v->b_left = S(less)(v->b_left);
}

INLINE void S(put)(const struct S(mover) *v, float *stage) {
	UNROLL for (unsigned i = 0; i < 4; i++) stage[(S(a_k)() + i) * A_PITCH + S(a_row)()] = v->next_a[i];
	*(f4 *)(stage + B_AT + S(b_k)() * TILE + S(b_column)()) = v->next_b;
}

INLINE void S(sum_up)(f4 sum[8][2], struct S(mover) *v, unsigned k, float *shared) {
	S(next)(v);
	S(put)(v, shared);
	barrier();
	KEEP_LOOP for (unsigned at = 0; at < k; at += DEPTH) {
		unsigned tile = at / DEPTH;
		S(next)(v);
		S(multiply)(sum, shared + tile % 2 * STAGE, v->aligned);
		S(put)(v, shared + (tile + 1) % 2 * STAGE);
		barrier();
	}
}
