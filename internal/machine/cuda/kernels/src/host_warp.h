// Instructions that the 32 lanes of a warp carry out together, on a CPU. Which
// element of a fragment is whose is taken from the PTX ISA, sections "Matrix
// Fragments for mma.m16n8k16", "mma.m16n8k8" and "ldmatrix":
// https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions.
// That of wmma is not documented, so this one is our own.

static float host_float(uint32_t bits) { float f; memcpy(&f, &bits, 4); return f; }
static uint32_t host_bits(float f) { uint32_t bits; memcpy(&bits, &f, 4); return bits; }

// Types of elements as on a GPU. To the nearest, ties to even.
static float host_from_bf16(uint16_t v) { return host_float((uint32_t)v << 16); }
unsigned short round_bf16(float f) {
	uint32_t b = host_bits(f);
	if (f != f) return 0x7fff;
	return (uint16_t)((b + 0x7fff + (b >> 16 & 1)) >> 16);
}

static float host_from_fp16(uint16_t v) {
	uint32_t sign = (uint32_t)(v & 0x8000) << 16, rest = v & 0x7fff;
	if (rest >= 0x7c00) return host_float(sign | 0x7f800000 | (rest & 0x3ff) << 13); // infinity, NaN
	if (rest < 0x400) return host_float(sign | host_bits((float)rest * 0x1p-24f));   // below 2^-14
	return host_float(sign | ((rest << 13) + (112u << 23)));
}
unsigned short round_fp16(float f) {
	uint32_t b = host_bits(f), sign = b >> 16 & 0x8000;
	float size = host_float(b & 0x7fffffff);
	if (f != f) return 0x7fff;
	if (size >= 65520) return (uint16_t)(sign | 0x7c00);
	if (size < 0x1p-14f) return (uint16_t)(sign | (host_bits(size + 0.5f) - host_bits(0.5f))); // the addition rounds
	b = host_bits(size) - (112u << 23);
	return (uint16_t)(sign | ((b + 0xfff + (b >> 13 & 1)) >> 13));
}

unsigned pack_fp16(float first, float second) { return round_fp16(first) | (unsigned)round_fp16(second) << 16; }
unsigned pack_bf16(float first, float second) { return round_bf16(first) | (unsigned)round_bf16(second) << 16; }

struct host_ldmatrix { uint16_t row[8]; int trans; u4 result; };

static void host_do_ldmatrix(void *operands[HOST_WARP]) {
	struct host_ldmatrix **o = (struct host_ldmatrix **)operands;
	for (unsigned lane = 0; lane < HOST_WARP; lane++) for (unsigned i = 0; i < 4; i++) {
		unsigned row = lane / 4, column = lane % 4 * 2;
		uint16_t low = o[8 * i + row]->row[column], high = o[8 * i + row]->row[column + 1];
		if (o[lane]->trans) low = o[8 * i + column]->row[row], high = o[8 * i + column + 1]->row[row];
		o[lane]->result[i] = low | (uint32_t)high << 16;
	}
}

static u4 host_ldmatrix(const void *row, int trans) {
	struct host_ldmatrix o = {{0}, trans, {0}};
	host_must((uintptr_t)row % 16 == 0, "a misaligned address");
	HOST_TRACE(HOST_READ, row, 16);
	memcpy(o.row, row, 16);
	host_together(host_do_ldmatrix, &o);
	return o.result;
}
u4 ldmatrix(const void *row) { return host_ldmatrix(row, 0); }
u4 ldmatrix_trans(const void *row) { return host_ldmatrix(row, 1); }

struct host_mma { f4 *sum; u4 a; unsigned b[2]; };

// sum += a * b, with 16 x depth elements of a, depth x 8 of b.
static void host_multiply(struct host_mma **o, float a[16][16], float b[16][8], unsigned depth) {
	for (unsigned lane = 0; lane < HOST_WARP; lane++) for (unsigned i = 0; i < 4; i++) {
		unsigned row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
		double sum = (*o[lane]->sum)[i];
		for (unsigned k = 0; k < depth; k++) sum += (double)a[row][k] * b[k][column];
		(*o[lane]->sum)[i] = (float)sum;
	}
}

static void host_do_mma_16(void *operands[HOST_WARP], float (*from)(uint16_t)) {
	struct host_mma **o = (struct host_mma **)operands;
	float a[16][16], b[16][8];
	for (unsigned lane = 0; lane < HOST_WARP; lane++) {
		unsigned group = lane / 4, k = lane % 4 * 2;
		for (unsigned i = 0; i < 8; i++)
			a[group + i / 2 % 2 * 8][k + i % 2 + i / 4 * 8] = from((uint16_t)(o[lane]->a[i / 2] >> i % 2 * 16));
		for (unsigned i = 0; i < 4; i++) b[k + i % 2 + i / 2 * 8][group] = from((uint16_t)(o[lane]->b[i / 2] >> i % 2 * 16));
	}
	host_multiply(o, a, b, 16);
}
static void host_do_mma_fp16(void *operands[HOST_WARP]) { host_do_mma_16(operands, host_from_fp16); }
static void host_do_mma_bf16(void *operands[HOST_WARP]) { host_do_mma_16(operands, host_from_bf16); }

