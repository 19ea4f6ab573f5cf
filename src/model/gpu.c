#include "model/gpu.h"

const char *gpu_kind_name(enum gpu_kind k)
{
    static const char *const names[GPU_KINDS] = {"kernel", "copy", "memset", "graph"};

    return names[k];
}

struct gpu_device gpu_device_unknown(void)
{
    return (struct gpu_device){
        .index = -1,
        .memory_total = -1,
        .memory_free = -1,
        .processors = -1,
        .clock_mhz = -1,
        .clock_most_mhz = -1,
        .memory_clock_mhz = -1,
        .memory_clock_most_mhz = -1,
        .bus_bits = -1,
        .temperature_c = -1,
        .power_mw = -1,
        .power_limit_mw = -1,
        .utilization = -1,
        .ecc_errors = -1,
    };
}

/* DDR memory: two transfers per clock that NVML reports. */
double gpu_device_bandwidth(const struct gpu_device *d)
{
    if (d->memory_clock_most_mhz <= 0 || d->bus_bits <= 0)
        return 0;
    return 2.0 * 1e6 * (double)d->memory_clock_most_mhz * (double)d->bus_bits / 8;
}
