#include "flight/flight_dump.h"

#include "input/limits.h"
#include "util/formats/json.h"
#include "util/formats/json_scan.h"

#include <stdlib.h>

const struct str flight_pickle_reason =
    STR_INIT("a Flight Recorder dump as a pickle, which is not read because a pickle can run code. If you trust it: "
             "python -c \"import json, pickle, sys; json.dump(pickle.load(open(sys.argv[1], 'rb')), "
             "open(sys.argv[1] + '.json', 'w'))\" FILE");

/* These keys appear together in no other file, and every dump has two of them, with or without entries. */
static bool has_keys(struct str text)
{
    return (str_has(text, STR("pg_config")) && str_has(text, STR("pg_status"))) ||
           (str_has(text, STR("collective_seq_id")) && str_has(text, STR("profiling_name")));
}

bool flight_sniff(struct str beginning)
{
    struct str text = str_trim(beginning);

    str_consume(&text, STR("\xef\xbb\xbf"));
    return str_starts(text, STR("{")) && str_chr(text, '"') >= 0 && has_keys(text);
}

/* torch::jit::Pickler writes protocol 2; Python itself writes up to 5. */
bool flight_is_pickle(struct str beginning)
{
    return beginning.n > 2 && beginning.p[0] == '\x80' && beginning.p[1] >= 2 && beginning.p[1] <= 5 &&
           has_keys(beginning);
}

/* --- one entry ---------------------------------------------------------------------------------------------------- */

struct dump_reader {
    struct input *in;
    struct arena *arena;
    struct flight_dump *dump;
    struct map groups;    /* name and description -> its index plus 1 */
    struct map group_ids; /* pg_id -> the same */
    struct map of_gloo;   /* index plus 1 of a group -> 1, if it is a Gloo group */
    struct map ops;       /* key of an op -> its index plus 1 */
    struct map strings;
    struct buf key;
    int rank;                  /* named in the dump itself */
    int64_t first_ns, last_ns; /* the range of all times; 0 if unknown */
    uint64_t bad;              /* entries that could not be used */
};

/* Abbreviates what c10::toString prints in the way of torch.fx (torch/utils/_dtype_abbrs.py). */
static struct str dtype_of(struct str name)
{
    static const struct {
        struct str name, abbreviation;
    } rows[] = {
        {STR_INIT("Float"), STR_INIT("f32")},
        {STR_INIT("BFloat16"), STR_INIT("bf16")},
        {STR_INIT("Half"), STR_INIT("f16")},
        {STR_INIT("Double"), STR_INIT("f64")},
        {STR_INIT("Long"), STR_INIT("i64")},
        {STR_INIT("Int"), STR_INIT("i32")},
        {STR_INIT("Short"), STR_INIT("i16")},
        {STR_INIT("Char"), STR_INIT("i8")},
        {STR_INIT("Byte"), STR_INIT("u8")},
        {STR_INIT("Bool"), STR_INIT("b8")},
        {STR_INIT("UInt16"), STR_INIT("u16")},
        {STR_INIT("UInt32"), STR_INIT("u32")},
        {STR_INIT("UInt64"), STR_INIT("u64")},
        {STR_INIT("ComplexHalf"), STR_INIT("c32")},
        {STR_INIT("ComplexFloat"), STR_INIT("c64")},
        {STR_INIT("ComplexDouble"), STR_INIT("c128")},
        {STR_INIT("Float8_e5m2"), STR_INIT("f8e5m2")},
        {STR_INIT("Float8_e4m3fn"), STR_INIT("f8e4m3fn")},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_eq(name, rows[i].name))
            return rows[i].abbreviation;
    return name;
}

static struct str text_at(json_t *entry, const char *key)
{
    struct str s = json_str(json_object_get(entry, key));

    return s.n <= LIMIT_NAME ? s : (struct str){0};
}

static bool number_at(json_t *entry, const char *key, int64_t *out)
{
    json_t *v = json_object_get(entry, key);

    if (!json_is_integer(v))
        return false;
    *out = json_integer_value(v);
    return true;
}

enum { DIMENSIONS_MAX = 64 };

