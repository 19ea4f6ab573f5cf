/*
 * The files that programs read from tlparse's output, with its names and formats: compile_directory.json with the
 * payloads that it lists, chromium_events.json, collective_schedules.json and runtime_estimations.json. If there are
 * several ranks, their directories and payloads are in rank_N/. tlparse's HTML pages are not made: its pages of
 * metrics and guards are JSON files here, and code is plain text.
 */
#include "output/export/export.h"

#include "output/files/manifest.h"
#include "trace/raw_walk.h"
#include "util/mem.h"

#include <stdlib.h>

#define EVENTS "chromium_events.json"

enum { ATTEMPT_NONE = -1 };

struct tlparse_writing {
    const char *dir;
    struct view *v;
    struct arena *arena; /* of this input */
    struct str below;    /* "" or "rank_0/" */
    bool several;        /* there are several ranks */
    int rank;
    uint64_t number; /* of the next output file */
    json_t *directory;
    json_t *schedules, *estimates;
    struct outfile events, own_events; /* of all ranks; if there are several, also those of this rank */
    bool any_event, any_own_event;
    struct buf text;
    struct buf names; /* names of the files that were written, one per line */
    struct map made;  /* directories */
    int error;
    struct str failed;
};

/* --- names -------------------------------------------------------------------------------------------------------- */

/* tlparse's notation for the ids of a record. */
struct ids {
    int64_t autograd, frame, compile, attempt; /* -1: none */
};

static struct ids ids_of(struct json_doc *doc)
{
    static const char *const keys[] = {"compiled_autograd_id", "frame_id", "frame_compile_id", "attempt"};
    int64_t v[4] = {-1, -1, -1, ATTEMPT_NONE};

    for (int i = 0; i < 4; i++)
        if (json_get_i64(doc, doc->root, keys[i], &v[i]) != JSON_FOUND || v[i] < 0)
            v[i] = -1;
    return (struct ids){v[0], v[1], v[2], v[3]};
}

static struct str number_or_dash(struct arena *a, int64_t n)
{
    return n < 0 ? STR("-") : arena_printf(a, "%lld", (long long)n);
}

/* "-_0_0_0" */
static struct str graph_name(struct arena *a, struct ids ids)
{
    return arena_printf(a, "%.*s_%.*s_%.*s_%.*s", STR_ARG(number_or_dash(a, ids.autograd)),
                        STR_ARG(number_or_dash(a, ids.frame)), STR_ARG(number_or_dash(a, ids.compile)),
                        STR_ARG(number_or_dash(a, ids.attempt)));
}

