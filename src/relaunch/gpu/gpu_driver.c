#include "relaunch/gpu/gpu_driver.h"

#include <dlfcn.h>

enum { MOST_DEVICES = 1024, MOST_USERS = 256, TEXT = 256 };

/* A function of a library; NULL if the library does not have it. */
#define FIND(library, function, name) (*(void **)&(function) = dlsym((library), (name)))

/* --- NVML --------------------------------------------------------------------------------------------------------- */

/* nvml.h: nvmlReturn_t is 0 for success; a device is an opaque pointer. */
typedef void *nvml_device;

struct nvml_memory {
    unsigned long long total, free, used;
};

struct nvml_utilization {
    unsigned gpu, memory;
};

/* version 3 of nvmlProcessInfo_t */
struct nvml_process {
    unsigned pid;
    unsigned long long memory;
    unsigned gpu_instance, compute_instance;
};

enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2, NVML_UNCORRECTED = 1, NVML_VOLATILE = 0, NVML_TEMPERATURE_GPU = 0 };

/* Functions that return one number for a device; some have another argument before the result. */
static bool unsigned_of(void *library, const char *name, nvml_device d, int64_t *out)
{
    int (*get)(nvml_device, unsigned *);
    unsigned value;

    if (!FIND(library, get, name) || get(d, &value) != 0)
        return false;
    *out = value;
    return true;
}

static bool unsigned_by(void *library, const char *name, nvml_device d, int which, int64_t *out)
{
    int (*get)(nvml_device, int, unsigned *);
    unsigned value;

    if (!FIND(library, get, name) || get(d, which, &value) != 0)
        return false;
    *out = value;
    return true;
}

static struct str text_of(struct arena *a, void *library, const char *name, nvml_device d)
{
    int (*get)(nvml_device, char *, unsigned);
    char text[TEXT] = "";

    if (!FIND(library, get, name) || get(d, text, TEXT - 1) != 0)
        return (struct str){0};
    return arena_str(a, str_of(text));
}

static void read_memory(void *library, nvml_device d, struct gpu_device *out)
{
    int (*get)(nvml_device, struct nvml_memory *);
    struct nvml_memory m = {0};

    if (!FIND(library, get, "nvmlDeviceGetMemoryInfo") || get(d, &m) != 0)
        return;
    out->memory_total = (int64_t)(m.total & INT64_MAX);
    out->memory_free = (int64_t)(m.free & INT64_MAX);
}

static void read_capability(struct arena *a, void *library, nvml_device d, struct gpu_device *out)
{
    int (*get)(nvml_device, int *, int *);
    int major, minor;

    if (FIND(library, get, "nvmlDeviceGetCudaComputeCapability") && get(d, &major, &minor) == 0)
        out->capability = arena_printf(a, "%d.%d", major, minor);
}

/* nvmlClocksThrottleReasons: an idle GPU, and clocks that someone set, do not count as throttling. */
static void read_throttling(struct arena *a, void *library, nvml_device d, struct gpu_device *out)
{
    static const struct {
        unsigned long long bit;
        struct str words;
    } reasons[] = {
        {0x04, STR_INIT("power cap")},   {0x08, STR_INIT("hardware slowdown")}, {0x10, STR_INIT("sync boost")},
        {0x20, STR_INIT("temperature")}, {0x40, STR_INIT("overheating")},       {0x80, STR_INIT("power brake")},
    };
    int (*get)(nvml_device, unsigned long long *);
    unsigned long long bits;

    if (!FIND(library, get, "nvmlDeviceGetCurrentClocksThrottleReasons") || get(d, &bits) != 0)
        return;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (bits & reasons[i].bit)
            vec_push(a, &out->throttled, reasons[i].words);
}

static void read_users(struct arena *a, void *library, nvml_device d, struct gpu_device *out)
{
    int (*get)(nvml_device, unsigned *, struct nvml_process *);
    int (*get_name)(unsigned, char *, unsigned);
    struct nvml_process processes[MOST_USERS];
    unsigned n = MOST_USERS;

    if (!FIND(library, get, "nvmlDeviceGetComputeRunningProcesses_v3") || get(d, &n, processes) != 0)
        return;
    FIND(library, get_name, "nvmlSystemGetProcessName");
    for (unsigned i = 0; i < n && i < MOST_USERS; i++) {
        struct gpu_user u = {.pid = processes[i].pid, .memory = -1};
        char name[TEXT] = "";

        if (processes[i].memory <= INT64_MAX) /* otherwise unknown: NVML_VALUE_NOT_AVAILABLE is all ones */
            u.memory = (int64_t)processes[i].memory;
        if (get_name && get_name(processes[i].pid, name, TEXT - 1) == 0)
            u.name = arena_str(a, str_file_name(str_of(name)));
        vec_push(a, &out->users, u);
    }
}