/* "[2, 8]", the shape of the first tensor. */
static void add_shape(struct buf *out, json_t *sizes)
{
    json_t *first = json_array_get(sizes, 0);

    if (!json_is_array(first))
        return;
    buf_char(out, '[');
    for (size_t i = 0; i < json_array_size(first) && i < DIMENSIONS_MAX; i++)
        buf_printf(out, "%s%lld", i ? ", " : "", (long long)json_integer_value(json_array_get(first, i)));
    buf_char(out, ']');
}

static struct str first_dtype(json_t *entry, const char *key)
{
    struct str name = json_str(json_array_get(json_object_get(entry, key), 0));

    return name.n <= LIMIT_NAME ? dtype_of(name) : (struct str){0};
}

static struct str part(struct dump_reader *r, struct str *rest)
{
    return intern(&r->strings, str_split(rest, '\n'));
}

/* The op that is called. Equal ops share an index. "nccl:send 0->1" contains library, name and peers. */
static uint32_t op_of(struct dump_reader *r, json_t *entry)
{
    struct str name = text_at(entry, "profiling_name"), peers, rest;
    struct str backend = str_chr(name, ':') >= 0 ? str_split(&name, ':') : (struct str){0};
    json_t *outputs = json_object_get(entry, "output_sizes");
    uint64_t *slot;
    struct flight_op *op;

    peers = name;
    name = str_split(&peers, ' ');
    r->key.n = 0;
    buf_printf(&r->key, "%.*s\n%.*s\n%.*s\n", STR_ARG(backend), STR_ARG(name), STR_ARG(peers));
    add_shape(&r->key, json_object_get(entry, "input_sizes"));
    buf_printf(&r->key, "\n%.*s\n", STR_ARG(first_dtype(entry, "input_dtypes")));
    add_shape(&r->key, outputs);
    buf_printf(&r->key, "\n%.*s\n%zu", STR_ARG(first_dtype(entry, "output_dtypes")), json_array_size(outputs));
    slot = map_number_at(&r->ops, buf_view(&r->key));
    if (*slot)
        return (uint32_t)*slot - 1;
    op = vec_add(r->arena, &r->dump->ops);
    rest = buf_view(&r->key);
    op->backend = part(r, &rest);
    op->name = part(r, &rest);
    op->peers = part(r, &rest);
    op->in_shape = part(r, &rest);
    op->in_dtype = part(r, &rest);
    op->out_shape = part(r, &rest);
    op->out_dtype = part(r, &rest);
    op->tensors = json_array_size(outputs);
    *slot = r->dump->ops.n;
    return (uint32_t)*slot - 1;
}

/* Found by name: pg_config does not have the descriptions of other groups with the same name. */
static struct flight_group *group_named(struct dump_reader *r, struct str name, struct str about)
{
    uint64_t *slot = map_number_at(&r->groups, name);
    struct flight_group *g;

    if (!*slot) {
        g = vec_add(r->arena, &r->dump->groups);
        g->name = intern(&r->strings, name);
        g->enqueued = g->completed = -1;
        *slot = r->dump->groups.n;
    }
    g = &r->dump->groups.v[*slot - 1];
    if (about.n && !str_eq(about, STR("undefined")))
        g->about = intern(&r->strings, about);
    return g;
}

static bool is_gloo(const struct flight_op *op)
{
    return str_eq(op->backend, STR("gloo"));
}

/* ["0", "default_pg"]; older dumps have only the name. */
static uint32_t group_of(struct dump_reader *r, json_t *entry)
{
    json_t *v = json_object_get(entry, "process_group");
    struct str name = json_str(json_is_array(v) ? json_array_get(v, 0) : v);
    struct str about = json_str(json_array_get(v, 1));
    struct flight_group *g = group_named(r, str_take(name, LIMIT_NAME), str_take(about, LIMIT_NAME));
    uint32_t place = (uint32_t)(g - r->dump->groups.v);
    int64_t id;

    if (number_at(entry, "pg_id", &id))
        *map_number_at(&r->group_ids, MAP_KEY(id)) = place + 1ull;
    return place;
}

