#include "analysis/code/estimates.h"

#include "model/read/artifact_text.h"
#include "text/graphs/estimated_ops.h"

static void read_graph(struct arena *a, const struct artifact *artifact, struct str text, struct op_estimates *out)
{
    struct str ops = estimated_ops(text);
    struct estimated_op op;

    out->artifact = artifact;
    while (estimated_op_next(&ops, &op)) {
        out->count++;
        out->ns += out->ns < ESTIMATE_NS_MAX ? op.ns : 0;
        if (out->ops.n < ESTIMATED_OPS_MAX)
            vec_push(a, &out->ops, ((struct op_estimate){arena_str(a, op.name), arena_str(a, op.type), op.ns}));
    }
}

void estimates_of_compile(struct arena *a, const struct compile *c, struct op_estimate_list *out)
{
    struct buf text = {0};

    *out = (struct op_estimate_list){0};
    for (size_t i = 0; i < c->artifacts.n && out->graphs.n < ESTIMATED_GRAPHS_MAX; i++) {
        if (!artifact_is(c->artifacts.v[i], ARTIFACT_INDUCTOR_RUNTIME_AND_TENSOR_META))
            continue;
        text.n = 0;
        if (artifact_read(c->artifacts.v[i], READ_TEXT, &text))
            read_graph(a, c->artifacts.v[i], buf_view(&text), vec_add(a, &out->graphs));
    }
    buf_free(&text);
}