/* "[0/0_1]", "[!0/-/-]" */
static struct str directory_key(struct arena *a, struct ids ids)
{
    return arena_printf(a, "[%s%.*s%s%.*s/%.*s%s%.*s]", ids.autograd < 0 ? "" : "!",
                        STR_ARG(ids.autograd < 0 ? STR("") : number_or_dash(a, ids.autograd)),
                        ids.autograd < 0 ? "" : "/", STR_ARG(number_or_dash(a, ids.frame)),
                        STR_ARG(number_or_dash(a, ids.compile)), ids.attempt > 0 ? "_" : "",
                        STR_ARG(ids.attempt > 0 ? number_or_dash(a, ids.attempt) : STR("")));
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static void fail(struct tlparse_writing *w, struct str path, int rc)
{
    if (rc && w->error == 0) {
        w->error = rc;
        w->failed = export_failure(w->v->scratch, path, rc);
    }
}

static struct str path_of(struct tlparse_writing *w, struct str name)
{
    return arena_printf(w->arena, "%s/%.*s%.*s", w->dir, STR_ARG(w->below), STR_ARG(name));
}

static void note_file(struct tlparse_writing *w, struct str name)
{
    buf_printf(&w->names, "%.*s%.*s\n", STR_ARG(w->below), STR_ARG(name));
}

static void write_file(struct tlparse_writing *w, struct str name, struct str text)
{
    struct str path = path_of(w, name);
    struct outfile out;
    int rc = outfile_open(&out, path.p);

    if (rc == 0) {
        outfile_write(&out, text);
        rc = outfile_commit(&out);
        note_file(w, name);
    }
    fail(w, path, rc);
}

static void write_json(struct tlparse_writing *w, struct str name, json_t *v)
{
    struct arena *a = arena_new();

    write_file(w, name, json_print(a, v));
    arena_free(a);
}

static void make_directory(struct tlparse_writing *w, struct str name)
{
    struct str path = path_of(w, name);
    void **slot = map_at(&w->made, path);

    if (!*slot)
        fail(w, path, make_dirs(path.p));
    *slot = w;
}

/* --- outputs ------------------------------------------------------------------------------------------------------ */

enum file_form { FORM_PAYLOAD, FORM_JSON, FORM_ENVELOPE };

struct output {
    struct str stem, ending; /* the name before and after its number */
    enum file_form form;
    bool unnumbered; /* its name has no number, and it has a directory of its own */
};

static struct str mark_of(struct str stem)
{
    if (str_has(stem, STR("cache_miss")))
        return STR("\xe2\x9d\x8c");
    if (str_has(stem, STR("cache_hit")))
        return STR("\xe2\x9c\x85");
    return str_has(stem, STR("cache_bypass")) ? STR("\xe2\x9d\x93") : STR("");
}

static json_t *artifacts_of(struct tlparse_writing *w, struct ids ids)
{
    const char *key = directory_key(w->arena, ids).p;
    json_t *entry = json_object_get(w->directory, key);

    if (!entry) {
        entry = json_new_object();
        json_put(entry, "artifacts", json_new_array());
        json_put(w->directory, key, entry);
    }
    return json_object_get(entry, "artifacts");
}

static void add_entry(struct tlparse_writing *w, struct ids ids, struct str name, struct str url, struct str mark)
{
    json_t *o = json_new_object();

    json_put_str(o, "name", name);
    json_put_i64(o, "number", (int64_t)w->number++);
    json_put(o, "readable_url", json_null());
    json_put_str(o, "suffix", mark);
    json_put_str(o, "url", url);
    json_push(artifacts_of(w, ids), o);
}

/* JSON in tlparse's style: indented, with sorted keys. A text that is not JSON stays as it is. */
static void tidy_json(struct tlparse_writing *w)
{
    struct json_doc doc;

    if (json_doc_load_whole(&doc, buf_view(&w->text)) && !doc.repaired) {
        char *text = json_text(doc.root, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));

        if (!text)
            out_of_memory();
        w->text.n = 0;
        buf_str(&w->text, str_of(text));
        free(text);
    }
    json_doc_free(&doc);
}

/* Expects the payload in w->text. */
static void add_output(struct tlparse_writing *w, struct ids ids, const struct output *x, json_t *value)
{
    struct str folder = x->unnumbered ? STR("dump_file") : graph_name(w->arena, ids), name;

    name = x->unnumbered ? arena_printf(w->arena, "%.*s%.*s", STR_ARG(x->stem), STR_ARG(x->ending))
                         : arena_printf(w->arena, "%.*s_%llu%.*s", STR_ARG(x->stem), (unsigned long long)w->number,
                                        STR_ARG(x->ending));
    make_directory(w, folder);
    if (x->form == FORM_ENVELOPE) {
        write_json(w, arena_printf(w->arena, "%.*s/%.*s", STR_ARG(folder), STR_ARG(name)), json_incref(value));
    } else {
        if (x->form == FORM_JSON)
            tidy_json(w);
        write_file(w, arena_printf(w->arena, "%.*s/%.*s", STR_ARG(folder), STR_ARG(name)), buf_view(&w->text));
    }
    add_entry(w, ids, name, arena_printf(w->arena, "%.*s/%.*s", STR_ARG(folder), STR_ARG(name)), mark_of(x->stem));
}

/* --- what a record is --------------------------------------------------------------------------------------------- */

static struct str member(struct json_doc *doc, json_t *o, const char *key)
{
    struct str s;

    return json_get_str(doc, o, key, &s) == JSON_FOUND ? s : (struct str){0};
}

