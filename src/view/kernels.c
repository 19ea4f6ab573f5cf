#include "view/kernels.h"

#include "input/limits.h"
#include "text/traceback.h"
#include "util/map.h"

struct finder {
    struct arena *arena;
    const struct compile *compile;
    struct kernels *out;
    struct map by_name; /* name -> index + 1 */
    struct map nodes;   /* "kernel\nnode" -> anything: several maps, and several calls in one map, tell the same */
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

/* "triton_poi_fused_add_0:3" -> "triton_poi_fused_add_0": the number tells calls apart. */
static struct str without_number(struct str name)
{
    ptrdiff_t at = str_rchr(name, ':');
    uint64_t number;

    return at > 0 && str_u64(str_skip(name, (size_t)at + 1), &number) ? str_take(name, (size_t)at) : name;
}

static struct kernel *kernel_of(struct finder *f, struct str name, const struct artifact *artifact)
{
    void **slot;
    struct kernel *k;

    name = arena_str(f->arena, without_number(name));
    slot = map_at(&f->by_name, name);
    if (*slot)
        return &f->out->list.v[(size_t)(uintptr_t)*slot - 1];
    k = vec_add(f->arena, &f->out->list);
    *k = (struct kernel){
        .compile = f->compile, .artifact = artifact, .name = name, .kind = kind_of(name), .compile_us = -1};
    *slot = (void *)(uintptr_t)f->out->list.n;
    return k;
}

static void add_node(struct finder *f, struct kernel *k, struct str node)
{
    void **slot = map_at(&f->nodes, arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(k->name), STR_ARG(node)));

    if (*slot)
        return;
    *slot = f;
    vec_push(f->arena, &k->nodes, arena_str(f->arena, node));
}

static void add_nodes(struct finder *f, const json_t *map, const struct artifact *artifact)
{
    const char *name;
    const json_t *nodes, *node;
    size_t i;

    json_object_foreach((json_t *)map, name, nodes)
    {
        struct kernel *k = *name ? kernel_of(f, str_of(name), artifact) : NULL;

        json_array_foreach(nodes, i, node) if (k && json_string_length(node))
            add_node(f, k, json_str(node));
    }
}

/* The innermost line of the user's own code of the first stack listing. */
static void add_place(struct finder *f, struct kernel *k, const json_t *stacks)
{
    struct str text = json_str(json_array_get(stacks, 0));
    struct text_stack stack = {0};

    if (k->line || !text.p)
        return;
    text = arena_str(f->arena, text);
    text_stack_take(f->arena, &text, &stack);
    for (size_t i = stack.calls.n; i-- > 0;)
        if (i == 0 || !is_framework_file(stack.calls.v[i].file)) {
            k->file = stack.calls.v[i].file;
            k->line = stack.calls.v[i].line;
            return;
        }
}

static void add_places(struct finder *f, const json_t *map, const struct artifact *artifact)
{
    const char *name;
    const json_t *stacks;

    json_object_foreach((json_t *)map, name, stacks) if (*name)
        add_place(f, kernel_of(f, str_of(name), artifact), stacks);
}

static struct str autotuning_of(struct finder *f, const json_t *info)
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

static void add_times(struct finder *f, const json_t *map, const struct artifact *artifact)
{
    const char *name;
    const json_t *info;

    json_object_foreach((json_t *)map, name, info)
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

static void use_maps(struct finder *f, const struct artifact *artifact, struct str text)
{
    struct json_doc doc;

    if (json_doc_load_whole(&doc, text) && json_is_object(doc.root)) {
        if (str_eq(artifact->name, STR("triton_kernel_info"))) {
            add_times(f, doc.root, artifact);
        } else if (str_has(artifact->name, STR("stack_traces"))) {
            add_places(f, doc.root, artifact);
        } else if (str_ends(artifact->name, STR("node_mappings"))) {
            add_nodes(f, json_get(&doc, doc.root, "cppCodeToPost"), artifact);
            add_nodes(f, json_get(&doc, doc.root, "pyCodeToPost"), artifact);
        } else {
            add_nodes(f, doc.root, artifact);
        }
    }
    json_doc_free(&doc);
}

/* "cpp_fused_add_0 = async_compile.cpp_pybinding(…" and "triton_poi_fused_0 = async_compile.triton(…". */
static void use_code(struct finder *f, const struct artifact *artifact, struct str text)
{
    struct str rest = text;
    ptrdiff_t at;

    while ((at = str_find(rest, STR(" = async_compile."))) >= 0) {
        struct str before = str_take(rest, (size_t)at);
        ptrdiff_t newline = str_rchr(before, '\n');

        before = str_trim(str_skip(before, (size_t)(newline + 1)));
        if (before.n && before.n < LIMIT_NAME && str_chr(before, ' ') < 0)
            kernel_of(f, before, artifact);
        rest = str_skip(rest, (size_t)at + 1);
    }
}

/* AOTInductor's C++: "extern "C"  void  cpp_fused_0(float* out_ptr0)". */
static void use_aot_code(struct finder *f, const struct artifact *artifact, struct str text)
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

static bool is_map(const struct artifact *a)
{
    return a->info && a->info->stage == STAGE_KERNELS &&
           (str_eq(a->name, STR("triton_kernel_info")) || str_starts(a->name, STR("inductor_provenance_tracking_")) ||
            str_ends(a->name, STR("_kernel_to_post_grad_nodes")));
}

void kernels_find(struct arena *a, const struct compile *c, struct kernels *out)
{
    struct finder f = {.arena = a, .compile = c, .out = out};
    struct buf text = {0};

    *out = (struct kernels){0};
    map_init(&f.by_name, a);
    map_init(&f.nodes, a);
    for (size_t i = 0; i < c->artifacts.n; i++) {
        const struct artifact *artifact = c->artifacts.v[i];
        struct payload_source from;
        bool map = is_map(artifact), code = str_eq(artifact->name, STR("inductor_output_code")),
             aot = str_eq(artifact->name, STR("inductor_aot_kernel_code"));

        if ((!map && !code && !aot) || payload_is_scattered(&artifact->payload))
            continue;
        text.n = 0;
        from = input_payloads(artifact->input);
        if (payload_read(&from, &artifact->payload, LIMIT_PAYLOAD_TEXT, &text) != 0)
            continue;
        if (map)
            use_maps(&f, artifact, buf_view(&text));
        else if (aot)
            use_aot_code(&f, artifact, buf_view(&text));
        else
            use_code(&f, artifact, buf_view(&text));
    }
    buf_free(&text);
}

json_t *fact_kernel(const struct view *v, const struct kernel *k)
{
    json_t *o = view_scope(k->compile), *nodes = json_new_array();

    vec_each(const struct str, n, &k->nodes) json_push(nodes, json_of_str(*n));
    json_put(o, "compile", view_id(v, k->compile));
    json_put_str(o, "name", k->name);
    json_put_str(o, "kind", k->kind);
    json_put(o, "nodes", nodes);
    json_put(o, "file", view_text(k->file));
    json_put(o, "line", view_line(k->line));
    json_put(o, "compile_s", view_seconds_us(k->compile_us));
    json_put(o, "autotuned", view_text(k->autotuned));
    json_put(o, "gpu", json_null());
    return o;
}
