#include "view/format.h"

#include <stdio.h>
#include <time.h>

struct str format_duration_us(struct arena *a, int64_t us)
{
    double s = (double)us / 1e6;
    int64_t whole = us / 1000000;

    if (us < 0)
        return STR("-");
    if (us < 10000)
        return arena_printf(a, "%.1f ms", (double)us / 1e3);
    if (us < 1000000)
        return arena_printf(a, "%.0f ms", (double)us / 1e3);
    if (s < 120)
        return arena_printf(a, s < 9.995 ? "%.2f s" : "%.1f s", s);
    if (s < 7200)
        return arena_printf(a, "%lld min %lld s", (long long)(whole / 60), (long long)(whole % 60));
    return arena_printf(a, "%lld h %lld min", (long long)(whole / 3600), (long long)(whole / 60 % 60));
}

struct str format_duration_ns(struct arena *a, int64_t ns)
{
    return format_duration_us(a, ns < 0 ? -1 : ns / 1000);
}

struct str format_bytes(struct arena *a, uint64_t bytes)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB"};
    double v = (double)bytes / 1000;
    size_t unit = 0;

    if (bytes < 1000)
        return arena_printf(a, "%llu B", (unsigned long long)bytes);
    for (; v >= 999.95 && unit + 1 < sizeof units / sizeof *units; unit++)
        v /= 1000;
    return arena_printf(a, v < 99.95 ? "%.1f %s" : "%.0f %s", v, units[unit]);
}

struct str format_count(struct arena *a, uint64_t n)
{
    char digits[32];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), groups = (len - 1) / 3;
    char *out = arena_alloc(a, (size_t)(len + groups) + 1), *p = out;

    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            *p++ = ',';
        *p++ = digits[i];
    }
    return (struct str){out, (size_t)(p - out)};
}

struct str format_counted(struct arena *a, uint64_t n, const char *one, const char *many)
{
    struct str count = format_count(a, n);

    return arena_printf(a, "%.*s %s", STR_ARG(count), n == 1 ? one : many);
}

/* The end of the year 9999. */
#define MOMENT_MAX_US (253402300800ll * 1000000)

struct str format_moment(struct arena *a, const struct process *p, int64_t epoch_us)
{
    int64_t zone_min = p->zone_known ? p->zone_us / 60000000 : 0;
    time_t local = epoch_us < MOMENT_MAX_US ? (time_t)((epoch_us + zone_min * 60000000) / 1000000) : 0;
    struct tm tm;
    char date[64];

    if (epoch_us <= 0 || epoch_us >= MOMENT_MAX_US || !gmtime_r(&local, &tm) ||
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &tm) == 0)
        return (struct str){0};
    /* Without a zone the time is what the log says: local, of a place that is not known. */
    if (!p->zone_known)
        return arena_printf(a, "%s.%03d", date, (int)(epoch_us / 1000 % 1000));
    return arena_printf(a, "%s.%03d%c%02lld:%02lld", date, (int)(epoch_us / 1000 % 1000), zone_min < 0 ? '-' : '+',
                        (long long)((zone_min < 0 ? -zone_min : zone_min) / 60),
                        (long long)((zone_min < 0 ? -zone_min : zone_min) % 60));
}

struct str format_file_name(struct str path)
{
    return str_skip(path, (size_t)(str_rchr(path, '/') + 1));
}

struct str format_place(struct arena *a, struct str file, int64_t line)
{
    struct str name = format_file_name(file);

    if (name.n == 0)
        return (struct str){"", 0};
    return line > 0 ? arena_printf(a, "%.*s:%lld", STR_ARG(name), (long long)line) : name;
}

struct str format_compile(struct arena *a, const struct compile *c)
{
    const struct process *p = c->process;
    struct str id = compile_id_print(a, c->id), out;

    out = compile_id_is_none(c->id) ? STR("(no compile id)") : arena_printf(a, "[%.*s]", STR_ARG(id));
    if (p->epochs > 1 && c->frame)
        out = arena_printf(a, "%.*s epoch %u", STR_ARG(out), c->epoch + 1);
    if (p->rank != RANK_UNKNOWN && p->run->processes.n > 1)
        out = arena_printf(a, "%.*s rank %d", STR_ARG(out), p->rank);
    if (p->rank_is_shared)
        out = arena_printf(a, "%.*s pid %llu", STR_ARG(out), (unsigned long long)p->pid);
    return out;
}

struct str format_frame(struct arena *a, const struct frame *f)
{
    if (!f)
        return STR("(no frame)");
    if (f->is_resume)
        return arena_printf(a, "%.*s (resumed at line %lld)", STR_ARG(f->resumes), (long long)f->resumes_line);
    if (f->name.n)
        return f->name;
    return f->id == ID_NONE ? STR("compiled autograd capture") : STR("(unknown function)");
}

struct str format_ranks(struct arena *a, const int *ranks, size_t n)
{
    struct str out = {"", 0};

    for (size_t i = 0, last; i < n; i = last + 1) {
        last = i;
        while (last + 1 < n && ranks[last + 1] == ranks[last] + 1)
            last++;
        out = arena_printf(a, "%.*s%s%d", STR_ARG(out), i ? ", " : n == 1 ? "rank " : "ranks ", ranks[i]);
        if (last > i)
            out = arena_printf(a, "%.*s%s%d", STR_ARG(out), last == i + 1 ? ", " : "-", ranks[last]);
    }
    return out;
}

/* What inputs of one sort hold. */
struct input_sum {
    uint64_t files, items, bytes;
};

static struct input_sum sum_inputs(const struct run *r, bool logs)
{
    struct input_sum sum = {0};

    for (size_t i = 0; i < r->inputs.n; i++) {
        const struct input *in = r->inputs.v[i];

        if (!in->used || (in->kind == INPUT_TORCH_LOGS) != logs)
            continue;
        sum.files++;
        sum.items += in->totals.records;
        sum.bytes += in->source.bytes;
    }
    return sum;
}

struct str format_inputs(struct arena *a, const struct run *r)
{
    struct input_sum traces = sum_inputs(r, false), logs = sum_inputs(r, true);
    struct str files = format_counted(a, traces.files, "trace file", "trace files"),
               items = format_counted(a, traces.items, "record", "records");

    if (logs.files) {
        struct str log_files = format_counted(a, logs.files, "log", "logs");
        struct str messages = format_counted(a, logs.items, "message", "messages");

        files = traces.files ? arena_printf(a, "%.*s and %.*s", STR_ARG(files), STR_ARG(log_files)) : log_files;
        items = traces.files ? arena_printf(a, "%.*s and %.*s", STR_ARG(items), STR_ARG(messages)) : messages;
    }
    return arena_printf(a, "%.*s (%.*s), %.*s", STR_ARG(files), STR_ARG(format_bytes(a, traces.bytes + logs.bytes)),
                        STR_ARG(items));
}

struct str format_understood(struct arena *a, const struct run *r)
{
    uint64_t lines = 0, understood = 0;

    for (size_t i = 0; i < r->inputs.n; i++) {
        lines += r->inputs.v[i]->used ? r->inputs.v[i]->log_lines : 0;
        understood += r->inputs.v[i]->used ? r->inputs.v[i]->log_lines_understood : 0;
    }
    if (lines == 0)
        return (struct str){0};
    return arena_printf(a, "%d %% of %.*s understood", (int)(understood * 100 / lines),
                        STR_ARG(format_counted(a, lines, "line", "lines")));
}