static bool artifact_output(struct tlparse_writing *w, struct json_doc *doc, json_t *o, struct output *x)
{
    bool json = str_eq(member(doc, o, "encoding"), STR("json"));

    if (!json && !str_eq(member(doc, o, "encoding"), STR("string")))
        return false;
    *x = (struct output){manifest_safe_name(w->arena, member(doc, o, "name")), json ? STR(".json") : STR(".txt"),
                         json ? FORM_JSON : FORM_PAYLOAD, false};
    return true;
}

static bool named_output(struct tlparse_writing *w, struct json_doc *doc, json_t *o, struct output *x)
{
    *x = (struct output){manifest_safe_name(w->arena, member(doc, o, "name")), STR(".txt"), FORM_PAYLOAD, false};
    return true;
}

static bool child_output(struct tlparse_writing *w, struct json_doc *doc, json_t *o, struct output *x)
{
    struct str name = arena_printf(w->arena, "optimize_ddp_split_child_%.*s", STR_ARG(member(doc, o, "name")));

    *x = (struct output){manifest_safe_name(w->arena, name), STR(".txt"), FORM_PAYLOAD, false};
    return true;
}

/* The name of the file that Inductor wrote, without its extension. */
static bool code_output(struct tlparse_writing *w, struct json_doc *doc, json_t *o, struct output *x)
{
    struct str file = str_file_name(member(doc, o, "filename")), stem = file;

    for (size_t i = file.n; i-- > 1;)
        if (file.p[i] == '.') {
            stem.n = i;
            break;
        }
    stem = arena_printf(w->arena, "inductor_output_code%s%.*s", stem.n ? "_" : "", STR_ARG(stem));
    *x = (struct output){manifest_safe_name(w->arena, stem), STR(".txt"), FORM_PAYLOAD, false};
    return true;
}

/* tlparse names a file that torch.fx generated by its number: "<eval_with_key>.5". */
static bool dump_output(struct tlparse_writing *w, struct json_doc *doc, json_t *o, struct output *x)
{
    struct str name = member(doc, o, "name"), key = STR("<eval_with_key>.");
    size_t at = 0;

    while (at + key.n <= name.n && !str_starts(str_skip(name, at), key))
        at++;
    if (at + key.n <= name.n)
        name = arena_printf(w->arena, "eval_with_key_%.*s", STR_ARG(str_skip(name, at + key.n)));
    *x = (struct output){manifest_safe_name(w->arena, name), STR(".txt"), FORM_PAYLOAD, true};
    return true;
}

static const struct {
    const char *key;
    bool (*output)(struct tlparse_writing *w, struct json_doc *doc, json_t *o,
                   struct output *x); /* NULL: the key's name */
    enum file_form form;
} outputs[] = {
    {"artifact", artifact_output, FORM_PAYLOAD},
    {"dynamo_output_graph", NULL, FORM_PAYLOAD},
    {"optimize_ddp_split_graph", NULL, FORM_PAYLOAD},
    {"optimize_ddp_split_child", child_output, FORM_PAYLOAD},
    {"compiled_autograd_graph", NULL, FORM_PAYLOAD},
    {"aot_forward_graph", NULL, FORM_PAYLOAD},
    {"aot_backward_graph", NULL, FORM_PAYLOAD},
    {"aot_inference_graph", NULL, FORM_PAYLOAD},
    {"aot_joint_graph", NULL, FORM_PAYLOAD},
    {"inductor_pre_grad_graph", NULL, FORM_PAYLOAD},
    {"inductor_post_grad_graph", NULL, FORM_PAYLOAD},
    {"dynamo_cpp_guards_str", NULL, FORM_PAYLOAD},
    {"graph_dump", named_output, FORM_PAYLOAD},
    {"inductor_output_code", code_output, FORM_PAYLOAD},
    {"dump_file", dump_output, FORM_PAYLOAD},
    {"dynamo_guards", NULL, FORM_JSON},
    {"compilation_metrics", NULL, FORM_ENVELOPE},
    {"bwd_compilation_metrics", NULL, FORM_ENVELOPE},
    {"aot_autograd_backward_compilation_metrics", NULL, FORM_ENVELOPE},
};

