/*
 * fake_cupti: a libcupti of our own for tests: it keeps CUPTI's rules on subscribers, buffers and flushes, and makes up
 * the records. fake_kernel and its like are what a test does on the "GPU".
 */
#include <cupti.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

static struct {
    pthread_mutex_t lock;
    bool subscribed;
    CUpti_BuffersCallbackRequestFunc requested;
    CUpti_BuffersCallbackCompleteFunc completed;
    bool enabled[CUPTI_ACTIVITY_KIND_COUNT];
    uint8_t *buffer;
    size_t size, used;
    size_t dropped;
    uint64_t kernels;
} fake = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

EXPORT CUptiResult CUPTIAPI cuptiGetVersion(uint32_t *version)
{
    const char *asked = getenv("FAKE_CUPTI_VERSION");

    *version = asked ? (uint32_t)atoi(asked) : CUPTI_API_VERSION;
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiGetTimestamp(uint64_t *ns)
{
    *ns = now();
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiGetResultString(CUptiResult result, const char **text)
{
    *text = result == CUPTI_ERROR_NOT_INITIALIZED ? "CUPTI_ERROR_NOT_INITIALIZED" : "CUPTI_ERROR_UNKNOWN";
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiSubscribe(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback,
                                           void *object)
{
    bool taken;

    (void)callback;
    (void)object;
    if (getenv("FAKE_CUPTI_FAILS"))
        return CUPTI_ERROR_NOT_INITIALIZED;
    pthread_mutex_lock(&fake.lock);
    taken = fake.subscribed;
    fake.subscribed = true;
    pthread_mutex_unlock(&fake.lock);
    *subscriber = (CUpti_SubscriberHandle)&fake;
    return taken ? CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED : CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiUnsubscribe(CUpti_SubscriberHandle subscriber)
{
    (void)subscriber;
    pthread_mutex_lock(&fake.lock);
    fake.subscribed = false;
    pthread_mutex_unlock(&fake.lock);
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiActivityEnable(CUpti_ActivityKind kind)
{
    fake.enabled[kind] = true;
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc requested,
                                                           CUpti_BuffersCallbackCompleteFunc completed)
{
    fake.requested = requested;
    fake.completed = completed;
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t *dropped)
{
    (void)context;
    (void)stream;
    *dropped = fake.dropped;
    fake.dropped = 0;
    return CUPTI_SUCCESS;
}

static size_t size_of(CUpti_ActivityKind kind)
{
    return kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ? sizeof(CUpti_ActivityKernel9)
           : kind == CUPTI_ACTIVITY_KIND_MEMCPY          ? sizeof(CUpti_ActivityMemcpy5)
           : kind == CUPTI_ACTIVITY_KIND_MEMSET          ? sizeof(CUpti_ActivityMemset4)
                                                         : sizeof(CUpti_ActivityGraphTrace);
}

EXPORT CUptiResult CUPTIAPI cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, CUpti_Activity **record)
{
    uint8_t *next = *record ? (uint8_t *)*record + size_of((*record)->kind) : buffer;

    if (next >= buffer + valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = (CUpti_Activity *)next;
    return CUPTI_SUCCESS;
}

/* Callbacks come without the lock, as they may call back. */
static void give_back(void)
{
    uint8_t *buffer;
    size_t size, used;

    pthread_mutex_lock(&fake.lock);
    buffer = fake.buffer;
    size = fake.size;
    used = fake.used;
    fake.buffer = NULL;
    pthread_mutex_unlock(&fake.lock);
    if (buffer)
        fake.completed(NULL, 0, buffer, size, used);
}

EXPORT CUptiResult CUPTIAPI cuptiActivityFlushAll(uint32_t flag)
{
    (void)flag;
    give_back();
    return CUPTI_SUCCESS;
}

static void add(const void *record, CUpti_ActivityKind kind)
{
    size_t n = size_of(kind), most;

    if (!fake.enabled[kind])
        return;
    if (fake.buffer && fake.used + n > fake.size)
        give_back();
    pthread_mutex_lock(&fake.lock);
    if (!fake.buffer) {
        fake.used = 0;
        fake.requested(&fake.buffer, &fake.size, &most);
    }
    if (fake.buffer) {
        memcpy(fake.buffer + fake.used, record, n);
        fake.used += n;
    } else {
        fake.dropped++;
    }
    pthread_mutex_unlock(&fake.lock);
}

/* --- what a test does --------------------------------------------------------------------------------------------- */

EXPORT void fake_kernel(const char *name, uint64_t ns, uint32_t graph)
{
    CUpti_ActivityKernel9 k = {
        .kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, .start = now(), .streamId = 7, .name = name, .graphId = graph,
        .gridX = 4, .gridY = 2, .gridZ = 1, .blockX = 128, .blockY = 1, .blockZ = 1,
    };

    k.end = k.start + ns;
    k.correlationId = (uint32_t)++fake.kernels;
    add(&k, k.kind);
}

/* Without times, as when the device has no memory for them. */
EXPORT void fake_untimed_kernel(const char *name)
{
    CUpti_ActivityKernel9 k = {.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, .name = name};

    add(&k, k.kind);
}

EXPORT void fake_copy(uint64_t bytes, uint64_t ns)
{
    CUpti_ActivityMemcpy5 m = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY, .copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD,
                               .start = now(), .bytes = bytes, .streamId = 7};

    m.end = m.start + ns;
    add(&m, m.kind);
}

EXPORT void fake_memset(uint64_t bytes, uint64_t ns)
{
    CUpti_ActivityMemset4 m = {.kind = CUPTI_ACTIVITY_KIND_MEMSET, .start = now(), .bytes = bytes, .streamId = 7};

    m.end = m.start + ns;
    add(&m, m.kind);
}

EXPORT void fake_graph(uint64_t ns, uint32_t graph)
{
    CUpti_ActivityGraphTrace g = {.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE, .start = now(), .graphId = graph,
                                  .streamId = 7};

    g.end = g.start + ns;
    add(&g, g.kind);
}

/* Another client, as torch.profiler is one: it takes buffers of its own, and leaves those that it does not know. */
static uint64_t foreign_buffers, unknown_buffers;
static uint8_t *foreign;

static void CUPTIAPI foreign_requested(uint8_t **buffer, size_t *size, size_t *most)
{
    foreign = aligned_alloc(8, 1 << 16);
    *buffer = foreign;
    *size = 1 << 16;
    *most = 0;
}

static void CUPTIAPI foreign_completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    (void)context;
    (void)stream;
    (void)size;
    (void)valid;
    if (buffer == foreign) {
        foreign_buffers++;
        free(foreign);
        foreign = NULL;
    } else {
        unknown_buffers++;
    }
}

/* Whether it could subscribe. */
EXPORT int fake_profiler_begins(void)
{
    CUpti_SubscriberHandle subscriber;

    if (cuptiSubscribe(&subscriber, NULL, NULL) != CUPTI_SUCCESS)
        return 0;
    cuptiActivityRegisterCallbacks(foreign_requested, foreign_completed);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    return 1;
}

EXPORT uint64_t fake_profiler_buffers(void)
{
    return foreign_buffers;
}

EXPORT int fake_is_subscribed(void)
{
    return fake.subscribed;
}