/* Innermost call first. Calls of the same code share a stack. */
static const struct call *stack_of(struct dump_reader *r, json_t *entry)
{
    json_t *frames = json_object_get(entry, "frames");
    size_t n = json_array_size(frames);
    const struct call *c = NULL;

    for (size_t i = n < LIMIT_STACK_FRAMES ? n : LIMIT_STACK_FRAMES; i-- > 0;) {
        json_t *frame = json_array_get(frames, i);
        int64_t line = 0;

        number_at(frame, "line", &line);
        c = stack_push(&r->in->stacks, c, text_at(frame, "filename"), line, text_at(frame, "name"), STR(""));
    }
    return c;
}

/* Gloo records neither the start nor the end of a call, only that it has retired it (ProcessGroupGloo.cpp). */
static enum flight_state state_of(const struct flight_op *op, json_t *entry)
{
    struct str state = text_at(entry, "state");

    if (str_eq(state, STR("completed")))
        return FLIGHT_COMPLETED;
    if (is_gloo(op) && json_is_true(json_object_get(entry, "retired")))
        return FLIGHT_COMPLETED;
    return str_eq(state, STR("started")) ? FLIGHT_STARTED : FLIGHT_SCHEDULED;
}

/* Large enough for any time, and two of them can be added. */
#define NS_MAX 4000000000000000000ll

static int64_t time_at(struct dump_reader *r, json_t *entry, const char *key)
{
    int64_t ns = 0;

    if (!number_at(entry, key, &ns) || ns <= 0 || ns > NS_MAX)
        return 0;
    r->first_ns = r->first_ns && r->first_ns < ns ? r->first_ns : ns;
    r->last_ns = r->last_ns > ns ? r->last_ns : ns;
    return ns;
}

/* Before 2.4 one number counted both sorts of calls. */
static bool number_of(json_t *entry, bool p2p, int64_t *out)
{
    return number_at(entry, p2p ? "p2p_seq_id" : "collective_seq_id", out) || number_at(entry, "seq_id", out);
}

static void add_entry(struct dump_reader *r, json_t *entry)
{
    struct flight_entry *e;
    bool p2p = json_is_true(json_object_get(entry, "is_p2p"));
    uint64_t place;
    int64_t number;

    if (!json_is_object(entry) || text_at(entry, "profiling_name").n == 0 || !number_of(entry, p2p, &number) ||
        number < 0) {
        r->bad++;
        return;
    }
    e = vec_add(r->arena, &r->dump->entries);
    e->p2p = p2p;
    e->number = (uint64_t)number;
    e->group = group_of(r, entry);
    e->op = op_of(r, entry);
    e->state = state_of(&r->dump->ops.v[e->op], entry);
    e->created_ns = time_at(r, entry, "time_created_ns");
    time_at(r, entry, "time_discovered_completed_ns");
    e->stack = stack_of(r, entry);
    place = e->group + 1ull;
    if (r->dump->groups.v[e->group].backend.n == 0)
        r->dump->groups.v[e->group].backend = r->dump->ops.v[e->op].backend;
    if (is_gloo(&r->dump->ops.v[e->op]))
        *map_number_at(&r->of_gloo, MAP_KEY(place)) = 1;
}

static void add_entries(struct dump_reader *r, struct str list)
{
    struct str item;
    uint64_t n = 0;

    while (json_next_item(&list, &item)) {
        struct json_doc doc;

        if (n++ == LIMIT_LIST) {
            message_add(&r->in->messages, MSG_DEPTH_LIMIT, 1, "entries: more than %d", LIMIT_LIST);
            break;
        }
        if (json_doc_load_whole(&doc, item))
            add_entry(r, doc.root);
        else
            r->bad++;
        json_doc_free(&doc);
    }
    if (r->bad)
        message_add(&r->in->messages, MSG_BAD_FIELD, 1, "entries: %llu that are not calls", (unsigned long long)r->bad);
}

/* --- groups ------------------------------------------------------------------------------------------------------- */

