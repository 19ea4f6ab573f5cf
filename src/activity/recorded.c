#include "activity/recorded.h"

#include "activity/maker.h"
#include "inject/format.h"
#include "input/limits.h"
#include "input/lines.h"
#include "util/number.h"

struct recorded {
    struct activity_maker maker;
    struct input *in;
    struct arena *scratch;
    VEC(uint32_t) names; /* numbers of names in the file -> numbers in the model */
    bool clock_seen;
    int64_t base_ns;                 /* the CUPTI time that starts are relative to */
    int64_t clock_cupti, clock_unix; /* the latest reading of both clocks */
    uint64_t counts[128];            /* number of lines by their first letter */
};

bool recorded_sniff(struct str beginning)
{
    return str_starts(beginning, STR(GPU_FORMAT_NAME " "));
}

/* --- fields ------------------------------------------------------------------------------------------------------- */

static bool take_i64(struct str *line, int64_t *out)
{
    return str_i64(str_split(line, ' '), out);
}

static bool take_u64(struct str *line, uint64_t *out)
{
    return str_u64(str_split(line, ' '), out);
}

/*
 * Turns "
 * " and "\\" back into the characters they stand for.
 */
static struct str unescape(struct arena *a, struct str text)
{
    char *p = arena_alloc(a, text.n + 1);
    size_t n = 0;

