#include "inject/inject.h"

#include "inject/cupti_api.h"
#include "inject/writer.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 20, MOST_BUFFERS = 4096, IDLE_TICKS = 10 };

static struct {
    pid_t owner;          /* the process that records; a forked child is not it */
    pthread_mutex_t lock; /* Protects everything below. While it is held, CUPTI is only called to walk a buffer. */
    pthread_cond_t wake;
    struct cupti_api cupti;
    struct writer out;
    bool recording, stopping;
    pthread_t thread;
    bool has_thread;
    uint8_t *buffers[MOST_BUFFERS];
    bool lent[MOST_BUFFERS]; /* CUPTI has it */
    unsigned most_buffers, lent_count;
    uint64_t returned; /* buffers returned so far */
    long period_ms;
} session = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t unix_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool is_mine(void)
{
    return session.owner == getpid();
}

/* --- buffers ------------------------------------------------------------------------------------------------------ */

static uint8_t *lend_buffer(void)
{
    for (unsigned i = 0; i < session.most_buffers; i++) {
        if (session.lent[i])
            continue;
        if (!session.buffers[i])
            session.buffers[i] = aligned_alloc(4096, BUFFER_BYTES);
        if (!session.buffers[i])
            return NULL;
        session.lent[i] = true;
        session.lent_count++;
        return session.buffers[i];
    }
    return NULL;
}

/* If no buffer is available, CUPTI drops activities and counts them. */
static void CUPTIAPI buffer_requested(uint8_t **buffer, size_t *size, size_t *most_records)
{
    *buffer = NULL;
    *size = *most_records = 0;
    if (!is_mine())
        return;
    pthread_mutex_lock(&session.lock);
    *buffer = lend_buffer();
    pthread_mutex_unlock(&session.lock);
    *size = *buffer ? BUFFER_BYTES : 0;
}

static void write_records(uint8_t *buffer, size_t valid)
{
    CUpti_Activity *record = NULL;
    uint64_t untimed = 0;

    while (session.cupti.next_record(buffer, valid, &record) == CUPTI_SUCCESS) {
        struct gpu_record r;
        enum gpu_decoded decoded = gpu_record_decode(record, &r);

        if (decoded == GPU_DECODED)
            writer_record(&session.out, &r);
        untimed += decoded == GPU_UNTIMED;
    }
    writer_lost(&session.out, untimed);
}

/* False if the buffer belongs to another client of CUPTI. */
static bool take_back(const uint8_t *buffer)
{
    for (unsigned i = 0; i < session.most_buffers; i++)
        if (session.buffers[i] == buffer && session.lent[i]) {
            session.lent[i] = false;
            session.lent_count--;
            session.returned++;
            return true;
        }
    return false;
}

static void CUPTIAPI buffer_completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    size_t dropped = 0;

    (void)context;
    (void)stream;
    if (!is_mine() || !buffer)
        return;
    if (session.cupti.dropped_records(NULL, 0, &dropped) != CUPTI_SUCCESS)
        dropped = 0;
    pthread_mutex_lock(&session.lock);
    if (take_back(buffer)) {
        write_records(buffer, valid < size ? valid : size);
        writer_lost(&session.out, dropped);
        writer_flush(&session.out);
    }
    pthread_mutex_unlock(&session.lock);
}

/* --- whose CUPTI is it -------------------------------------------------------------------------------------------- */

static void CUPTIAPI no_callback(void *object, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    (void)object;
    (void)domain;
    (void)id;
    (void)data;
}

