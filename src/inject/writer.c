#include "inject/writer.h"

#include "inject/format.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TEXT_BYTES = 256 << 10,
    LONGEST_NAME = 4096,
    LONGEST_LINE = 2 * LONGEST_NAME + 256, /* every byte of a name may take two */
    FILES_PER_PROCESS = 1000,              /* exec keeps the process id, so one id may need several files */
    MOST_NAMES = 1 << 20,
};

/* --- bytes -------------------------------------------------------------------------------------------------------- */

void writer_flush(struct writer *w)
{
    size_t done = 0;

    while (w->fd >= 0 && done < w->n) {
        ssize_t k = write(w->fd, w->text + done, w->n - done);

        if (k > 0) {
            done += (size_t)k;
        } else if (errno != EINTR) { /* a full disk: the file stays as it is, the rest is lost */
            close(w->fd);
            w->fd = -1;
        }
    }
    w->n = 0;
}

/* The most important lines are written even beyond the limit; there are few of them. */
static bool has_room(struct writer *w)
{
    return w->fd >= 0 && w->written < w->limit;
}

__attribute__((format(printf, 2, 3))) static void line(struct writer *w, const char *fmt, ...)
{
    va_list ap;
    int n;

    if (w->fd < 0)
        return;
    if (w->n + LONGEST_LINE > TEXT_BYTES)
        writer_flush(w);
    va_start(ap, fmt);
    n = vsnprintf(w->text + w->n, LONGEST_LINE, fmt, ap);
    va_end(ap);
    if (n > 0 && n < LONGEST_LINE) {
        w->n += (size_t)n;
        w->written += (uint64_t)n;
    }
}

/* Puts the text on one line, and cuts it if it is long. */
static const char *escape(const char *text, char out[2 * LONGEST_NAME + 1])
{
    char *p = out;

    for (size_t n = 0; *text && n < LONGEST_NAME; text++, n++) {
        if (*text == '\n' || *text == '\\')
            *p++ = '\\';
        *p++ = *text == '\n' ? 'n' : *text;
    }
    *p = 0;
    return out;
}

