#include "analysis/code/kernels.h"

#include "input/limits.h"
#include "model/read/artifact_text.h"
#include "text/graphs/fx_graph.h"
#include "text/graphs/output_code.h"
#include "text/python/traceback.h"
#include "util/formats/json.h"

/* The nodes of a graph, which is read on first use, because few compiles need it. */
struct nodes {
    const struct artifact *graph;
    struct map by_name; /* -> fx_node */
    bool read;
};

struct kernel_finder {
    struct arena *arena;
    const struct compile *compile;
    struct kernels *out;
    struct map by_name; /* name -> index + 1 */
    struct map nodes;   /* "kernel node" -> anything: several maps, and several calls in one map, have the same entry */
    struct map places;  /* the same for "kernel\nline file" */
    struct nodes before, after; /* of the graph before the pre-grad passes and after the post-grad passes */
    uint32_t codes;             /* number of output codes read */
    struct map stacked;         /* kernels whose places come from stacks */
};

static struct str kind_of(struct str name)
{
    if (str_starts(name, STR("triton_")))
        return STR("triton");
    if (str_starts(name, STR("extern_kernels.")) || str_starts(name, STR("torch.ops.")) ||
        str_starts(name, STR("aten.")))
        return STR("extern");
    return str_starts(name, STR("cpp_")) ? STR("cpp") : STR("other");
}

/* "triton_poi_fused_add_0:3" -> "triton_poi_fused_add_0": the number identifies a call. */
static struct str without_number(struct str name)
{
    ptrdiff_t at = str_rchr(name, ':');
    uint64_t number;

    return at > 0 && str_u64(str_skip(name, (size_t)at + 1), &number) ? str_take(name, (size_t)at) : name;
}

static struct kernel *kernel_of(struct kernel_finder *f, struct str name, const struct artifact *artifact)
{
    uint64_t *number;
    struct kernel *k;

    name = arena_str(f->arena, without_number(name));
    number = map_number_at_kept(&f->by_name, name);
    if (*number)
        return &f->out->list.v[*number - 1];
    k = vec_add(f->arena, &f->out->list);
    *k = (struct kernel){.compile = f->compile,
                         .artifact = artifact,
                         .name = name,
                         .kind = kind_of(name),
                         .calls = -1,
                         .bytes = -1,
                         .compile_us = -1};
    *number = f->out->list.n;
    return k;
}

static void add_node(struct kernel_finder *f, struct kernel *k, struct str node)
{
    void **slot = map_at(&f->nodes, arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(k->name), STR_ARG(node)));

    if (*slot)
        return;
    *slot = f;
    vec_push(f->arena, &k->nodes, arena_str(f->arena, node));
}

enum { PLACES_MAX = 50 };

static void add_place(struct kernel_finder *f, struct kernel *k, struct str file, int64_t line)
{
    void **slot;

    if (file.n == 0 || k->places.n >= PLACES_MAX)
        return;
    slot =
        map_at(&f->places, arena_printf(f->arena, "%.*s\n%lld %.*s", STR_ARG(k->name), (long long)line, STR_ARG(file)));
    if (*slot)
        return;
    *slot = f;
    vec_push(f->arena, &k->places, ((struct kernel_place){arena_str(f->arena, file), line}));
}

static void read_nodes(struct kernel_finder *f, struct nodes *n)
{
    struct fx_graph graph = {0};
    struct buf text = {0};

    n->read = true;
    map_init(&n->by_name, f->arena);
    if (artifact_read(n->graph, READ_TEXT, &text))
        fx_graph_parse(f->arena, buf_view(&text), &graph);
    vec_each(struct fx_node, node, &graph.nodes) * map_at(&n->by_name, node->name) = node;
    buf_free(&text);
}

static const struct fx_node *node_of(struct kernel_finder *f, struct nodes *graph, struct str name)
{
    if (!graph->graph)
        return NULL;
    if (!graph->read)
        read_nodes(f, graph);
    return map_get(&graph->by_name, name);
}

/* The origin of a graph node, for kernels whose stack does not show it. */
static void add_place_of(struct kernel_finder *f, struct kernel *k, struct nodes *graph, struct str node)
{
    const struct fx_node *n = map_get(&f->stacked, k->name) ? NULL : node_of(f, graph, node);

    if (n)
        add_place(f, k, n->file, n->line);
}