/* "[0, 1, 2, 3]", or a list. */
static void add_ranks(struct dump_reader *r, struct flight_group *g, json_t *ranks)
{
    struct str text = json_str(ranks);
    uint64_t rank;

    for (size_t i = 0; i < json_array_size(ranks) && g->ranks.n < LIMIT_LIST; i++)
        vec_push(r->arena, &g->ranks, (uint64_t)json_integer_value(json_array_get(ranks, i)));
    while (text.n && g->ranks.n < LIMIT_LIST)
        if (str_take_u64(&text, &rank))
            vec_push(r->arena, &g->ranks, rank);
        else
            text = str_skip(text, 1);
}

static int by_number(const void *pa, const void *pb)
{
    uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

    return (a > b) - (a < b);
}

/* Gloo lists one group "" without members. */
static void add_groups(struct dump_reader *r, json_t *groups)
{
    const char *name;
    json_t *facts;

    json_object_foreach(groups, name, facts)
    {
        struct flight_group *g;

        if (*name == '\0' || r->dump->groups.n >= LIMIT_LIST)
            continue;
        g = group_named(r, str_take(str_of(name), LIMIT_NAME), text_at(facts, "desc"));
        if (g->ranks.n == 0)
            add_ranks(r, g, json_object_get(facts, "ranks"));
        if (g->ranks.n)
            qsort(g->ranks.v, g->ranks.n, sizeof *g->ranks.v, by_number);
    }
}

/* A string in JSON dumps, a number in dumps that were pickles. */
static int64_t count_at(json_t *facts, const char *key)
{
    json_t *v = json_object_get(facts, key);
    int64_t number = -1;

    if (json_is_integer(v))
        return json_integer_value(v);
    return str_i64(json_str(v), &number) ? number : -1;
}

/*
 * The default group is the first one made and has the name "0"; the numbers of other groups may differ from those in
 * their names.
 */
static uint64_t group_numbered(struct dump_reader *r, int64_t id)
{
    uint64_t place = map_number(&r->group_ids, MAP_KEY(id));

    return place || id ? place : map_number(&r->groups, STR("0"));
}

/*
 * Keyed by pg_id, which entries pair with group names. A dump that contains only running calls knows the numbers of
 * other groups from here. Gloo also counts calls between two ranks, so its numbers differ from those of the entries.
 */
static void add_status(struct dump_reader *r, json_t *status)
{
    const char *id;
    json_t *facts;

    json_object_foreach(status, id, facts)
    {
        int64_t number;
        uint64_t place;

        if (!str_i64(str_of(id), &number) || !(place = group_numbered(r, number)) ||
            map_number(&r->of_gloo, MAP_KEY(place)))
            continue;
        r->dump->groups.v[place - 1].enqueued = count_at(facts, "last_enqueued_collective");
        r->dump->groups.v[place - 1].completed = count_at(facts, "last_completed_collective");
    }
}

/* --- the dump ----------------------------------------------------------------------------------------------------- */

static struct str plain_text(struct dump_reader *r, const struct json_doc *doc)
{
    struct str s = json_str(doc->root);

    return s.n <= LIMIT_NAME ? intern(&r->strings, s) : (struct str){0};
}

/* The members of a dump; the last four come from tools that collect dumps. */
static void add_member(struct dump_reader *r, struct str key, const struct json_doc *doc)
{
    if (str_eq(key, STR("pg_config")))
        add_groups(r, doc->root);
    else if (str_eq(key, STR("pg_status")))
        add_status(r, doc->root);
    else if (str_eq(key, STR("hostname")) || str_eq(key, STR("host_name")) || str_eq(key, STR("host")))
        r->dump->host = plain_text(r, doc);
    else if (str_eq(key, STR("rank")) && json_is_integer(doc->root) && json_integer_value(doc->root) >= 0 &&
             json_integer_value(doc->root) <= LIMIT_RANK)
        r->rank = (int)json_integer_value(doc->root);
}

/* Reads the entries first, because they show which group a number stands for. False if the text ends in the middle. */
static bool read_members(struct dump_reader *r, struct str text, bool entries)
{
    struct str key = {0}, value;

    while (json_next_member(&text, &key, &value)) {
        struct json_doc doc;

        if (str_eq(key, STR("entries")) != entries)
            continue;
        if (entries) {
            add_entries(r, value);
            continue;
        }
        if (json_doc_load_whole(&doc, value))
            add_member(r, key, &doc);
        else
            message_add(&r->in->messages, MSG_BAD_FIELD, 1, "%.*s", STR_ARG(key));
        json_doc_free(&doc);
    }
    if (entries && str_eq(key, STR("entries")) && str_starts(text, STR("[")))
        add_entries(r, text);
    return text.n == 0;
}

