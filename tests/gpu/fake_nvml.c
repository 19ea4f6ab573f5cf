/*
 * fake_nvml: a libnvidia-ml.so.1 of our own for tests: two GPUs, of which the second can do little. FAKE_NVML says how
 * it behaves: "fails" does not start.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static char first, second;

EXPORT int nvmlInit_v2(void)
{
    const char *behavior = getenv("FAKE_NVML");

    return behavior && strcmp(behavior, "fails") == 0 ? 9 : 0;
}

EXPORT int nvmlDeviceGetCount_v2(unsigned *n)
{
    *n = 2;
    return 0;
}

EXPORT int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **device)
{
    *device = i ? &second : &first;
    return 0;
}

EXPORT int nvmlSystemGetDriverVersion(char *text, unsigned n)
{
    snprintf(text, n, "570.12");
    return 0;
}

EXPORT int nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    *version = 13010;
    return 0;
}

EXPORT int nvmlDeviceGetName(void *device, char *text, unsigned n)
{
    snprintf(text, n, device == &first ? "Fake H200" : "Fake \xff T4");
    return 0;
}

EXPORT int nvmlDeviceGetUUID(void *device, char *text, unsigned n)
{
    snprintf(text, n, "GPU-%s", device == &first ? "01ababab-abab-abab-abab-abababababab" : "other");
    return 0;
}

EXPORT int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor)
{
    *major = device == &first ? 9 : 7;
    *minor = device == &first ? 0 : 5;
    return 0;
}

/* nvmlMemory_t: total, free, used */
EXPORT int nvmlDeviceGetMemoryInfo(void *device, unsigned long long memory[3])
{
    memory[0] = 150109880320;
    memory[1] = 1000;
    return device == &first ? 0 : 3;
}

EXPORT int nvmlDeviceGetClockInfo(void *device, int which, unsigned *mhz)
{
    *mhz = which == 1 ? 345 : 2619;
    return device == &first ? 0 : 3;
}

EXPORT int nvmlDeviceGetMaxClockInfo(void *device, int which, unsigned *mhz)
{
    *mhz = which == 1 ? 1980 : 3201;
    return device == &first ? 0 : 3;
}

EXPORT int nvmlDeviceGetMemoryBusWidth(void *device, unsigned *bits)
{
    *bits = 6144;
    return device == &first ? 0 : 3;
}

EXPORT int nvmlDeviceGetTemperature(void *device, int which, unsigned *celsius)
{
    *celsius = 41;
    return device == &first ? which : 3;
}

EXPORT int nvmlDeviceGetPowerUsage(void *device, unsigned *mw)
{
    *mw = 120500;
    return device == &first ? 0 : 3;
}

EXPORT int nvmlDeviceGetTotalEccErrors(void *device, int type, int counter, unsigned long long *n)
{
    *n = type == 1 && counter == 0 ? 2 : 99;
    return device == &first ? 0 : 3;
}

EXPORT int nvmlDeviceGetMigMode(void *device, unsigned *now, unsigned *later)
{
    *now = 0;
    *later = 1;
    return device == &first ? 0 : 3;
}

EXPORT int nvmlDeviceGetComputeMode(void *device, unsigned *mode)
{
    *mode = 3;
    return device == &first ? 0 : 3;
}

/* Idle, power cap, temperature. */
EXPORT int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *bits)
{
    *bits = 0x1 | 0x4 | 0x20;
    return device == &first ? 0 : 3;
}

struct process {
    unsigned pid;
    unsigned long long memory;
    unsigned instances[2];
};

EXPORT int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *n, struct process *processes)
{
    if (device != &first || *n < 2)
        return 3;
    processes[0] = (struct process){.pid = 4242, .memory = 1 << 20};
    processes[1] = (struct process){.pid = 4243, .memory = ~0ull};
    *n = 2;
    return 0;
}

EXPORT int nvmlSystemGetProcessName(unsigned pid, char *text, unsigned n)
{
    snprintf(text, n, "/usr/bin/python3");
    return pid == 4242 ? 0 : 6;
}
