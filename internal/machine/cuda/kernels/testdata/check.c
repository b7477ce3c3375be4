// Runs a kernel on the CPU and holds the result against float64:
//
//	check list                          name, threads and shared memory of all
//	check KERNEL DTYPE M N K            in several schedules
//
// Each matrix ends where a page ends that nobody may touch, then begins where
// one begins: a read or a write outside of it ends the process.
#ifdef TRACE // with trace.c
void trace(int event, const void *address, unsigned size);
#define HOST_TRACE trace
#endif
#include "host.c" // with -I src
#include <math.h>

struct matrix {
	char *bytes;
	unsigned rows, columns;
};

static const char *dtype;

static int is(const char *name) { return !strcmp(dtype, name); }
static size_t size_of(void) { return is("fp16") || is("bf16") ? 2 : 4; }

// A matrix between two forbidden pages, against the one or the other.
static struct matrix matrix(unsigned rows, unsigned columns, int at_end) {
	size_t bytes = size_of() * rows * columns;
	size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (bytes + page - 1) / page * page;
	char *p = mmap(NULL, room + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED || mprotect(p, page, PROT_NONE) || mprotect(p + page + room, page, PROT_NONE)) exit(3);
	return (struct matrix){p + page + (at_end ? room - bytes : 0), rows, columns};
}

static double get(struct matrix x, size_t i) {
	float f;
	if (is("fp16")) return host_from_fp16(((uint16_t *)(void *)x.bytes)[i]);
	if (is("bf16")) return host_from_bf16(((uint16_t *)(void *)x.bytes)[i]);
	memcpy(&f, x.bytes + 4 * i, 4);
	return f;
}

static void set(struct matrix x, size_t i, double v) {
	float f = (float)v;
	if (is("fp16")) ((uint16_t *)(void *)x.bytes)[i] = round_fp16(f);
	else if (is("bf16")) ((uint16_t *)(void *)x.bytes)[i] = round_bf16(f);
	else memcpy(x.bytes + 4 * i, &f, 4);
}

static double rounded(double v) {
	if (is("fp16")) return host_from_fp16(round_fp16((float)v));
	if (is("bf16")) return host_from_bf16(round_bf16((float)v));
	return v;
}

static double operand(struct matrix x, size_t i) {
	return is("tf32") ? host_float((host_bits((float)get(x, i)) + 0x1000) & ~0x1fffu) : get(x, i);
}

// Whole numbers, whose products and sums float32 holds exactly: one product too
// few or twice is seen. Or others, that show how operands are rounded.
static void fill(struct matrix x, int whole, uint64_t seed) {
	for (size_t i = 0; i < (size_t)x.rows * x.columns; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		int r = (int)(seed >> 40);
		set(x, i, whole ? r % 9 - 4 : r / 16777216.0 - 0.5);
	}
}

static int compare(struct matrix a, struct matrix b, struct matrix c, int whole) {
	for (unsigned i = 0; i < c.rows; i++) for (unsigned j = 0; j < c.columns; j++) {
		double sum = 0, size = 0;
		for (unsigned k = 0; k < a.columns; k++) {
			double product = operand(a, (size_t)i * a.columns + k) * operand(b, (size_t)k * b.columns + j);
			sum += product, size += fabs(product);
		}
		double got = get(c, (size_t)i * c.columns + j);
		double may = whole ? 0 : size * 1e-6 + fabs(sum) * (is("fp16") ? 1e-3 : is("bf16") ? 8e-3 : 0);
		if (fabs(got - rounded(sum)) <= may) continue; // NaN is wrong, too
		printf("C[%u][%u] is %g, not %g\n", i, j, got, rounded(sum));
		return 0;
	}
	return 1;
}

// The first result of these operands must be right; the others must be the same.
static int run(const struct host_kernel *k, unsigned m, unsigned n, unsigned depth, struct host_schedule s, int at_end, int whole,
		struct matrix *first) {
	struct matrix a = matrix(m, depth, at_end), b = matrix(depth, n, at_end), c = matrix(m, n, at_end);
	fill(a, whole, 1), fill(b, whole, 2);
	memset(c.bytes, 0xff, size_of() * m * n); // NaN
	void *params[] = {&a.bytes, &b.bytes, &c.bytes, &m, &n, &depth};
	host_schedule = s;
	const char *fault = host_launch(k, (m + k->tile_m - 1) / k->tile_m * ((n + k->tile_n - 1) / k->tile_n), k->threads, k->shared, params);
	if (fault) return printf("%s\n", fault), 0;
	if (!first->bytes) {
		*first = c;
		return compare(a, b, c, whole);
	}
	if (!memcmp(first->bytes, c.bytes, size_of() * m * n)) return 1;
	printf("another result in another order\n");
	return 0;
}

static const struct host_schedule schedules[] = {
	{HOST_FORWARD, HOST_AT_ONCE}, {HOST_BACKWARD, HOST_LATE}, {HOST_SHUFFLED, HOST_SOMETIME}, {HOST_FORWARD, HOST_SOMETIME},
};

int main(int count, char **words) {
	if (count == 2)
		for (unsigned i = 0; i < sizeof host_kernels / sizeof host_kernels[0]; i++) {
			const struct host_kernel *k = &host_kernels[i];
			printf("%s %u %u %u %u\n", k->name, k->threads, k->shared, k->tile_m, k->tile_n);
		}
	if (count != 6) return 0;
	const struct host_kernel *k = host_kernel_named(words[1]);
	if (!k) return 2;
	dtype = words[2];
	unsigned m = (unsigned)atoi(words[3]), n = (unsigned)atoi(words[4]), depth = (unsigned)atoi(words[5]);
	struct matrix whole = {0}, other = {0};
#ifdef TRACE // its rules hold accesses against barriers, whatever was the order: two will do, which are opposites
	enum { ORDERS = 2 };
#else
	enum { ORDERS = 4 };
#endif
	for (int i = 0; i < ORDERS; i++)
		if (!run(k, m, n, depth, schedules[i], i % 2 == 0, 1, &whole)) return printf("in schedule %d\n", i), 1;
	return ORDERS == 2 || run(k, m, n, depth, schedules[0], 1, 0, &other) ? 0 : 1;
}