/* --- chromium_events.json, and the lists of ranks ----------------------------------------------------------------- */

static void write_event(struct outfile *out, bool *any, json_t *event)
{
    char *text = json_text(event, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));

    if (!text)
        out_of_memory();
    outfile_write(out, *any ? STR(",\n") : STR("[\n"));
    outfile_write(out, str_of(text));
    *any = true;
    free(text);
}

static void take_event(struct tlparse_writing *w)
{
    struct json_doc doc;

    if (json_doc_load_whole(&doc, buf_view(&w->text)) && json_is_object(doc.root)) {
        if (w->several) {
            write_event(&w->own_events, &w->any_own_event, doc.root);
            json_put_i64(doc.root, "pid", w->rank);
        }
        write_event(&w->events, &w->any_event, doc.root);
    }
    json_doc_free(&doc);
}

static void add_graph(struct tlparse_writing *w, json_t *list, struct ids ids, json_t *ops)
{
    json_t *o = json_new_object();

    json_put_i64(o, "rank", w->rank);
    json_put_str(o, "graph", graph_name(w->arena, ids));
    json_put(o, "ops", ops);
    json_push(list, o);
}

static void add_schedule(struct tlparse_writing *w, struct ids ids, json_t *payload)
{
    if (json_array_size(payload))
        add_graph(w, w->schedules, ids, json_incref(payload));
}

/* The other facts about a node stay in the payload's own file. */
static void add_estimates(struct tlparse_writing *w, struct ids ids, json_t *payload)
{
    json_t *ops = json_new_array(), *op;
    size_t i;

    json_array_foreach(json_object_get(payload, "ops"), i, op)
    {
        json_t *o = json_new_object(), *name = json_object_get(op, "name"),
               *ns = json_object_get(op, "estimated_runtime_ns");

        json_put(o, "name", name ? json_incref(name) : json_null());
        json_put(o, "estimated_runtime_ns", ns ? json_incref(ns) : json_null());
        json_push(ops, o);
    }
    add_graph(w, w->estimates, ids, ops);
}

static void take_lists(struct tlparse_writing *w, struct ids ids, struct str name)
{
    bool schedule = str_starts(name, STR("inductor_collective_schedule"));
    struct json_doc doc;

    if (!schedule && !str_starts(name, STR("inductor_runtime_and_tensor_meta")))
        return;
    if (json_doc_load_whole(&doc, buf_view(&w->text)))
        (schedule ? add_schedule : add_estimates)(w, ids, doc.root);
    json_doc_free(&doc);
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static void read_payload(struct tlparse_writing *w, const struct raw_walked *r)
{
    w->text.n = 0;
    if (r->record->payload.flags & PAYLOAD_PRESENT)
        fail(w, str_of(w->dir), payload_read(&r->payloads, &r->record->payload, READ_ALL, &w->text));
}

static void take_known(struct tlparse_writing *w, struct json_doc *doc, const struct raw_walked *r)
{
    struct ids ids = ids_of(doc);

    artifacts_of(w, ids); /* each id of the record is a key */
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        json_t *o = json_get(doc, doc->root, outputs[i].key);
        struct output x = {str_of(outputs[i].key), outputs[i].form == FORM_PAYLOAD ? STR(".txt") : STR(".json"),
                           outputs[i].form, false};

        if (!o || (outputs[i].output && !outputs[i].output(w, doc, o, &x)))
            continue;
        read_payload(w, r);
        if (outputs[i].form == FORM_ENVELOPE)
            json_get_all(doc, o);
        add_output(w, ids, &x, o);
        take_lists(w, ids, x.stem);
        return;
    }
}

static void take_link(struct tlparse_writing *w, struct json_doc *doc, json_t *link)
{
    add_entry(w, ids_of(doc), member(doc, link, "name"), member(doc, link, "url"), STR(""));
}