static void line_with_text(struct writer *w, const char *before, const char *text)
{
    char escaped[2 * LONGEST_NAME + 1];

    line(w, "%s %s\n", before, escape(text, escaped));
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

/* Like mkdir -p; opening the file shows whether it worked. */
static void make_directory(const char *directory)
{
    char path[4096];

    if (strlen(directory) >= sizeof path)
        return;
    strcpy(path, directory);
    for (char *p = path + 1; *p; p++) {
        if (*p != '/')
            continue;
        *p = 0;
        mkdir(path, 0777);
        *p = '/';
    }
    mkdir(path, 0777);
}

static int open_new(const char *directory)
{
    char host[128] = "", path[4096];

    gethostname(host, sizeof host - 1);
    for (char *p = host; *p; p++)
        if (!isalnum((unsigned char)*p) && *p != '-' && *p != '.')
            *p = '_';
    for (int i = 0; i < FILES_PER_PROCESS; i++) {
        int fd, n = snprintf(path, sizeof path, "%s/gpu_%s_%d_%d.activity", directory, host, (int)getpid(), i);

        if (n < 0 || (size_t)n >= sizeof path)
            return -1;
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

bool writer_open(struct writer *w, const char *directory, uint64_t limit)
{
    *w = (struct writer){.fd = -1, .limit = limit};
    w->text = malloc(TEXT_BYTES);
    if (!w->text)
        return false;
    make_directory(directory);
    w->fd = open_new(directory);
    line(w, "%s %d\n", GPU_FORMAT_NAME, GPU_FORMAT_VERSION);
    return w->fd >= 0;
}

void writer_forget(struct writer *w)
{
    if (w->fd >= 0)
        close(w->fd);
    w->fd = -1;
    w->n = 0;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const char *name)
{
    uint64_t h = 14695981039346656037u;

    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 1099511628211u;
    return h;
}

/* The slot of the name, or the free slot where it would go. There always is a free one. */
static size_t slot_of(const struct writer *w, const char *name)
{
    size_t i = hash_of(name) & (w->name_slots - 1);

    while (w->names[i] && strcmp(w->names[i], name) != 0)
        i = (i + 1) & (w->name_slots - 1);
    return i;
}

static bool grow_names(struct writer *w)
{
    struct writer bigger = {.name_slots = w->name_slots ? 2 * w->name_slots : 1024};

    bigger.names = calloc(bigger.name_slots, sizeof *bigger.names);
    bigger.ids = calloc(bigger.name_slots, sizeof *bigger.ids);
    if (!bigger.names || !bigger.ids) {
        free(bigger.names);
        free(bigger.ids);
        return false;
    }
    for (size_t i = 0; i < w->name_slots; i++) {
        size_t to = w->names[i] ? slot_of(&bigger, w->names[i]) : 0;

        if (!w->names[i])
            continue;
        bigger.names[to] = w->names[i];
        bigger.ids[to] = w->ids[i];
    }
    free(w->names);
    free(w->ids);
    w->names = bigger.names;
    w->ids = bigger.ids;
    w->name_slots = bigger.name_slots;
    return true;
}

/* False if memory runs out. The pointer does not identify a name: memory of an unloaded module is reused. */
static bool name_id(struct writer *w, const char *name, uint32_t *id)
{
    char before[32];
    size_t at;

    if (2 * w->name_count >= w->name_slots && (w->name_count >= MOST_NAMES || !grow_names(w)))
        return false;
    at = slot_of(w, name);
    if (!w->names[at]) {
        w->names[at] = strdup(name);
        if (!w->names[at])
            return false;
        w->ids[at] = (uint32_t)w->name_count++;
        snprintf(before, sizeof before, "n %" PRIu32, w->ids[at]);
        line_with_text(w, before, name);
    }
    *id = w->ids[at];
    return true;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

void writer_header(struct writer *w, const char *key, const char *value)
{
    char before[64];

    snprintf(before, sizeof before, "h %s", key);
    line_with_text(w, before, value);
}

void writer_header_number(struct writer *w, const char *key, uint64_t value)
{
    line(w, "h %s %" PRIu64 "\n", key, value);
}

void writer_clock(struct writer *w, uint64_t cupti_ns, uint64_t unix_ns)
{
    if (!w->base)
        w->base = cupti_ns;
    line(w, "c %" PRIu64 " %" PRIu64 "\n", cupti_ns, unix_ns);
}

static void kernel_line(struct writer *w, const struct gpu_record *r, int64_t start, uint64_t ns)
{
    uint32_t name;

    if (name_id(w, r->name, &name))
        line(w, "k %" PRId64 " %" PRIu64 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32
             " %d,%d,%d %d,%d,%d\n", start, ns, name, r->device, r->stream, r->correlation, r->graph,
             r->grid[0], r->grid[1], r->grid[2], r->block[0], r->block[1], r->block[2]);
    else
        w->lost++;
}

void writer_record(struct writer *w, const struct gpu_record *r)
{
    int64_t start = (int64_t)(r->start - w->base);
    uint64_t ns = r->end - r->start;

    if (!has_room(w)) {
        w->lost++;
        return;
    }
    if (r->kind == 'k')
        kernel_line(w, r, start, ns);
    else if (r->kind == 'm')
        line(w, "m %" PRId64 " %" PRIu64 " %s %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu64 "\n", start, ns,
             r->copy, r->device, r->stream, r->correlation, r->graph, r->bytes);
    else if (r->kind == 's')
        line(w, "s %" PRId64 " %" PRIu64 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu64 "\n", start, ns,
             r->device, r->stream, r->correlation, r->graph, r->bytes);
    else
        line(w, "g %" PRId64 " %" PRIu64 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", start, ns, r->device,
             r->stream, r->correlation, r->graph);
}

void writer_lost(struct writer *w, uint64_t count)
{
    w->lost += count;
    if (w->lost)
        line(w, "d %" PRIu64 "\n", w->lost);
    w->lost = 0;
}

void writer_aside(struct writer *w, uint64_t unix_ns, const char *reason)
{
    char before[32];

    snprintf(before, sizeof before, "w %" PRIu64, unix_ns);
    line_with_text(w, before, reason);
}

void writer_end(struct writer *w)
{
    line(w, "e\n");
    writer_flush(w);
}
