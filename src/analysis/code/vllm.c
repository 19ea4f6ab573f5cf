#include "analysis/code/vllm.h"

#include "model/read/artifact_text.h"
#include "util/formats/json.h"

#include <stdlib.h>

enum {
    SETTINGS_MAX = 100,
    CALLS_MAX = 500
};

struct vllm_reader {
    struct arena *arena;
    struct vllm *out;
    struct vllm_piece *piece; /* the piece that is being compiled; NULL if there is none */
    bool opened;              /* the last call has only an event so far */
};

static struct vllm_call *last_call(struct vllm_reader *r)
{
    return r->out->calls.n ? &r->out->calls.v[r->out->calls.n - 1] : vec_add(r->arena, &r->out->calls);
}

static void read_event(struct vllm_reader *r, const struct artifact *a, json_t *value)
{
    struct vllm_call *call = vec_add(r->arena, &r->out->calls);

    (void)a;
    call->event = arena_str(r->arena, json_str(json_object_get(value, "type")));
    r->opened = true;
    r->piece = NULL;
}

static struct str value_text(struct arena *a, const json_t *value)
{
    char *text;
    struct str out;

    if (json_is_string(value))
        return arena_str(a, json_str(value));
    text = json_text(value, JSON_ENCODE_ANY | JSON_COMPACT);
    out = arena_str(a, str_of(text ? text : ""));
    free(text);
    return out;
}

static void read_config(struct vllm_reader *r, const struct artifact *a, json_t *value)
{
    struct vllm_call *call = r->opened ? last_call(r) : vec_add(r->arena, &r->out->calls);
    const char *name;
    const json_t *setting;

    (void)a;
    r->opened = false;
    r->piece = NULL;
    json_object_foreach(value, name, setting) if (call->settings.n < SETTINGS_MAX)
        vec_push(r->arena, &call->settings,
                 ((struct vllm_setting){arena_str(r->arena, str_of(name)), value_text(r->arena, setting)}));
}

static int64_t number_of(const json_t *value, const char *key)
{
    const json_t *n = json_object_get(value, key);

    return json_is_integer(n) ? json_integer_value(n) : -1;
}

static void read_start(struct vllm_reader *r, const struct artifact *a, json_t *value)
{
    struct vllm_call *call = last_call(r);

    r->opened = false;
    r->piece = vec_add(r->arena, &call->pieces);
    *r->piece = (struct vllm_piece){
        .index = number_of(value, "piecewise_index"),
        .name = arena_str(r->arena, json_str(json_object_get(value, "submod_name"))),
        .begin = number_of(value, "compile_range_start"),
        .end = number_of(value, "compile_range_end"),
        .single = json_is_true(json_object_get(value, "is_single_size")),
        .cudagraph = json_is_true(json_object_get(value, "is_cudagraph_capture_size")),
        .start = a,
        .last = a,
    };
}

typedef void read_fn(struct vllm_reader *r, const struct artifact *a, json_t *value);

static read_fn *read_of(const struct artifact *a)
{
    if (artifact_is(a, ARTIFACT_VLLM_COMPILE_EVENT))
        return read_event;
    if (artifact_is(a, ARTIFACT_VLLM_COMPILATION_CONFIG))
        return read_config;
    return artifact_is(a, ARTIFACT_VLLM_PIECEWISE_COMPILE_START) ? read_start : NULL;
}

/* Artifacts that Inductor and vLLM write while a piece is compiled; guards and wrappers belong to the whole. */
static bool is_of_piece(const struct artifact *a)
{
    return (a->info && a->info->stage >= STAGE_PRE_GRAD && a->info->stage <= STAGE_KERNELS) ||
           str_starts(a->name, STR("vllm_")) || str_starts(a->name, STR("fx_graph_cache_"));
}

static void add_to_piece(struct vllm_piece *p, const struct artifact *a)
{
    p->artifacts++;
    p->last = a;
    if (artifact_is(a, ARTIFACT_INDUCTOR_OUTPUT_CODE))
        p->code = a;
    p->cache_hit |= artifact_is(a, ARTIFACT_FX_GRAPH_CACHE_HIT);
}

static void read_artifact(struct vllm_reader *r, const struct artifact *a, struct buf *text)
{
    read_fn *read = read_of(a);
    struct json_doc doc;

    if (artifact_is(a, ARTIFACT_VLLM_PIECEWISE_SPLIT_GRAPH))
        last_call(r)->split = a;
    else if (!read && r->piece && is_of_piece(a))
        add_to_piece(r->piece, a);
    if (!read || r->out->calls.n >= CALLS_MAX)
        return;
    text->n = 0;
    if (!artifact_read(a, READ_SMALL, text))
        return;
    if (json_doc_load_whole(&doc, buf_view(text)) && json_is_object(doc.root))
        read(r, a, doc.root);
    json_doc_free(&doc);
}

/*
 * The records of a compile, and records without an id that belong to it; for a process's `unattributed`, only records
 * that belong to no compile.
 */
void vllm_find(struct arena *a, const struct vllm_pieces *pieces, const struct compile *c, struct vllm *out)
{
    const struct vllm_loose *loose = vllm_loose_of(pieces, c);
    bool own = c != c->process->unattributed || !vllm_has_piece(c);
    struct vllm_reader r = {.arena = a, .out = out};
    struct buf text = {0};

    *out = (struct vllm){0};
    for (size_t i = 0; i < c->artifacts.n && own; i++)
        read_artifact(&r, c->artifacts.v[i], &text);
    for (size_t i = 0; loose && i < loose->list.n; i++)
        read_artifact(&r, loose->list.v[i], &text);
    buf_free(&text);
}

int64_t vllm_piece_us(const struct vllm_piece *p)
{
    return p->start->time_us && p->last->time_us >= p->start->time_us && p->artifacts
               ? p->last->time_us - p->start->time_us
               : -1;
}
