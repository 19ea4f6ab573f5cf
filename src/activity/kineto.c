#include "activity/kineto.h"

#include "activity/maker.h"
#include "activity/json_stream.h"
#include "input/limits.h"
#include "util/formats/json.h"
#include "util/formats/json_room.h"
#include "util/number.h"

struct kineto {
    struct activity_maker maker;
    struct input *in;
    int64_t base_ns; /* the base that times are relative to; older versions have none and count from 1970 */
    uint64_t counts[GPU_KINDS];
    struct map regions; /* "0/1" -> its place in the list, plus 1 */
    unsigned asked;     /* events that were parsed to learn which process they belong to */
};

enum { ASKED_MAX = 1000 };

/* libkineto writes one member near the beginning that other Chrome traces do not have. */
bool kineto_sniff(struct str beginning)
{
    struct str head = str_trim(str_take(beginning, 4096));

    return str_starts(head, STR("{")) && str_has(head, STR("\"schemaVersion\"")) &&
           (str_has(head, STR("\"deviceProperties\"")) || str_has(head, STR("\"traceEvents\"")));
}

/* --- what stands before and behind the events --------------------------------------------------------------------- */

static void read_device(struct input *in, const json_t *o)
{
    struct gpu_device d = gpu_device_unknown();
    const json_t *major = json_object_get(o, "computeMajor"), *minor = json_object_get(o, "computeMinor");

    if (!json_is_object(o) || in->devices.n >= LIMIT_GPU_DEVICE)
        return;
    if (json_is_integer(json_object_get(o, "id")))
        d.index = json_integer_value(json_object_get(o, "id"));
    d.name = arena_str(in->arena, str_take(json_str(json_object_get(o, "name")), LIMIT_NAME));
    if (json_is_integer(json_object_get(o, "totalGlobalMem")))
        d.memory_total = json_integer_value(json_object_get(o, "totalGlobalMem"));
    if (json_is_integer(json_object_get(o, "numSms")))
        d.processors = json_integer_value(json_object_get(o, "numSms"));
    if (json_is_integer(major) && json_is_integer(minor))
        d.capability = arena_printf(in->arena, "%lld.%lld", (long long)json_integer_value(major),
                                    (long long)json_integer_value(minor));
    vec_push(in->arena, &in->devices, d);
}

static void read_rank(struct kineto *k, const json_t *o)
{
    const json_t *rank = json_object_get(o, "rank");

    if (json_is_integer(rank) && json_integer_value(rank) >= 0 && json_integer_value(rank) <= LIMIT_RANK)
        k->maker.gpu->rank = (int)json_integer_value(rank);
}