static void read_modes(void *library, nvml_device d, struct gpu_device *out)
{
    static const struct str modes[] = {STR_INIT("default"), STR_INIT("exclusive"), STR_INIT("prohibited"),
                                       STR_INIT("exclusive")};
    int (*get_mig)(nvml_device, unsigned *, unsigned *);
    unsigned now, later;
    int64_t mode;

    if (FIND(library, get_mig, "nvmlDeviceGetMigMode") && get_mig(d, &now, &later) == 0)
        out->mig = now ? STR("enabled") : STR("disabled");
    if (unsigned_of(library, "nvmlDeviceGetComputeMode", d, &mode) && mode < 4)
        out->compute_mode = modes[mode];
}

static void read_health(void *library, nvml_device d, struct gpu_device *out)
{
    int (*get_ecc)(nvml_device, int, int, unsigned long long *);
    int (*get_utilization)(nvml_device, struct nvml_utilization *);
    struct nvml_utilization u;
    unsigned long long errors;

    unsigned_by(library, "nvmlDeviceGetClockInfo", d, NVML_CLOCK_SM, &out->clock_mhz);
    unsigned_by(library, "nvmlDeviceGetMaxClockInfo", d, NVML_CLOCK_SM, &out->clock_most_mhz);
    unsigned_by(library, "nvmlDeviceGetClockInfo", d, NVML_CLOCK_MEMORY, &out->memory_clock_mhz);
    unsigned_by(library, "nvmlDeviceGetMaxClockInfo", d, NVML_CLOCK_MEMORY, &out->memory_clock_most_mhz);
    unsigned_of(library, "nvmlDeviceGetMemoryBusWidth", d, &out->bus_bits);
    unsigned_by(library, "nvmlDeviceGetTemperature", d, NVML_TEMPERATURE_GPU, &out->temperature_c);
    unsigned_of(library, "nvmlDeviceGetPowerUsage", d, &out->power_mw);
    unsigned_of(library, "nvmlDeviceGetEnforcedPowerLimit", d, &out->power_limit_mw);
    if (FIND(library, get_utilization, "nvmlDeviceGetUtilizationRates") && get_utilization(d, &u) == 0)
        out->utilization = u.gpu;
    if (FIND(library, get_ecc, "nvmlDeviceGetTotalEccErrors") &&
        get_ecc(d, NVML_UNCORRECTED, NVML_VOLATILE, &errors) == 0)
        out->ecc_errors = (int64_t)(errors & INT64_MAX);
}

/* 13000 -> "13.0" */
static struct str version_text(struct arena *a, int version)
{
    return version > 0 ? arena_printf(a, "%d.%d", version / 1000, version % 1000 / 10) : (struct str){0};
}

static void read_versions(struct arena *a, void *library, struct gpu_device *out)
{
    int (*get_driver)(char *, unsigned), (*get_cuda)(int *);
    char driver[TEXT] = "";
    int cuda;

    if (FIND(library, get_driver, "nvmlSystemGetDriverVersion") && get_driver(driver, TEXT - 1) == 0)
        out->driver = arena_str(a, str_of(driver));
    if (FIND(library, get_cuda, "nvmlSystemGetCudaDriverVersion_v2") && get_cuda(&cuda) == 0)
        out->cuda = version_text(a, cuda);
}

static void read_device(struct arena *a, void *library, nvml_device d, struct gpu_device *out)
{
    out->name = text_of(a, library, "nvmlDeviceGetName", d);
    out->uuid = text_of(a, library, "nvmlDeviceGetUUID", d);
    read_capability(a, library, d, out);
    read_versions(a, library, out);
    read_memory(library, d, out);
    read_health(library, d, out);
    read_modes(library, d, out);
    read_throttling(a, library, d, out);
    read_users(a, library, d, out);
}

void gpu_driver_nvml(struct arena *a, struct gpu_facts *out)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    int (*init)(void), (*get_count)(unsigned *), (*get_handle)(unsigned, nvml_device *);
    unsigned n = 0;

    if (!library || !FIND(library, init, "nvmlInit_v2") || !FIND(library, get_count, "nvmlDeviceGetCount_v2") ||
        !FIND(library, get_handle, "nvmlDeviceGetHandleByIndex_v2") || init() != 0 || get_count(&n) != 0)
        return;
    for (unsigned i = 0; i < n && i < MOST_DEVICES; i++) {
        struct gpu_device d = gpu_device_unknown();
        nvml_device handle;

        if (get_handle(i, &handle) != 0)
            continue;
        d.index = i;
        read_device(a, library, handle, &d);
        vec_push(a, &out->devices, d);
    }
}