// The tensor cores have no use for the last 13 bits, so here they spoil the result.
static float host_from_tf32(uint32_t v) { return v & 0x1fff ? host_float(0x7fc00000) : host_float(v); }

static void host_do_mma_tf32(void *operands[HOST_WARP]) {
	struct host_mma **o = (struct host_mma **)operands;
	float a[16][16], b[16][8];
	for (unsigned lane = 0; lane < HOST_WARP; lane++) {
		unsigned group = lane / 4, k = lane % 4;
		for (unsigned i = 0; i < 4; i++) a[group + i % 2 * 8][k + i / 2 * 4] = host_from_tf32(o[lane]->a[i]);
		for (unsigned i = 0; i < 2; i++) b[k + i * 4][group] = host_from_tf32(o[lane]->b[i]);
	}
	host_multiply(o, a, b, 8);
}

static void host_mma(void (*perform)(void **), f4 *sum, u4 a, unsigned b0, unsigned b1) {
	struct host_mma o = {sum, a, {b0, b1}};
	host_together(perform, &o);
}
void mma_fp16(f4 *sum, u4 a, unsigned b0, unsigned b1) { host_mma(host_do_mma_fp16, sum, a, b0, b1); }
void mma_bf16(f4 *sum, u4 a, unsigned b0, unsigned b1) { host_mma(host_do_mma_bf16, sum, a, b0, b1); }
void mma_tf32(f4 *sum, u4 a, unsigned b0, unsigned b1) { host_mma(host_do_mma_tf32, sum, a, b0, b1); }

// A lane holds half a row of a fragment of wmma, in the lower halves of an
// operand's words.
struct host_wmma { struct wmma_sum *sum; const struct wmma_operand *a, *b; };

#define HOST_ROW(lane) ((lane) % 16)
#define HOST_COLUMN(lane) ((lane) / 16 * 8)

static void host_do_wmma(void *operands[HOST_WARP]) {
	struct host_wmma **o = (struct host_wmma **)operands;
	float a[16][16], b[16][16];
	for (unsigned lane = 0; lane < HOST_WARP; lane++) for (unsigned i = 0; i < 8; i++) {
		a[HOST_ROW(lane)][HOST_COLUMN(lane) + i] = host_from_fp16((uint16_t)o[lane]->a->v[i]);
		b[HOST_ROW(lane)][HOST_COLUMN(lane) + i] = host_from_fp16((uint16_t)o[lane]->b->v[i]);
	}
	for (unsigned lane = 0; lane < HOST_WARP; lane++) for (unsigned i = 0; i < 8; i++) {
		double sum = o[lane]->sum->v[i];
		for (unsigned k = 0; k < 16; k++) sum += (double)a[HOST_ROW(lane)][k] * b[k][HOST_COLUMN(lane) + i];
		o[lane]->sum->v[i] = (float)sum;
	}
}

static void host_do_nothing(void *operands[HOST_WARP]) { (void)operands; }
void barrier_warp(void) {
	host_together(host_do_nothing, NULL);
	HOST_TRACE(HOST_WARP_BARRIER, NULL, 0);
}

// Loads and stores of fragments: the whole warp comes to them, then each lane
// does its part.
struct wmma_operand wmma_load_a(const unsigned short *from, unsigned pitch) {
	struct wmma_operand o;
	unsigned lane = host_thread % HOST_WARP;
	host_must((uintptr_t)from % 32 == 0 && pitch % 8 == 0, "a misaligned fragment");
	host_together(host_do_nothing, NULL);
	for (unsigned i = 0; i < 8; i++) o.v[i] = from[HOST_ROW(lane) * pitch + HOST_COLUMN(lane) + i];
	return o;
}
struct wmma_operand wmma_load_b(const unsigned short *from, unsigned pitch) { return wmma_load_a(from, pitch); }

void wmma_mma(struct wmma_sum *sum, const struct wmma_operand *a, const struct wmma_operand *b) {
	struct host_wmma o = {sum, a, b};
	host_together(host_do_wmma, &o);
}

void wmma_store(float *to, const struct wmma_sum *sum, unsigned pitch) {
	unsigned lane = host_thread % HOST_WARP;
	host_must((uintptr_t)to % 32 == 0 && pitch % 4 == 0, "a misaligned fragment");
	host_together(host_do_nothing, NULL);
	for (unsigned i = 0; i < 8; i++) to[HOST_ROW(lane) * pitch + HOST_COLUMN(lane) + i] = sum->v[i];
}