static void add_nodes(struct kernel_finder *f, json_t *map, const struct artifact *artifact)
{
    const char *name;
    json_t *nodes, *node;
    size_t i;

    json_object_foreach(map, name, nodes)
    {
        struct kernel *k = *name ? kernel_of(f, str_of(name), artifact) : NULL;

        json_array_foreach(nodes, i, node)
        {
            if (!k || !json_string_length(node))
                continue;
            add_node(f, k, json_str(node));
            if (k->code == f->codes) /* the map of a backward graph also names the kernels of the forward graph */
                add_place_of(f, k, &f->after, json_str(node));
        }
    }
}

/* The innermost line of the user's own code in a stack listing. */
static void add_stack(struct kernel_finder *f, struct kernel *k, struct str text)
{
    struct text_stack stack = {0};

    text = arena_str(f->arena, text);
    text_stack_take(f->arena, &text, &stack);
    for (size_t i = stack.calls.n; i-- > 0;)
        if (i == 0 || !is_framework_file(stack.calls.v[i].file)) {
            add_place(f, k, stack.calls.v[i].file, stack.calls.v[i].line);
            return;
        }
}

static void add_stacks(struct kernel_finder *f, json_t *map, const struct artifact *artifact)
{
    const char *name;
    json_t *stacks, *stack;
    size_t i;

    json_object_foreach(map, name, stacks)
    {
        struct kernel *k = *name ? kernel_of(f, str_of(name), artifact) : NULL;

        if (!k || !json_array_size(stacks))
            continue;
        if (!*map_at(&f->stacked, k->name))
            k->places.n = 0; /* a stack is more reliable than the comments of graphs */
        *map_at(&f->stacked, k->name) = f;
        json_array_foreach(stacks, i, stack) if (i < PLACES_MAX && json_string_length(stack))
            add_stack(f, k, json_str(stack));
    }
}

static struct str autotuning_of(struct kernel_finder *f, const json_t *info)
{
    const json_t *configs = json_object_get(info, "num_configs");
    struct str state = json_str(json_object_get(info, "autotune_cache_state"));

    if (json_is_integer(configs) && json_integer_value(configs) > 1)
        return arena_printf(f->arena, "%lld configurations, cache %.*s", (long long)json_integer_value(configs),
                            STR_ARG(state.n ? state : STR("not asked")));
    if (str_eq(state, STR("only 1 config")))
        return STR("1 configuration");
    return state.n ? arena_str(f->arena, state) : (struct str){0};
}

static void add_times(struct kernel_finder *f, json_t *map, const struct artifact *artifact)
{
    const char *name;
    json_t *info;

    json_object_foreach(map, name, info)
    {
        const json_t *us = json_object_get(info, "compile_time_us");
        struct kernel *k;

        if (!*name || !json_is_object(info))
            continue;
        k = kernel_of(f, str_of(name), artifact);
        k->compile_us = json_is_integer(us) && json_integer_value(us) >= 0 ? json_integer_value(us) : -1;
        k->autotuned = autotuning_of(f, info);
    }
}

static void use_maps(struct kernel_finder *f, const struct artifact *artifact, struct str text)
{
    struct json_doc doc;

    if (json_doc_load_whole(&doc, text) && json_is_object(doc.root)) {
        if (artifact_is(artifact, ARTIFACT_TRITON_KERNEL_INFO)) {
            add_times(f, doc.root, artifact);
        } else if (artifact_is(artifact, ARTIFACT_INDUCTOR_PROVENANCE_TRACKING_KERNEL_STACK_TRACES)) {
            add_stacks(f, doc.root, artifact);
        } else if (artifact_is(artifact, ARTIFACT_INDUCTOR_PROVENANCE_TRACKING_NODE_MAPPINGS)) {
            add_nodes(f, json_get(&doc, doc.root, "cppCodeToPost"), artifact);
            add_nodes(f, json_get(&doc, doc.root, "pyCodeToPost"), artifact);
        } else {
            add_nodes(f, doc.root, artifact);
        }
    }
    json_doc_free(&doc);
}

