/* Kernels of generated code, as report.json and the tables have them. */
#include "view/gpu.h"

static json_t *strings(const struct str *list, size_t n)
{
    json_t *out = json_new_array();

    for (size_t i = 0; i < n; i++)
        json_push(out, json_of_str(list[i]));
    return out;
}

static json_t *places_of(const struct kernel *k)
{
    json_t *list = json_new_array();

    vec_each(const struct kernel_place, p, &k->places)
    {
        json_t *o = json_new_object();

        json_put_str(o, "file", p->file);
        json_put(o, "line", view_line(p->line));
        json_push(list, o);
    }
    return list;
}

json_t *fact_kernel(const struct view *v, const struct kernel *k)
{
    json_t *o = view_scope(k->compile);
    const struct kernel_place *first = k->places.n ? k->places.v : &(struct kernel_place){0};

    json_put(o, "compile", view_id(v, k->compile));
    json_put_str(o, "name", k->name);
    json_put_str(o, "kind", k->kind);
    json_put(o, "heuristic", view_text(k->heuristic));
    json_put(o, "nodes", strings(k->nodes.v, k->nodes.n));
    json_put(o, "sizes", strings(k->sizes.v, k->sizes.n));
    json_put(o, "graphs", strings(k->graphs.v, k->graphs.n));
    json_put(o, "calls", k->calls < 0 ? json_null() : json_of_i64(k->calls));
    json_put(o, "file", view_text(first->file));
    json_put(o, "line", view_line(first->line));
    json_put(o, "places", places_of(k));
    json_put(o, "compile_s", view_seconds_us(k->compile_us));
    json_put(o, "autotuned", view_text(k->autotuned));
    json_put(o, "gpu", fact_kernel_gpu(v, k));
    return o;
}
