/*
 * What the fake cards of fake_nvml.c say of themselves. A value below 0 is an
 * error, the negative of NVML's return value; all others are the driver's words,
 * also those by which it says that it does not know.
 */

enum { GRAPHICS, SM, MEMORY };
enum { NS = -3, DENIED = -4, GONE = -15, ALL_ONES = 0xFFFFFFFFLL };

struct instance;

struct readings {
	long long cores, bus;
	long long now[3], max[3];
	long long draw, enforced, limit; /* milliwatts */
	long long temperature, throttle;
	long long generation, width, max_generation, max_width;
	long long loaded; /* the generation while data is copied */
	long long ecc, corrected, uncorrected;
	long long rows, rows_uncorrectable, rows_pending, rows_failed;
	long long mig, links, active;
	long long persistence, virtualization, fabric;
	const struct instance *instances[8];
};

struct card {
	const char *name, *uuid;
	unsigned long long mebibytes;
	int major, minor;
	int handle, memory, compute; /* what the calls about it return */
	const struct readings *readings;
};

/* A MIG device: its slices, and its part of the GPU. */
struct instance {
	struct card card;
	unsigned slices, compute_slices, sms;
	unsigned long long mebibytes;
};

/* Two GeForce GPUs: no ECC, no rows, no MIG, no NVLink on the older; an idle bus. */
static const struct readings gtx1080ti = {
	.cores = 3584, .bus = 352, .now = {139, 139, 405}, .max = {1911, 1911, 5505},
	.draw = 9318, .enforced = 250000, .limit = 250000, .temperature = 31, .throttle = 0x1,
	.generation = 1, .width = 16, .max_generation = 3, .max_width = 16, .loaded = 3,
	.ecc = NS, .corrected = NS, .uncorrected = NS,
	.rows = NS, .mig = NS, .links = NS, .persistence = 0, .virtualization = 0, .fabric = NS,
};
static const struct readings rtx3090 = {
	.cores = 10496, .bus = 384, .now = {1695, 1695, 9501}, .max = {2100, 2100, 9751},
	.draw = 349870, .enforced = 350000, .limit = 350000, .temperature = 83, .throttle = 0x4 | 0x20,
	.generation = 1, .width = 8, .max_generation = 4, .max_width = 16, .loaded = 4,
	.ecc = NS, .corrected = NS, .uncorrected = NS,
	.rows = 0, .rows_uncorrectable = 0, .rows_pending = 0, .rows_failed = 0,
	.mig = NS, .links = 4, .active = 0, .persistence = 1, .virtualization = 0, .fabric = NS,
};

#define HOPPER \
	.cores = 16896, .bus = 5120, .now = {1980, 1980, 2619}, .max = {1980, 1980, 2619}, \
	.draw = 118204, .enforced = 700000, .limit = 700000, .temperature = 0, .throttle = 0, \
	.generation = 5, .width = 16, .max_generation = 5, .max_width = 16, .loaded = 5, \
	.links = 18, .persistence = 1, .virtualization = 1
static const struct readings h100 = {
	HOPPER, .active = 18, .ecc = 1, .corrected = 0, .uncorrected = 0, .rows = 0, .mig = 0, .fabric = 3,
};
/* One with worn memory, of which an error has cost a row, and a link that is down. */
static const struct readings h100_worn = {
	HOPPER, .active = 17, .ecc = 1, .corrected = 5000000000LL, .uncorrected = 2,
	.rows = 3, .rows_uncorrectable = 1, .rows_pending = 1, .rows_failed = 0, .mig = 0, .fabric = 3,
};
/* Older drivers give a MIG device the name of its GPU. */
static const struct instance mig_3g = {{.name = "NVIDIA H100 80GB HBM3 MIG 3g.40gb", .uuid = "MIG-1"}, 3, 3, 60, 40448};
static const struct instance mig_1g = {{.name = "NVIDIA H100 80GB HBM3", .uuid = "MIG-2"}, 1, 1, 16, 9856};
static const struct instance mig_1c = {{.name = "NVIDIA H100 80GB HBM3", .uuid = "MIG-3"}, 3, 1, 16, 40448};
static const struct readings h100_divided = {
	HOPPER, .active = 18, .ecc = 1, .corrected = 0, .uncorrected = 0, .rows = 0, .mig = 1, .fabric = 3,
	.instances = {&mig_3g, 0, &mig_1g, &mig_1c},
};
static const struct readings h100_waiting = {
	HOPPER, .active = 0, .ecc = 1, .corrected = 0, .uncorrected = 0, .rows = 0, .mig = 0, .fabric = 2,
};