/* Why CUPTI is taken; NULL if it is free. CUDA 11 returned CUPTI_ERROR_MAX_LIMIT_REACHED to a second subscriber. */
static const char *why_not_mine(void)
{
    static char reason[256];
    CUpti_SubscriberHandle subscriber;
    CUptiResult rc = session.cupti.subscribe(&subscriber, no_callback, NULL);
    const char *text = NULL;

    if (rc == CUPTI_SUCCESS) {
        session.cupti.unsubscribe(subscriber);
        return NULL;
    }
    if (rc == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED || rc == CUPTI_ERROR_MAX_LIMIT_REACHED)
        return "another profiler of the process uses CUPTI";
    session.cupti.get_result_string(rc, &text);
    snprintf(reason, sizeof reason, "CUPTI cannot be used: %s", text ? text : "unknown error");
    return reason;
}

static void step_aside(const char *reason)
{
    pthread_mutex_lock(&session.lock);
    session.recording = false;
    writer_aside(&session.out, unix_now(), reason);
    writer_flush(&session.out);
    pthread_mutex_unlock(&session.lock);
}

/* --- while the process runs --------------------------------------------------------------------------------------- */

/* Reads both clocks at the same time: CUPTI's clock between two readings of the system's. */
static void write_clock(void)
{
    uint64_t cupti, before = unix_now(), after;

    if (session.cupti.get_timestamp(&cupti) != CUPTI_SUCCESS)
        return;
    after = unix_now();
    pthread_mutex_lock(&session.lock);
    writer_clock(&session.out, cupti, before + (after - before) / 2);
    writer_flush(&session.out);
    pthread_mutex_unlock(&session.lock);
}

/* False when the process ends. */
static bool wait_for_tick(void)
{
    struct timespec until;
    bool goes_on;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += session.period_ms / 1000;
    until.tv_nsec += session.period_ms % 1000 * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&session.lock);
    while (!session.stopping && pthread_cond_timedwait(&session.wake, &session.lock, &until) != ETIMEDOUT)
        ;
    goes_on = !session.stopping && session.recording;
    pthread_mutex_unlock(&session.lock);
    return goes_on;
}

/*
 * An unforced flush returns complete buffers, so a process that is killed loses only the last second. Whether someone
 * else uses CUPTI is only checked when no buffers come back, because the check takes the subscription for a moment.
 */
static void *keep_flushing(void *arg)
{
    uint64_t seen = 0;
    unsigned quiet = 0;

    while (wait_for_tick()) {
        bool out;

        session.cupti.flush_all(0);
        pthread_mutex_lock(&session.lock);
        quiet = session.returned == seen ? quiet + 1 : 0;
        seen = session.returned;
        out = session.lent_count > 0;
        pthread_mutex_unlock(&session.lock);
        if (quiet == 0) {
            write_clock();
        } else if (out || quiet % IDLE_TICKS == 0) {
            const char *reason = why_not_mine();

            if (reason)
                step_aside(reason);
        }
    }
    return arg;
}