static void use_code_kernel(struct kernel_finder *f, const struct code_kernel *from, const struct artifact *artifact)
{
    struct kernel *k = kernel_of(f, from->name, artifact);

    k->calls = (k->calls < 0 ? 0 : k->calls) + (int64_t)from->calls;
    if (from->heuristic.n)
        k->heuristic = from->heuristic;
    if (k->bytes < 0)
        k->bytes = from->bytes;
    for (size_t i = 0, first = k->sizes.n == 0; first && i < from->sizes.n; i++)
        vec_push(f->arena, &k->sizes, from->sizes.v[i]);
    for (size_t i = 0; i < from->nodes.n; i++) {
        add_node(f, k, from->nodes.v[i]);
        add_place_of(f, k, &f->after, from->nodes.v[i]);
    }
    for (size_t i = 0; i < from->sources.n && from->nodes.n == 0; i++)
        add_place_of(f, k, &f->before, from->sources.v[i]);
}

static void use_code(struct kernel_finder *f, const struct artifact *artifact, struct str text)
{
    struct output_code code;

    output_code_parse(f->arena, text, &code);
    f->codes++;
    vec_each(const struct code_kernel, from, &code.kernels)
    {
        struct kernel *k = kernel_of(f, from->name, artifact);

        k->code = f->codes;
        use_code_kernel(f, from, artifact);
        if (code.aot_id.n && from->calls)
            vec_push(f->arena, &k->graphs, code.aot_id);
    }
}

/* AOTInductor's C++: "extern "C" void cpp_fused_0(float* out_ptr0)". */
static void use_aot_code(struct kernel_finder *f, const struct artifact *artifact, struct str text)
{
    struct str line;

    while (str_next_line(&text, &line)) {
        if (!str_consume(&line, STR("extern \"C\"")))
            continue;
        line = str_trim(line);
        if (str_consume(&line, STR("void ")) && str_chr(line, '(') > 0) {
            struct str name = str_trim(str_split(&line, '('));

            if (name.n && name.n < LIMIT_NAME && str_chr(name, ' ') < 0)
                kernel_of(f, name, artifact);
        }
    }
}

/* A function that uses a payload; NULL if it is not used. */
typedef void use_fn(struct kernel_finder *f, const struct artifact *artifact, struct str text);

/* Replaces the previous graph. */
static void use_before(struct kernel_finder *f, const struct artifact *artifact, struct str text)
{
    (void)text;
    f->before = (struct nodes){.graph = artifact};
}

static void use_after(struct kernel_finder *f, const struct artifact *artifact, struct str text)
{
    (void)text;
    f->after = (struct nodes){.graph = artifact};
}

/* If the trace has stacks of kernels, the comments of graphs need not be read. */
static bool has_stacks(const struct compile *c)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (artifact_is(c->artifacts.v[i], ARTIFACT_INDUCTOR_PROVENANCE_TRACKING_KERNEL_STACK_TRACES) &&
            c->artifacts.v[i]->payload.text_bytes > STR("{}").n)
            return true;
    return false;
}

static use_fn *use_of(const struct artifact *a)
{
    static use_fn *const uses[] = {
        [KERNELS_NONE] = NULL,     [KERNELS_BEFORE] = use_before,     [KERNELS_AFTER] = use_after,
        [KERNELS_CODE] = use_code, [KERNELS_AOT_CODE] = use_aot_code, [KERNELS_MAP] = use_maps,
    };

    return uses[a->info ? a->info->kernels : KERNELS_NONE];
}

void kernels_find(struct arena *a, const struct compile *c, struct kernels *out)
{
    struct kernel_finder f = {.arena = a, .compile = c, .out = out};
    struct map *const maps[] = {&f.by_name, &f.nodes, &f.places, &f.stacked};
    struct buf text = {0};
    bool stacks = has_stacks(c);

    *out = (struct kernels){0};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        map_init(maps[i], a);
    for (size_t i = 0; i < c->artifacts.n; i++) {
        const struct artifact *artifact = c->artifacts.v[i];
        use_fn *use = use_of(artifact);

        if (!use || (stacks && (use == use_before || use == use_after)) || payload_is_scattered(&artifact->payload))
            continue;
        text.n = 0;
        if (use == use_before || use == use_after || artifact_read(artifact, READ_TEXT, &text))
            use(&f, artifact, buf_view(&text));
    }
    buf_free(&text);
}