static void read_member(struct kineto *k, const struct json_piece *piece)
{
    struct json_doc doc;
    struct str text = str_trim(piece->text);
    const json_t *device;
    size_t i;

    if (str_eq(piece->key, STR("baseTimeNanoseconds"))) {
        if (!str_i64(text, &k->base_ns) || k->base_ns < 0 || k->base_ns > GPU_LATEST_NS)
            k->base_ns = 0;
        return;
    }
    if (!str_eq(piece->key, STR("deviceProperties")) && !str_eq(piece->key, STR("distributedInfo")) &&
        !str_eq(piece->key, STR("host_name")))
        return;
    if (str_starts(text, STR("\""))) {
        k->maker.gpu->host = arena_str(k->in->arena, str_take(str_drop(str_skip(text, 1), 1), LIMIT_NAME));
        return;
    }
    if (json_doc_load_whole(&doc, text)) {
        read_rank(k, doc.root);
        json_array_foreach(doc.root, i, device) read_device(k->in, device);
    }
    json_doc_free(&doc);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* "Memcpy HtoD (Pinned -> Device)" -> "HtoD" */
static struct str name_of(enum gpu_kind kind, struct str name)
{
    if (kind == GPU_MEMSET)
        return STR("memset");
    if (kind == GPU_COPY && str_consume(&name, STR("Memcpy ")))
        return str_split(&name, ' ');
    return name;
}

static double real_of(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

static uint64_t count_of(const json_t *o, const char *key)
{
    const json_t *n = json_object_get(o, key);

    return json_is_integer(n) && json_integer_value(n) > 0 ? (uint64_t)json_integer_value(n) : 0;
}

static void add_event(struct kineto *k, enum gpu_kind kind, const json_t *event)
{
    const json_t *args = json_object_get(event, "args");
    const json_t *device_arg = json_object_get(args, "device");
    uint64_t device = json_is_integer(device_arg) ? count_of(args, "device") : count_of(event, "pid");
    struct gpu_activity a = {
        .start_ns = add_bounded(int_of_real(real_of(event, "ts") * 1000), k->base_ns),
        .duration_ns = int_of_real(real_of(event, "dur") * 1000 + 0.5),
        .device = device > LIMIT_GPU_DEVICE ? LIMIT_GPU_DEVICE : (uint16_t)device,
        .in_graph = count_of(args, "graph id") > 0 || count_of(args, "graph node id") > 0,
    };
    struct str name = json_str(json_object_get(event, "name"));

    if (!str_eq(json_str(json_object_get(event, "ph")), STR("X")))
        return;
    a.name = activity_name(&k->maker, kind, name_of(kind, name));
    if (activity_add(&k->maker, &a, kind == GPU_KERNEL ? 0 : count_of(args, "bytes")))
        k->counts[kind]++;
}

/* record_function in torch/_dynamo/eval_frame.py and torch/_functorch: "Torch-Compiled Region: 0/1", since 2.1. */
static const struct str region_mark = STR_INIT("Torch-Compiled Region: ");

static void add_region(struct kineto *k, const json_t *event)
{
    struct str name = json_str(json_object_get(event, "name")), key;
    int64_t start_ns = int_of_real(real_of(event, "ts") * 1000);
    int64_t took_ns = int_of_real(real_of(event, "dur") * 1000 + 0.5);
    struct compile_id id = COMPILE_ID_NONE;
    struct gpu_region *r;
    int attempt;
    uint64_t *number;

    if (!str_consume(&name, region_mark) || took_ns < 0 || took_ns > GPU_LATEST_NS)
        return;
    key = name;
    if (!compile_id_take(&name, &id, &attempt) || k->regions.n >= LIMIT_LIST)
        return;
    number = map_number_at(&k->regions, str_drop(key, name.n));
    if (*number == 0) {
        vec_add(k->in->arena, &k->maker.gpu->regions);
        *number = k->maker.gpu->regions.n;
    }
    r = &k->maker.gpu->regions.v[*number - 1];
    r->id = id;
    if (r->calls++ == 0 || start_ns < r->first_start_ns) {
        r->first_start_ns = start_ns;
        r->first_ns = took_ns;
    }
    r->all_ns = add_bounded(r->all_ns, took_ns);
}

/* Most events are host events; those are not parsed. */
static void read_region(struct kineto *k, const struct json_piece *piece)
{
    struct json_doc doc;

    if (!str_has(piece->text, region_mark))
        return;
    if (json_doc_load_whole(&doc, piece->text) && str_eq(json_str(json_object_get(doc.root, "ph")), STR("X")))
        add_region(k, doc.root);
    json_doc_free(&doc);
}

/* A host event has the program's process id; a kernel has the device number instead. */
static bool is_of_host(struct str category)
{
    return str_eq(category, STR("cpu_op")) || str_eq(category, STR("cuda_runtime"));
}

/* The first "cat" in the text; only parsing shows whether it is the event's own. */
static struct str category_of(struct str text)
{
    ptrdiff_t at = str_find(text, STR("\"cat\""));
    struct str value;

    return at >= 0 && str_between(str_skip(text, (size_t)at + 5), STR("\""), STR("\""), &value) ? value : STR("");
}

static void read_event(struct kineto *k, const struct json_piece *piece)
{
    static const struct {
        struct str category;
        enum gpu_kind kind;
    } wanted[] = {
        {STR_INIT("kernel"), GPU_KERNEL},
        {STR_INIT("gpu_memcpy"), GPU_COPY},
        {STR_INIT("gpu_memset"), GPU_MEMSET},
    };
    struct str category = category_of(piece->text);
    bool process = k->maker.gpu->pid == 0 && k->asked < ASKED_MAX && is_of_host(category);
    struct json_doc doc;
    size_t i = 0;

    while (i < sizeof wanted / sizeof *wanted && !str_eq(wanted[i].category, category))
        i++;
    if (i == sizeof wanted / sizeof *wanted) {
        k->maker.gpu->skipped_events++;
        read_region(k, piece);
    }
    if (i == sizeof wanted / sizeof *wanted && !process)
        return;
    k->asked += process;
    if (!json_doc_load_whole(&doc, piece->text))
        message_add(&k->in->messages, MSG_BAD_JSON, 0, "an event at byte %llu", (unsigned long long)piece->offset);
    else if (i < sizeof wanted / sizeof *wanted)
        add_event(k, wanted[i].kind, doc.root);
    else
        k->maker.gpu->pid = count_of(doc.root, "pid");
    json_doc_free(&doc);
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

/* Shifts events that precede the base time in the file, which some versions may write like that. */
static void shift_times(struct gpu_process *g, int64_t by_ns)
{
    vec_each(struct gpu_activity, a, &g->activities)
    {
        int64_t ns = add_bounded(a->start_ns, by_ns);

        a->start_ns = ns < 0 ? 0 : ns > GPU_LATEST_NS ? GPU_LATEST_NS : ns;
    }
}

static void read_pieces(struct kineto *k, struct json_stream *s)
{
    struct json_room *room = json_room_take(), *outside = json_room_enter(room);
    struct json_piece piece;
    int64_t base_of_events = 0;
    bool events = false;

    while (json_stream_next(s, &piece)) {
        json_room_clear(room); /* the piece before this one has been released */
        if (!piece.element) {
            read_member(k, &piece);
            continue;
        }
        base_of_events = events ? base_of_events : k->base_ns;
        events = true;
        read_event(k, &piece);
    }
    json_room_enter(outside);
    json_room_give_back(room);
    /* Only once, even if the member is repeated. */
    if (events && k->base_ns != base_of_events)
        shift_times(k->maker.gpu, k->base_ns - base_of_events);
}

void kineto_read(struct input *in)
{
    struct arena *scratch = arena_new();
    struct kineto k = {.in = in};
    struct json_stream s;

    activity_begin(&k.maker, in, scratch, STR("torch.profiler"));
    map_init(&k.regions, scratch);
    json_stream_begin(&s, &in->source, "traceEvents", LIMIT_JSON_EVENT);
    read_pieces(&k, &s);
    if (!s.complete)
        message_add(&in->messages, MSG_TRUNCATED, 0, "after %llu bytes", (unsigned long long)s.offset);
    if (s.left_out)
        message_add(&in->messages, MSG_LONG_LINE, 0, "%llu events of more than %d bytes",
                    (unsigned long long)s.left_out, LIMIT_JSON_EVENT);
    json_stream_end(&s);
    activity_count(in, "torch_profiler:kernel", k.counts[GPU_KERNEL]);
    activity_count(in, "torch_profiler:copy", k.counts[GPU_COPY]);
    activity_count(in, "torch_profiler:memset", k.counts[GPU_MEMSET]);
    arena_free(scratch);
}