/* Drivers also use special numbers for unknown values. */
static const struct readings sentinels = {
	.cores = 0, .bus = 0, .now = {0, ALL_ONES, ALL_ONES}, .max = {0, ALL_ONES, 0},
	.draw = ALL_ONES, .enforced = NS, .limit = 0, .temperature = ALL_ONES, .throttle = 1LL << 40,
	.generation = 0, .width = 0, .max_generation = ALL_ONES, .max_width = 0, .loaded = 0,
	.ecc = 0, .corrected = NS, .uncorrected = ALL_ONES,
	.rows = ALL_ONES, .mig = 0, .links = 0, .active = 0, .persistence = 0, .virtualization = 9, .fabric = 0,
};
/* Queries that a user may not make, and other errors. */
static const struct readings refused = {
	.cores = DENIED, .bus = -17, .now = {-999, -25, -13}, .max = {-6, NS, NS},
	.draw = DENIED, .enforced = -1, .limit = 170000, .temperature = -27, .throttle = DENIED,
	.generation = NS, .width = NS, .max_generation = NS, .max_width = NS,
	.ecc = DENIED, .corrected = DENIED, .uncorrected = DENIED,
	.rows = DENIED, .mig = DENIED, .links = -999, .persistence = NS, .virtualization = NS, .fabric = NS,
};
/* A GPU that falls off the bus while it is read. */
static const struct readings falling = {
	.cores = 10496, .bus = 384, .now = {1695, 1695, 9501}, .max = {2100, 2100, 9751},
	.draw = GONE, .enforced = 1, .limit = 1, .temperature = 1, .throttle = 0,
	.generation = 1, .width = 1, .max_generation = 1, .max_width = 1,
};

#if !defined FAKE_OLD

#define GIVE(value, to) do { \
	long long give_ = !c->readings ? NS : (value); \
	if (give_ < 0) \
		return (int)-give_; \
	*(to) = give_; \
	return SUCCESS; \
} while (0)

static const struct readings *readings(const struct card *c) { return c->readings; }

/* busy reports whether the fake libcuda is copying. */
static int busy(void) { const char *b = getenv("FAKE_BUSY"); return b && *b == '1'; }

int nvmlDeviceGetClockInfo(const struct card *c, unsigned kind, unsigned *v) { GIVE(readings(c)->now[kind], v); }
int nvmlDeviceGetMaxClockInfo(const struct card *c, unsigned kind, unsigned *v) { GIVE(readings(c)->max[kind], v); }
int nvmlDeviceGetPowerUsage(const struct card *c, unsigned *v) { GIVE(readings(c)->draw, v); }
int nvmlDeviceGetEnforcedPowerLimit(const struct card *c, unsigned *v) { GIVE(readings(c)->enforced, v); }
int nvmlDeviceGetPowerManagementLimit(const struct card *c, unsigned *v) { GIVE(readings(c)->limit, v); }
int nvmlDeviceGetTemperature(const struct card *c, unsigned sensor, unsigned *v) { GIVE(sensor ? NS : readings(c)->temperature, v); }
int nvmlDeviceGetCurrPcieLinkGeneration(const struct card *c, unsigned *v) { GIVE(busy() ? readings(c)->loaded : readings(c)->generation, v); }
int nvmlDeviceGetCurrPcieLinkWidth(const struct card *c, unsigned *v) { GIVE(busy() ? readings(c)->max_width : readings(c)->width, v); }
int nvmlDeviceGetMaxPcieLinkGeneration(const struct card *c, unsigned *v) { GIVE(readings(c)->max_generation, v); }
int nvmlDeviceGetMaxPcieLinkWidth(const struct card *c, unsigned *v) { GIVE(readings(c)->max_width, v); }
int nvmlDeviceGetPersistenceMode(const struct card *c, unsigned *v) { GIVE(readings(c)->persistence, v); }
int nvmlDeviceGetVirtualizationMode(const struct card *c, unsigned *v) { GIVE(readings(c)->virtualization, v); }

static int number(const char *variable) { const char *v = getenv(variable); return v ? atoi(v) : 0; }

struct used { unsigned gpu, memory; };

int nvmlDeviceGetUtilizationRates(const struct card *c, struct used *u)
{
	u->memory = 0;
	GIVE(number("FAKE_USED"), &u->gpu);
}

int nvmlDeviceGetComputeMode(const struct card *c, unsigned *v) { GIVE(number("FAKE_MODE"), v); }