/* "nccl_trace_rank_3": PyTorch appends the rank to the name it is given (DebugInfoWriter, FlightRecorder.hpp). */
static int rank_of_suffix(struct str path)
{
    static const struct str endings[] = {STR_INIT(".gz"), STR_INIT(".json"), STR_INIT(".pickle"), STR_INIT(".pkl"),
                                         STR_INIT(".txt")};
    struct str name = str_file_name(path);
    size_t begin;
    uint64_t rank;

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (str_ends(name, endings[i]))
            name = str_drop(name, endings[i].n);
    for (begin = name.n; begin > 0 && str_is_digit(name.p[begin - 1]); begin--)
        ;
    return str_u64(str_skip(name, begin), &rank) && rank <= LIMIT_RANK ? (int)rank : RANK_UNKNOWN;
}

static struct process *make_process(struct dump_reader *r)
{
    struct process *p = ARENA_NEW(r->arena, struct process);

    p->input = r->in;
    p->rank = r->rank == RANK_UNKNOWN ? rank_of_suffix(r->in->path) : r->rank;
    p->epochs = 1;
    p->zone_known = true;
    p->first_us = r->first_ns / 1000;
    p->last_us = r->last_ns / 1000;
    p->records = r->dump->entries.n;
    string_table_init(&p->strings, r->arena);
    p->unattributed = ARENA_NEW(r->arena, struct compile);
    *p->unattributed = (struct compile){.process = p, .id = COMPILE_ID_NONE, .attempts = 1};
    vec_push(r->arena, &p->flights, r->dump);
    vec_push(r->arena, &r->in->processes, p);
    return p;
}

static void count_kind(struct input *in, uint64_t n)
{
    struct kind_count *k = ARENA_NEW(in->arena, struct kind_count);

    k->count = n;
    *map_at(&in->kinds, STR("flight_recorder:entry")) = k;
}

static bool use_text(struct input *in, struct str text)
{
    struct dump_reader r = {.in = in, .arena = in->arena, .rank = RANK_UNKNOWN};
    bool whole;

    r.dump = ARENA_NEW(in->arena, struct flight_dump);
    map_init(&r.groups, in->arena);
    map_init(&r.group_ids, in->arena);
    map_init(&r.of_gloo, in->arena);
    map_init(&r.ops, in->arena);
    map_init(&r.strings, in->arena);
    whole = read_members(&r, text, true);
    read_members(&r, text, false);
    buf_free(&r.key);
    if (!whole)
        message_add(&in->messages, MSG_TRUNCATED, 1, "after %zu entries", r.dump->entries.n);
    in->totals.records = r.dump->entries.n;
    if (r.dump->entries.n)
        count_kind(in, r.dump->entries.n);
    if (make_process(&r)->rank != RANK_UNKNOWN)
        return true;
    in->why_not = STR("a Flight Recorder dump without a rank: put it at the end of the file name, as in "
                      "nccl_trace_rank_3");
    in->processes.n = 0;
    in->totals.records = 0;
    return false;
}

enum { PIECE = 64 * 1024 };

bool flight_read(struct input *in)
{
    struct buf text = {0};
    struct str json;
    bool used = false;
    size_t n;

    while (text.n <= LIMIT_LINE && (n = source_read(&in->source, buf_room(&text, PIECE), PIECE)) > 0)
        buf_added(&text, n);
    json = str_trim(buf_view(&text));
    str_consume(&json, STR("\xef\xbb\xbf"));
    if (text.n > LIMIT_LINE)
        in->why_not = STR("a Flight Recorder dump of more than 64 MiB: dump again with fewer entries "
                          "(TORCH_FR_BUFFER_SIZE)");
    else
        used = use_text(in, json);
    in->digests_checked = true;
    buf_free(&text);
    return used;
}