/* --- keeping what was found --------------------------------------------------------------------------------------- */

static struct str *keep_strings(struct arena *a, const struct str *v, size_t n)
{
    struct str *kept = n ? ARENA_ARRAY(a, struct str, n) : NULL;

    for (size_t i = 0; i < n; i++)
        kept[i] = arena_str(a, v[i]);
    return kept;
}

static void keep_kernel(struct arena *a, const struct kernel *from, struct kernel *to)
{
    *to = *from;
    to->name = arena_str(a, from->name);
    to->heuristic = arena_str(a, from->heuristic);
    to->autotuned = arena_str(a, from->autotuned);
    to->nodes.v = keep_strings(a, from->nodes.v, from->nodes.n);
    to->sizes.v = keep_strings(a, from->sizes.v, from->sizes.n);
    to->graphs.v = keep_strings(a, from->graphs.v, from->graphs.n);
    to->nodes.cap = to->nodes.n;
    to->sizes.cap = to->sizes.n;
    to->graphs.cap = to->graphs.n;
    to->places.v = from->places.n ? ARENA_ARRAY(a, struct kernel_place, from->places.n) : NULL;
    to->places.cap = from->places.n;
    for (size_t i = 0; i < from->places.n; i++)
        to->places.v[i] = (struct kernel_place){arena_str(a, from->places.v[i].file), from->places.v[i].line};
}

static struct kernels *keep(struct arena *a, const struct compile *c)
{
    struct arena *temporary = arena_new();
    struct kernels found, *kept = ARENA_NEW(a, struct kernels);

    kernels_find(temporary, c, &found);
    *kept = (struct kernels){0};
    vec_each(const struct kernel, k, &found.list) keep_kernel(a, k, vec_add(a, &kept->list));
    arena_free(temporary);
    return kept;
}

static void fill_part(void *arg, size_t part, size_t from, size_t to)
{
    struct kernel_store *s = arg;

    s->parts[part] = arena_new();
    for (size_t i = from; i < to; i++)
        s->kernels[i] = keep(s->parts[part], s->compiles.v[i]);
}

static void begin(struct kernel_store *s, const struct run *r, struct pool *pool)
{
    const struct compile *c;

    s->arena = arena_new();
    map_init(&s->found, s->arena);
    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));)
        vec_push(s->arena, &s->compiles, c);
    s->kernels = ARENA_ARRAY(s->arena, struct kernels *, s->compiles.n);
    s->part_count = pool_parts(pool, s->compiles.n);
    s->parts = ARENA_ARRAY(s->arena, struct arena *, s->part_count);
    s->filling = pool_each_begin(pool, s->compiles.n, fill_part, s);
}

void kernel_store_begin(struct kernel_store *s, const struct run *r, struct pool *pool)
{
    if (pool_threads(pool) > 1)
        begin(s, r, pool);
}

static void wait(struct kernel_store *s, struct pool *pool)
{
    if (s->filling)
        pool_each_end(pool, s->filling);
    s->filling = NULL;
}

void kernel_store_fill(struct kernel_store *s, const struct run *r, struct pool *pool)
{
    if (!s->arena)
        begin(s, r, pool);
    wait(s, pool);
    for (size_t i = 0; i < s->compiles.n; i++)
        *map_at_copy(&s->found, MAP_KEY(s->compiles.v[i])) = s->kernels[i];
}

void kernel_store_free(struct kernel_store *s, struct pool *pool)
{
    wait(s, pool);
    for (size_t i = 0; i < s->part_count; i++)
        arena_free(s->parts[i]);
    arena_free(s->arena);
}

const struct kernels *kernels_of(const struct kernel_store *s, const struct compile *c, struct arena *a)
{
    struct kernels *found = s ? map_get(&s->found, MAP_KEY(c)) : NULL;

    if (found)
        return found;
    found = ARENA_NEW(a, struct kernels);
    kernels_find(a, c, found);
    return found;
}