    for (size_t i = 0; i < text.n; i++) {
        bool escaped = text.p[i] == '\\' && i + 1 < text.n;

        if (escaped)
            i++;
        p[n++] = escaped && text.p[i] == 'n' ? '\n' : text.p[i];
    }
    return (struct str){p, n};
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static bool read_header(struct recorded *r, struct str line)
{
    struct str key = str_split(&line, ' ');
    struct gpu_process *g = r->maker.gpu;
    uint64_t n;

    line = str_take(line, LIMIT_NAME);
    if (str_eq(key, STR("pid")))
        return str_u64(line, &g->pid);
    if (str_eq(key, STR("rank"))) {
        if (!str_u64(line, &n) || n > LIMIT_RANK)
            return false;
        g->rank = (int)n;
    } else if (str_eq(key, STR("host"))) {
        g->host = unescape(r->in->arena, line);
    } else if (str_eq(key, STR("program"))) {
        g->program = unescape(r->in->arena, line);
    }
    return true;
}

static bool read_clock(struct recorded *r, struct str line)
{
    int64_t cupti, unix_ns;

    if (!take_i64(&line, &cupti) || !take_i64(&line, &unix_ns) || cupti < 0 || unix_ns < 0)
        return false;
    if (!r->clock_seen)
        r->base_ns = cupti;
    r->clock_seen = true;
    r->clock_cupti = cupti;
    r->clock_unix = unix_ns;
    return true;
}

static bool read_name(struct recorded *r, struct str line)
{
    uint64_t id;

    if (!take_u64(&line, &id) || id != r->names.n)
        return false;
    vec_push(r->scratch, &r->names, activity_name(&r->maker, GPU_KERNEL, unescape(r->scratch, line)));
    return true;
}

/* DEVICE STREAM CORRELATION GRAPH */
static bool take_place(struct str *line, struct gpu_activity *a)
{
    uint64_t device, ignored, graph;

    if (!take_u64(line, &device) || !take_u64(line, &ignored) || !take_u64(line, &ignored) || !take_u64(line, &graph))
        return false;
    a->device = device > LIMIT_GPU_DEVICE ? LIMIT_GPU_DEVICE : (uint16_t)device; /* INT_MAX: the host started it */
    a->in_graph = graph != 0;
    return true;
}

static bool take_times(struct recorded *r, struct str *line, struct gpu_activity *a)
{
    int64_t start;

    if (!r->clock_seen || !take_i64(line, &start) || !take_i64(line, &a->duration_ns))
        return false;
    a->start_ns = add_bounded(add_bounded(add_bounded(r->base_ns, start), -r->clock_cupti), r->clock_unix);
    return true;
}

static bool read_kernel(struct recorded *r, struct str line)
{
    struct gpu_activity a = {0};
    uint64_t name;

    if (!take_times(r, &line, &a) || !take_u64(&line, &name) || name >= r->names.n || !take_place(&line, &a))
        return false;
    a.name = r->names.v[name];
    return activity_add(&r->maker, &a, 0) || r->maker.limit_reported;
}

/* The other records. A copy begins with its direction; a graph launch has no byte count. */
static bool read_other(struct recorded *r, char word, struct str line)
{
    enum gpu_kind kind = word == 'm' ? GPU_COPY : word == 's' ? GPU_MEMSET : GPU_GRAPH;
    struct gpu_activity a = {.in_graph = kind == GPU_GRAPH};
    struct str name = kind == GPU_MEMSET ? STR("memset") : STR("graph launch");
    uint64_t bytes = 0;

    if (!take_times(r, &line, &a))
        return false;
    if (kind == GPU_COPY)
        name = str_take(str_split(&line, ' '), 16);
    if (!take_place(&line, &a) || (kind != GPU_GRAPH && !take_u64(&line, &bytes)))
        return false;
    a.name = activity_name(&r->maker, kind, name);
    return activity_add(&r->maker, &a, bytes) || r->maker.limit_reported;
}

static bool read_lost(struct recorded *r, struct str line)
{
    uint64_t n;

    if (!str_u64(line, &n))
        return false;
    r->maker.gpu->lost = n > UINT64_MAX - r->maker.gpu->lost ? UINT64_MAX : r->maker.gpu->lost + n;
    return true;
}

static bool read_end(struct recorded *r, struct str line)
{
    if (!take_i64(&line, &r->maker.gpu->ended_ns) || r->maker.gpu->ended_ns < 0)
        return false;
    r->maker.gpu->ended = unescape(r->in->arena, str_take(line, LIMIT_NAME));
    return true;
}

/* False if the line is malformed. Unknown words, which a later version may write, are fine. */
static bool read_line(struct recorded *r, struct str line)
{
    struct str word = str_split(&line, ' ');
    char c = word.n == 1 ? word.p[0] : 0;

    if (c < 'a' || c > 'z')
        return false;
    r->counts[(unsigned char)c]++;
    switch (c) {
    case 'h':
        return read_header(r, line);
    case 'c':
        return read_clock(r, line);
    case 'n':
        return read_name(r, line);
    case 'k':
        return read_kernel(r, line);
    case 'm':
    case 's':
    case 'g':
        return read_other(r, c, line);
    case 'd':
        return read_lost(r, line);
    case 'w':
        return read_end(r, line);
    default:
        return true;
    }
}

static void count_lines(struct recorded *r)
{
    activity_count(r->in, "gpu_activity:kernel", r->counts['k']);
    activity_count(r->in, "gpu_activity:copy", r->counts['m']);
    activity_count(r->in, "gpu_activity:memset", r->counts['s']);
    activity_count(r->in, "gpu_activity:graph", r->counts['g']);
}

/* The rest of the first line is the version. A later version may have other lines, which are reported one by one. */
void recorded_read(struct input *in)
{
    struct recorded r = {.in = in, .scratch = arena_new()};
    struct line_reader lines;
    struct line line;

    activity_begin(&r.maker, in, r.scratch, STR("CUPTI"));
    lines_begin(&lines, &in->source);
    while (lines_next(&lines, &line)) {
        if (line.number == 1)
            continue;
        if (line.cut)
            message_add(&in->messages, MSG_LONG_LINE, line.number, "%llu bytes", (unsigned long long)line.stored);
        else if (!line.newline)
            message_add(&in->messages, MSG_TRUNCATED, line.number, "the process was killed while it wrote");
        else if (!read_line(&r, line.text))
            message_add(&in->messages, MSG_BAD_LINE, line.number, "%.*s", STR_ARG(str_take(line.text, 100)));
    }
    if (lines.gave_up)
        message_add(&in->messages, MSG_GAVE_UP, 0, "a line without an end");
    lines_end(&lines);
    count_lines(&r);
    arena_free(r.scratch);
}
