/*
 * fake_cuda: a libcuda.so.1 of our own for tests. FAKE_CUDA says how it behaves: "none" sees no GPU, "fails" does not
 * start, "crashes" and "hangs" do what they say.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static int is(const char *how)
{
    const char *behavior = getenv("FAKE_CUDA");

    return behavior && strcmp(behavior, how) == 0;
}

EXPORT int cuInit(unsigned flags)
{
    if (is("crashes"))
        abort();
    while (is("hangs"))
        pause();
    return is("fails") ? 100 : (int)flags;
}

EXPORT int cuGetErrorString(int rc, const char **text)
{
    *text = rc == 100 ? "no CUDA-capable device is detected" : NULL;
    return 0;
}

EXPORT int cuDriverGetVersion(int *version)
{
    *version = 12080;
    return 0;
}

EXPORT int cuDeviceGetCount(int *n)
{
    *n = is("none") ? 0 : 1;
    return 0;
}

EXPORT int cuDeviceGet(int *device, int number)
{
    *device = number + 7; /* a handle, not the number */
    return 0;
}

EXPORT int cuDeviceGetName(char *name, int n, int device)
{
    snprintf(name, (size_t)n, "Fake GPU %d of CUDA", device - 7);
    return 0;
}

EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    *bytes = device == 7 ? 1000 : 0;
    return 0;
}

EXPORT int cuDeviceGetUuid_v2(unsigned char uuid[16], int device)
{
    memset(uuid, 0xab, 16);
    uuid[0] = (unsigned char)(device - 6);
    return 0;
}

/* CUdevice_attribute: processors, capability, clock of the memory in kHz, width of its bus. */
EXPORT int cuDeviceGetAttribute(int *value, int which, int device)
{
    *value = which == 16 ? 132 : which == 75 ? 9 : which == 76 ? 0 : which == 36 ? 2619000 : which == 37 ? 5120 : -1;
    return device == 7 && *value >= 0 ? 0 : 1;
}
