#include "analysis/errors/error_code.h"

#include "model/read/artifact_text.h"
#include "util/buf.h"

/* In the arena; empty if it cannot be read. */
static struct str text_of(struct arena *a, const struct artifact *artifact)
{
    struct str text = {0};
    struct buf buf = {0};

    if (artifact_read(artifact, READ_SMALL, &buf))
        text = arena_str(a, buf_view(&buf));
    buf_free(&buf);
    return text;
}

/* An operator that the program defines itself is not defined where its graph runs alone. */
static bool needs_program(struct str runnable)
{
    static const struct str known[] = {
        STR_INIT("aten"),
        STR_INIT("prims"),
        STR_INIT("prim"),
        STR_INIT("inductor"),
        STR_INIT("higher_order"),
        STR_INIT("rngprims"),
        STR_INIT("quantized"),
        STR_INIT("quantized_decomposed"),
        STR_INIT("mkldnn"),
        STR_INIT("onednn"),
        STR_INIT("_c10d_functional"),
        STR_INIT("fsdp"),
    };
    struct str space;

    if (str_has(runnable, STR("torch.ops.load_library(")))
        return false;
    while (str_between(runnable, STR("torch.ops."), STR("."), &space)) {
        runnable = str_skip(runnable, (size_t)(space.p + space.n - runnable.p));
        if (!STR_IS_ANY(space, known))
            return true;
    }
    return false;
}

bool error_runs_alone(struct arena *a, const struct artifact *runnable)
{
    return !needs_program(text_of(a, runnable));
}
