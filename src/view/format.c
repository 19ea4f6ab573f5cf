#include "view/format.h"

#include "analysis/answers/answers.h"
#include "analysis/answers/health.h"
#include "util/number.h"

#include <stdio.h>
#include <time.h>

/* The unit changes where rounding would reach the next unit: 1000 ms is 1 s. */
struct str format_duration_us(struct arena *a, int64_t us)
{
    int64_t s = us / 1000000 + (us % 1000000 >= 500000), min = s / 60 + (s % 60 >= 30);

    if (us < 0)
        return STR("-");
    if (us == 0)
        return STR("0 s");
    if (us < 1000)
        return arena_printf(a, "%d \xc2\xb5s", (int)us);
    if (us < 9950)
        return arena_printf(a, "%.1f ms", (double)us / 1e3);
    if (us < 999500)
        return arena_printf(a, "%.0f ms", (double)us / 1e3);
    if (us < 119950000)
        return arena_printf(a, us < 9995000 ? "%.2f s" : "%.1f s", (double)us / 1e6);
    if (s < 7200)
        return arena_printf(a, "%lld min %lld s", (long long)(s / 60), (long long)(s % 60));
    return arena_printf(a, "%lld h %lld min", (long long)(min / 60), (long long)(min % 60));
}

struct str format_duration_ns(struct arena *a, int64_t ns)
{
    return format_duration_us(a, ns < 0 ? -1 : ns / 1000);
}

struct str format_share(struct arena *a, int64_t part, int64_t whole)
{
    const int64_t most = INT64_MAX / 200; /* forged times may be longer: the last digits then do not matter */
    int64_t percent = part < most && whole < most ? (part * 100 + whole / 2) / whole
                                                  : int_of_real((double)part * 100 / (double)whole + 0.5);

    return percent == 0 && part > 0 ? STR("<1 %") : arena_printf(a, "%lld %%", (long long)percent);
}

struct str format_bytes(struct arena *a, uint64_t bytes)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB"};
    double v = (double)bytes / 1000;
    size_t unit = 0;

    if (bytes < 1000)
        return arena_printf(a, "%llu B", (unsigned long long)bytes);
    for (; v >= 999.5 && unit + 1 < sizeof units / sizeof *units; unit++)
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

/* A moment on the process's clock: the calendar date, its zone in minutes, and the milliseconds. */
struct moment {
    struct tm tm;
    int64_t zone_min;
    int ms;
};

static bool moment_of(const struct process *p, int64_t epoch_us, struct moment *out)
{
    time_t local;

    if (epoch_us <= 0 || epoch_us >= MOMENT_MAX_US)
        return false;
    out->zone_min = p->zone_known ? p->zone_us / 60000000 : 0;
    out->ms = (int)(epoch_us / 1000 % 1000);
    local = (time_t)((epoch_us + out->zone_min * 60000000) / 1000000);
    return gmtime_r(&local, &out->tm) != NULL;
}

static struct str zone_text(struct arena *a, const struct moment *m)
{
    int64_t min = m->zone_min < 0 ? -m->zone_min : m->zone_min;

    return arena_printf(a, "%c%02lld:%02lld", m->zone_min < 0 ? '-' : '+', (long long)(min / 60),
                        (long long)(min % 60));
}

struct str format_spread(struct arena *a, struct spread n)
{
    struct str most = format_count(a, n.most);

    return n.least == n.most ? most : arena_printf(a, "%.*s-%.*s", STR_ARG(format_count(a, n.least)), STR_ARG(most));
}

struct str format_spread_counted(struct arena *a, struct spread n, const char *one, const char *many)
{
    return arena_printf(a, "%.*s %s", STR_ARG(format_spread(a, n)), n.least == 1 && n.most == 1 ? one : many);
}

struct str format_moment(struct arena *a, const struct process *p, int64_t epoch_us)
{
    struct moment m;
    char date[64];

    if (!moment_of(p, epoch_us, &m) || strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &m.tm) == 0)
        return (struct str){0};
    /* Without a zone, the time is as logged: local time of an unknown place. */
    return arena_printf(a, "%s.%03d%.*s", date, m.ms, STR_ARG(p->zone_known ? zone_text(a, &m) : STR("")));
}

struct str format_moment_plain(struct arena *a, const struct process *p, int64_t epoch_us)
{
    struct moment m;
    char date[64];

    if (!moment_of(p, epoch_us, &m) || strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &m.tm) == 0)
        return (struct str){0};
    if (!p->zone_known)
        return arena_printf(a, "%s", date);
    return arena_printf(a, "%s UTC%.*s", date, STR_ARG(m.zone_min ? zone_text(a, &m) : STR("")));
}

struct str format_place(struct arena *a, struct str file, int64_t line)
{
    struct str name = code_file_name(file);

    if (name.n == 0) /* a text may have the line without its file */
        return line > 0 ? arena_printf(a, "line %lld", (long long)line) : (struct str){"", 0};
    if (str_eq(name, STR("__init__.py"))) /* to show which package it is */
        name = code_file_tail(file, 2);
    return format_place_named(a, name, line);
}