/* This thread must not receive the program's signals. */
static void start_thread(void)
{
    pthread_condattr_t monotonic;
    sigset_t all, old;

    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&session.wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    session.has_thread = pthread_create(&session.thread, NULL, keep_flushing, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* --- the beginning and the end ------------------------------------------------------------------------------------ */

static void forked(void)
{
    writer_forget(&session.out);
    session.owner = 0;
}

static void at_exit(void)
{
    const char *reason;

    if (!is_mine())
        return;
    pthread_mutex_lock(&session.lock);
    session.stopping = true;
    pthread_cond_signal(&session.wake);
    pthread_mutex_unlock(&session.lock);
    if (session.has_thread)
        pthread_join(session.thread, NULL);
    if (session.recording && (reason = why_not_mine()))
        step_aside(reason);
    if (session.recording) {
        session.cupti.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
        write_clock();
    }
    pthread_mutex_lock(&session.lock);
    writer_end(&session.out);
    writer_forget(&session.out);
    session.owner = 0;
    pthread_mutex_unlock(&session.lock);
}

static const char *first_set(const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (getenv(names[i]) && *getenv(names[i]))
            return getenv(names[i]);
    return NULL;
}

/* As set by torchrun, Slurm and MPI launchers. */
static void write_rank(const char *key, const char *const *variables, size_t n)
{
    const char *value = first_set(variables, n);
    char *end;

    if (value && strtoul(value, &end, 10) < 1u << 20 && end != value && !*end)
        writer_header(&session.out, key, value);
}

static void write_header(void)
{
    static const char *const ranks[] = {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"};
    static const char *const local_ranks[] = {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                              "SLURM_LOCALID"};
    char host[256] = "";

    gethostname(host, sizeof host - 1);
    writer_header(&session.out, "host", host);
    writer_header_number(&session.out, "pid", (uint64_t)getpid());
    write_rank("rank", ranks, sizeof ranks / sizeof *ranks);
    write_rank("local_rank", local_ranks, sizeof local_ranks / sizeof *local_ranks);
    writer_header(&session.out, "program", program_invocation_short_name);
}

static uint64_t number_of(const char *variable, uint64_t least, uint64_t most, uint64_t otherwise)
{
    const char *text = getenv(variable);
    char *end;
    uint64_t value = text ? strtoull(text, &end, 10) : 0;

    return text && *text && !*end && value >= least && value <= most ? value : otherwise;
}

/* With GRAPH_TRACE on, CUPTI records no kernels of graphs (CUpti_ActivityGraphTrace2, cupti_activity.h). */
static const char *enable_kinds(void)
{
    static const CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2,
                                               CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_GRAPH_TRACE};
    const char *graphs = getenv("PT2TRACE_GPU_GRAPHS");
    size_t n = sizeof kinds / sizeof *kinds - !(graphs && strcmp(graphs, "whole") == 0);

    if (session.cupti.register_callbacks(buffer_requested, buffer_completed) != CUPTI_SUCCESS)
        return "CUPTI takes no buffers";
    if (session.cupti.enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS)
        return "CUPTI does not record kernels";
    for (size_t i = 0; i < n; i++)
        session.cupti.enable(kinds[i]); /* a kind that cannot be recorded is missing, but the rest is still useful */
    return NULL;
}

/* CUPTI must not be called without a driver: CUPTI of CUDA 13.2 then recurses until the stack overflows. */
static bool has_driver(void)
{
    return dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD) != NULL;
}

static const char *start_recording(void)
{
    const char *reason;

    if (!has_driver())
        return "the CUDA driver (libcuda.so.1) is not loaded";
    if (!cupti_load(&session.cupti))
        return "libcupti was not found: install the CUDA toolkit or the nvidia-cuda-cupti wheel, or name the library "
               "in PT2TRACE_CUPTI";
    writer_header_number(&session.out, "cupti", session.cupti.version);
    writer_header(&session.out, "library", session.cupti.path);
    if (session.cupti.version < GPU_OLDEST_CUPTI)
        return "libcupti is older than CUDA 11.2";
    if ((reason = why_not_mine()))
        return reason;
    write_clock();
    session.recording = true;
    return enable_kinds();
}

static void begin(const char *directory)
{
    const char *reason;

    session.period_ms = (long)number_of("PT2TRACE_GPU_FLUSH_MS", 1, 3600000, 1000);
    session.most_buffers = (unsigned)number_of("PT2TRACE_GPU_BUFFERS", 2, MOST_BUFFERS, 64);
    if (!writer_open(&session.out, directory, number_of("PT2TRACE_GPU_MAX_BYTES", 1, UINT64_MAX, 1u << 30)))
        return;
    session.owner = getpid();
    write_header();
    reason = start_recording();
    if (reason)
        step_aside(reason);
    writer_flush(&session.out);
    pthread_atfork(NULL, NULL, forked);
    atexit(at_exit);
    if (session.recording)
        start_thread();
}

int InitializeInjection(void)
{
    static bool begun;
    const char *directory = getenv("PT2TRACE_GPU_DIR");

    if (!begun && directory && *directory) {
        begun = true;
        begin(directory);
    }
    return 1;
}