int nvmlDeviceGetEccMode(const struct card *c, unsigned *now, unsigned *pending)
{
	*pending = 1; /* to be seen if it is taken */
	GIVE(readings(c)->ecc, now);
}

int nvmlDeviceGetTotalEccErrors(const struct card *c, unsigned uncorrected, unsigned aggregate, unsigned long long *v)
{
	if (aggregate)
		return NOT_SUPPORTED;
	GIVE(uncorrected ? readings(c)->uncorrected : readings(c)->corrected, v);
}

int nvmlDeviceGetRemappedRows(const struct card *c, unsigned *correctable, unsigned *uncorrectable, unsigned *pending, unsigned *failed)
{
	if (c->readings && c->readings->rows >= 0) {
		*uncorrectable = c->readings->rows_uncorrectable;
		*pending = c->readings->rows_pending;
		*failed = c->readings->rows_failed;
	}
	GIVE(readings(c)->rows, correctable);
}

int nvmlDeviceGetMigMode(const struct card *c, unsigned *now, unsigned *pending)
{
	*pending = 1;
	GIVE(readings(c)->mig, now);
}

int nvmlDeviceGetMaxMigDeviceCount(const struct card *c, unsigned *v) { GIVE(7, v); }

int nvmlDeviceGetMigDeviceHandleByIndex(const struct card *c, unsigned i, const struct card **v)
{
	if (!c->readings || i > 6)
		return INVALID_ARGUMENT;
	*v = &c->readings->instances[i]->card;
	return *v ? SUCCESS : 6; /* not found */
}

struct attributes {
	unsigned sms, copy, decoder, encoder, jpeg, ofa, slices, compute_slices;
	unsigned long long mebibytes;
};

int nvmlDeviceGetAttributes_v2(const struct card *c, struct attributes *a)
{
	const struct instance *i = (const struct instance *)c;
	if (strncmp(c->uuid, "MIG-", 4))
		return NOT_SUPPORTED; /* an undivided GPU has none */
	a->sms = i->sms;
	a->slices = i->slices;
	a->compute_slices = i->compute_slices;
	a->mebibytes = i->mebibytes;
	return SUCCESS;
}

#if defined FAKE_460
enum { REFUSES = 1 };
#else
enum { REFUSES = 0 };
#endif

/* A link that the GPU does not have is refused, or inactive where the number of links is a field. */
int nvmlDeviceGetNvLinkState(const struct card *c, unsigned i, unsigned *v)
{
	if (c->readings && c->readings->links >= 0 && i >= c->readings->links && (REFUSES || !c->readings->links))
		return INVALID_ARGUMENT;
	GIVE(readings(c)->links < 0 ? readings(c)->links : i < readings(c)->active, v);
}

/* Drivers of version 460 have none of these. */
#if !defined FAKE_460

struct fabric { unsigned char cluster[16]; int status; unsigned clique; unsigned char state; };

int nvmlDeviceGetNumGpuCores(const struct card *c, unsigned *v) { GIVE(readings(c)->cores, v); }
int nvmlDeviceGetMemoryBusWidth(const struct card *c, unsigned *v) { GIVE(readings(c)->bus, v); }
int nvmlDeviceGetCurrentClocksEventReasons(const struct card *c, unsigned long long *v) { GIVE(readings(c)->throttle, v); }
int nvmlDeviceGetCurrentClocksThrottleReasons(const struct card *c, unsigned long long *v) { return UNKNOWN; } /* the old name is not asked */

struct field { unsigned id, scope; long long timestamp, latency; unsigned type; int ret; union { double d; unsigned ui; } value; };

/* 91 is the number of links: all ones where there are none. */
int nvmlDeviceGetFieldValues(const struct card *c, int n, struct field *f)
{
	for (int i = 0; i < n; i++) {
		f[i].ret = f[i].id != 91 || !c->readings || c->readings->links < 0 ? NOT_SUPPORTED : SUCCESS;
		f[i].type = 1;
		f[i].value.ui = f[i].ret ? 0 : c->readings->links ? c->readings->links : ALL_ONES;
	}
	return SUCCESS;
}
int nvmlDeviceGetGpuFabricInfo(const struct card *c, struct fabric *f) { f->status = 0; GIVE(readings(c)->fabric, &f->state); }

#else

int nvmlDeviceGetCurrentClocksThrottleReasons(const struct card *c, unsigned long long *v) { GIVE(readings(c)->throttle, v); }

#endif
#endif