/* --- CUDA --------------------------------------------------------------------------------------------------------- */

enum { CU_PROCESSORS = 16, CU_MAJOR = 75, CU_MINOR = 76, CU_MEMORY_CLOCK_KHZ = 36, CU_BUS_BITS = 37 };

static int64_t attribute(void *library, int which, int device)
{
    int (*get)(int *, int, int);
    int value;

    return FIND(library, get, "cuDeviceGetAttribute") && get(&value, which, device) == 0 ? value : -1;
}

/* In NVML's form: "GPU-8f3d5a2c-…". */
static struct str uuid_of(struct arena *a, void *library, int device)
{
    int (*get)(unsigned char *, int);
    unsigned char u[16];

    if ((!FIND(library, get, "cuDeviceGetUuid_v2") && !FIND(library, get, "cuDeviceGetUuid")) || get(u, device) != 0)
        return (struct str){0};
    return arena_printf(a, "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", u[0], u[1], u[2],
                        u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14], u[15]);
}

static struct gpu_device *device_of(struct arena *a, struct gpu_facts *out, struct str uuid, int number, bool known)
{
    vec_each(struct gpu_device, d, &out->devices) if (uuid.n && str_eq(d->uuid, uuid)) return d;
    if (known)
        return NULL; /* an instance of a GPU: NVML only knows the whole GPU */
    vec_push(a, &out->devices, gpu_device_unknown());
    out->devices.v[out->devices.n - 1].index = number;
    out->devices.v[out->devices.n - 1].uuid = uuid;
    return &out->devices.v[out->devices.n - 1];
}

static void add_unknown(struct arena *a, void *library, int device, struct gpu_device *out)
{
    int (*get_name)(char *, int, int), (*get_memory)(size_t *, int), (*get_version)(int *);
    char name[TEXT] = "";
    size_t bytes;
    int version;
    int64_t major = attribute(library, CU_MAJOR, device), minor = attribute(library, CU_MINOR, device);

    out->processors = attribute(library, CU_PROCESSORS, device);
    if (out->bus_bits < 0)
        out->bus_bits = attribute(library, CU_BUS_BITS, device);
    if (out->memory_clock_most_mhz < 0 && attribute(library, CU_MEMORY_CLOCK_KHZ, device) > 0)
        out->memory_clock_most_mhz = attribute(library, CU_MEMORY_CLOCK_KHZ, device) / 1000;
    if (out->capability.n == 0 && major >= 0 && minor >= 0)
        out->capability = arena_printf(a, "%d.%d", (int)major, (int)minor);
    if (out->name.n == 0 && FIND(library, get_name, "cuDeviceGetName") && get_name(name, TEXT - 1, device) == 0)
        out->name = arena_str(a, str_of(name));
    if (out->memory_total < 0 && FIND(library, get_memory, "cuDeviceTotalMem_v2") && get_memory(&bytes, device) == 0)
        out->memory_total = (int64_t)(bytes & INT64_MAX);
    if (out->cuda.n == 0 && FIND(library, get_version, "cuDriverGetVersion") && get_version(&version) == 0)
        out->cuda = version_text(a, version);
}

static struct str error_text(struct arena *a, void *library, int rc)
{
    int (*get)(int, const char **);
    const char *text = NULL;

    if (FIND(library, get, "cuGetErrorString") && get(rc, &text) == 0 && text)
        return arena_printf(a, "CUDA cannot be used: %s (error %d)", text, rc);
    return arena_printf(a, "CUDA cannot be used (error %d)", rc);
}

void gpu_driver_cuda(struct arena *a, struct gpu_facts *out, struct str *why)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    int (*init)(unsigned), (*get_count)(int *), (*get_device)(int *, int);
    bool known = out->devices.n > 0;
    int n = 0, rc = -1;

    if (library && FIND(library, init, "cuInit") && FIND(library, get_count, "cuDeviceGetCount") &&
        FIND(library, get_device, "cuDeviceGet") && (rc = init(0)) == 0)
        rc = get_count(&n);
    if (rc != 0 || n == 0) {
        *why = !library  ? STR("the NVIDIA driver is not installed (no libcuda.so.1)")
               : rc != 0 ? error_text(a, library, rc)
                         : STR("CUDA sees no GPU (CUDA_VISIBLE_DEVICES may hide them)");
        return;
    }
    for (int i = 0; i < n && i < MOST_DEVICES; i++) {
        int device;
        struct gpu_device *d;

        if (get_device(&device, i) == 0 && (d = device_of(a, out, uuid_of(a, library, device), i, known)))
            add_unknown(a, library, device, d);
    }
}