static void take_record(void *object, const struct raw_walked *r)
{
    struct tlparse_writing *w = object;
    struct json_doc doc;
    json_t *link;

    if (w->error)
        return;
    if (json_doc_load(&doc, r->json) && json_is_object(doc.root) && !json_get(&doc, doc.root, "str")) {
        if (json_get(&doc, doc.root, "chromium_event")) {
            read_payload(w, r);
            take_event(w);
        } else if ((link = json_get(&doc, doc.root, "link")) != NULL) {
            take_link(w, &doc, link);
        } else {
            take_known(w, &doc, r);
        }
    }
    json_doc_free(&doc);
}

/* --- inputs ------------------------------------------------------------------------------------------------------- */

static bool is_trace(const struct input *in)
{
    return in->used && in->kind == INPUT_TORCH_TRACE;
}

static size_t count_traces(const struct run *run)
{
    size_t n = 0;

    for (size_t i = 0; i < run->inputs.n; i++)
        n += is_trace(run->inputs.v[i]);
    return n;
}

/* A file without a rank, and a second file of a rank, get a number that no rank has. */
static int rank_of(const struct input *in, struct map *taken, int *next)
{
    int rank = in->processes.n ? in->processes.v[0]->rank : RANK_UNKNOWN;

    while (rank == RANK_UNKNOWN || map_number(taken, MAP_KEY(rank)))
        rank = (*next)++;
    *map_number_at(taken, MAP_KEY(rank)) = 1;
    return rank;
}

static int open_events(struct tlparse_writing *w, struct outfile *out)
{
    struct str path = path_of(w, STR(EVENTS));
    int rc = outfile_open(out, path.p);

    fail(w, path, rc);
    return rc;
}

static void end_events(struct tlparse_writing *w, struct outfile *out, bool any)
{
    outfile_write(out, any ? STR("\n]\n") : STR("[]\n"));
    if (w->error)
        outfile_abort(out);
    else
        fail(w, path_of(w, STR(EVENTS)), outfile_commit(out));
    note_file(w, STR(EVENTS));
}

static void write_input(struct tlparse_writing *w, const struct input *in)
{
    bool open;

    w->arena = arena_new();
    w->directory = json_new_object();
    w->number = 0;
    w->any_own_event = false;
    w->below = w->several ? arena_printf(w->arena, "rank_%d/", w->rank) : STR("");
    map_init(&w->made, w->arena);
    make_directory(w, STR(""));
    open = w->several && w->error == 0 && open_events(w, &w->own_events) == 0;
    if (w->error == 0)
        fail(w, in->path, raw_walk(in, take_record, w));
    if (open)
        end_events(w, &w->own_events, w->any_own_event);
    if (w->error == 0)
        write_json(w, STR("compile_directory.json"), json_incref(w->directory));
    json_decref(w->directory);
    arena_free(w->arena);
}

static void write_inputs(struct tlparse_writing *w)
{
    struct arena *a = arena_new();
    struct map taken;
    int next = 0;

    map_init(&taken, a);
    for (size_t i = 0; i < w->v->run->inputs.n && w->error == 0; i++) {
        const struct input *in = w->v->run->inputs.v[i];

        if (!is_trace(in))
            continue;
        w->rank = rank_of(in, &taken, &next);
        write_input(w, in);
    }
    arena_free(a);
}

int export_tlparse_to(const char *dir, struct view *v, struct str *error)
{
    struct tlparse_writing w = {.dir = dir, .v = v, .several = count_traces(v->run) > 1};
    struct arena *a = arena_new();
    int rc = make_dirs(dir);

    w.arena = a;
    w.schedules = json_new_array();
    w.estimates = json_new_array();
    if (rc == 0)
        rc = open_events(&w, &w.events);
    if (rc == 0) {
        write_inputs(&w);
        w.arena = a;
        w.below = STR("");
        end_events(&w, &w.events, w.any_event);
        if (w.error == 0) {
            write_json(&w, STR("collective_schedules.json"), json_incref(w.schedules));
            write_json(&w, STR("runtime_estimations.json"), json_incref(w.estimates));
        }
        rc = w.error ? w.error : manifest_note(dir, buf_view(&w.names));
    }
    *error = w.failed;
    json_decref(w.schedules);
    json_decref(w.estimates);
    buf_free(&w.text);
    buf_free(&w.names);
    arena_free(a);
    return rc;
}