struct str format_place_in(struct arena *a, struct str file, int64_t line, struct str function)
{
    struct str path = is_library_file(file) ? code_file_package_path(file) : (struct str){0};
    struct str place = path.n ? format_place_named(a, path, line) : format_place(a, file, line);

    return path.n && function.n ? arena_printf(a, "%.*s, in %.*s", STR_ARG(place), STR_ARG(function)) : place;
}

struct str format_place_named(struct arena *a, struct str name, int64_t line)
{
    return line > 0 ? arena_printf(a, "%.*s:%lld", STR_ARG(name), (long long)line) : name;
}

/*
 * "In train.py, before line 31 (the call, in the caller)"; for a place in words only, "Before the call, in the
 * caller".
 */
static struct str paste_line(struct arena *a, const struct fix_paste *p)
{
    struct str where = p->where, name = code_file_name(p->file);

    if (name.n == 0 || p->line <= 0)
        return where;
    str_consume(&where, STR("before "));
    str_consume(&where, STR("the line"));
    str_consume(&where, STR(", "));
    return arena_printf(a, "in %.*s, before line %lld%s%.*s%s", STR_ARG(name), (long long)p->line, where.n ? " (" : "",
                        STR_ARG(where), where.n ? ")" : "");
}

struct str format_paste_place(struct arena *a, const struct fix_paste *p)
{
    static const char *const verbs[PASTE_KINDS] = {
        [PASTE_NONE] = "",
        [PASTE_STATEMENT] = "Put this ",
        [PASTE_SETTING] = "Put this ",
        [PASTE_ENVIRONMENT] = "Set this ",
        [PASTE_COMMAND] = "Run this ",
        [PASTE_PATTERN] = "A pattern to adapt, ",
    };
    struct str where = paste_line(a, p);

    if (p->text.n == 0)
        return (struct str){0};
    if (where.n == 0)
        return p->kind == PASTE_PATTERN ? STR("A pattern to adapt:") : STR("Paste this:");
    return arena_printf(a, "%s%.*s:", verbs[p->kind], STR_ARG(where));
}

struct str format_page_name(struct arena *a, struct str url)
{
    struct str page = str_split(&url, '#'), name;
    ptrdiff_t dot;
    char *p;

    while (str_ends(page, STR("/")))
        page = str_drop(page, 1);
    name = str_file_name(page);
    if (str_ends(name, STR(".html")))
        name = str_drop(name, 5);
    dot = str_rchr(name, '.');
    if (dot >= 0)
        name = str_skip(name, (size_t)dot + 1);
    p = arena_copy(a, name);
    for (size_t i = 0; i < name.n; i++)
        p[i] = p[i] == '_' || p[i] == '-' ? ' ' : p[i];
    return (struct str){p, name.n};
}

struct str format_tried(const struct fix *f)
{
    static const char *const heads[FIX_OUTCOMES] = {
        [FIX_HELPS] = "Tried here: it helps",
        [FIX_GONE] = "Tried here: the finding is gone",
        [FIX_NO_EFFECT] = "Tried here: no effect",
        [FIX_DIFFERS] = "Tried here: results differ",
        [FIX_RAISES] = "Tried here: the program fails",
        [FIX_NOT_APPLIED] = "Tried here: it could not be put into the program",
        [FIX_NOT_TRIED] = "Not tried",
    };

    return fix_is_verified(f) ? STR("Verified here") : str_of(heads[f->outcome]);
}

struct str format_cost_time(struct arena *a, const struct finding *x)
{
    struct str time = format_duration_us(a, x->cost_us);

    if (x->cost_ranks < 2)
        return time;
    return arena_printf(a, "%.*s on the slowest of %llu ranks", STR_ARG(time), (unsigned long long)x->cost_ranks);
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
    if (f->label.n)
        return f->name.n ? arena_printf(a, "%.*s (%.*s)", STR_ARG(f->label), STR_ARG(f->name)) : f->label;
    if (f->is_resume)
        return arena_printf(a, "%.*s (resumed at line %lld)", STR_ARG(f->resumes), (long long)f->resumes_line);
    if (f->name.n)
        return f->name;
    return f->id == ID_NONE ? STR("compiled autograd capture") : STR("(unknown function)");
}

struct str format_gpu(struct arena *a, struct str gpu)
{
    ptrdiff_t colon = str_rchr(gpu, ':');
    uint64_t n;

    if (colon < 0 || !str_u64(str_trim(str_skip(gpu, (size_t)colon + 1)), &n))
        return gpu;
    gpu = str_trim(str_take(gpu, (size_t)colon));
    return n == 1 ? gpu : arena_printf(a, "%llux %.*s", (unsigned long long)n, STR_ARG(gpu));
}

bool health_is_sound(struct health h)
{
    return h.traced && !h.cut && h.errors == 0 && h.warnings == 0 && h.unread == 0;
}

/* Nothing is wrong with what was read; what that means depends on the kind of input. */
static struct str health_of_whole(struct health h)
{
    if (h.cut)
        return STR("all records were read; they end during a compile");
    if (h.traced)
        return STR("all records were read");
    return h.texts ? STR("a log: it only has what PyTorch was asked to print") : STR("nothing was recorded");
}

struct str format_health(struct arena *a, struct health h)
{
    struct str parts[3], out;
    size_t n = 0;

    if (h.unread)
        parts[n++] = format_counted(a, h.unread, "file not read to its end", "files not read to their end");
    if (h.errors)
        parts[n++] = format_counted(a, h.errors, "damaged place", "damaged places");
    if (h.warnings)
        parts[n++] = format_counted(a, h.warnings, "warning", "warnings");
    if (n == 0)
        return h.nothing ? STR("there is no trace") : health_of_whole(h);
    out = parts[0];
    for (size_t i = 1; i < n; i++)
        out = arena_printf(a, "%.*s%s%.*s", STR_ARG(out), i + 1 < n ? ", " : " and ", STR_ARG(parts[i]));
    return out;
}

struct str format_known_spread(struct arena *a, const struct counts *c, struct spread n, const char *one,
                               const char *many)
{
    if (!count_is_known(c, n.most))
        return arena_printf(a, "%s: not in this log", many);
    return format_spread_counted(a, n, one, many);
}

struct str format_known(struct arena *a, const struct counts *c, uint64_t n, const char *one, const char *many)
{
    return format_known_spread(a, c, (struct spread){n, n}, one, many);
}

/* The contents of all inputs of one kind. */
struct input_sum {
    uint64_t files, items, bytes;
};

static struct input_sum sum_inputs(const struct run *r, enum input_kind kind)
{
    struct input_sum sum = {0};

    for (size_t i = 0; i < r->inputs.n; i++) {
        const struct input *in = r->inputs.v[i];

        if (!in->used || in->kind != kind)
            continue;
        sum.files++;
        sum.items += in->totals.records;
        sum.bytes += in->source.bytes;
    }
    return sum;
}

/* "1 trace file", "1 trace file and 2 logs", "1 trace file, 2 logs and 7 torch_compile_debug files" */
static struct str join_words(struct arena *a, const struct str *words, size_t n)
{
    struct str out = words[0];

    for (size_t i = 1; i < n; i++)
        out = arena_printf(a, "%.*s%s%.*s", STR_ARG(out), i + 1 < n ? ", " : " and ", STR_ARG(words[i]));
    return out;
}

struct str format_inputs(struct arena *a, const struct run *r)
{
    static const struct {
        enum input_kind kind;
        const char *file, *files, *item, *items; /* the contents of a file; NULL if the file is one thing itself */
    } sorts[] = {
        {INPUT_TORCH_TRACE, "trace file", "trace files", "record", "records"},
        {INPUT_TORCH_LOGS, "log", "logs", "message", "messages"},
        {INPUT_COMPILE_DEBUG, "torch_compile_debug file", "torch_compile_debug files", NULL, NULL},
        {INPUT_GPU_ACTIVITY, "file of GPU activity", "files of GPU activity", "activity", "activities"},
        {INPUT_KINETO, "trace of torch.profiler", "traces of torch.profiler", "GPU activity", "GPU activities"},
        {INPUT_NSYS, "export of nsys", "exports of nsys", "GPU activity", "GPU activities"},
        {INPUT_FLIGHT, "Flight Recorder dump", "Flight Recorder dumps", "call", "calls"},
    };
    struct str files[sizeof sorts / sizeof *sorts] = {STR("0 trace files")};
    struct str items[sizeof sorts / sizeof *sorts] = {STR("0 records")};
    size_t file_n = 0, item_n = 0;
    uint64_t bytes = 0;

    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
        struct input_sum sum = sum_inputs(r, sorts[i].kind);

        if (sum.files == 0)
            continue;
        files[file_n++] = format_counted(a, sum.files, sorts[i].file, sorts[i].files);
        if (sorts[i].item)
            items[item_n++] = format_counted(a, sum.items, sorts[i].item, sorts[i].items);
        bytes += sum.bytes;
    }
    return arena_printf(a, "%.*s (%.*s)%s%.*s", STR_ARG(join_words(a, files, file_n)), STR_ARG(format_bytes(a, bytes)),
                        file_n && !item_n ? "" : ", ",
                        STR_ARG(file_n && !item_n ? STR("") : join_words(a, items, item_n)));
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

struct str format_ranks_of(struct arena *a, const struct run *r)
{
    int *ranks = ARENA_ARRAY(a, int, r->processes.n + 1);
    size_t n = 0;

    for (size_t i = 0; i < r->processes.n; i++)
        if (r->processes.v[i]->rank != RANK_UNKNOWN)
            ranks[n++] = r->processes.v[i]->rank;
    return rank_list_words(a, ranks, rank_list_sort(ranks, n));
}

struct str format_trial_end(struct arena *a, const struct trial *t)
{
    if (str_eq(t->end, STR(TRIAL_EXITED)))
        return t->status == 0 ? STR("done") : arena_printf(a, "exit %lld", (long long)t->status);
    if (str_eq(t->end, STR(TRIAL_SIGNALED)))
        return arena_printf(a, "signal %lld", (long long)t->signal);
    return str_eq(t->end, STR(TRIAL_TIMED_OUT)) ? STR("time limit") : t->end;
}
