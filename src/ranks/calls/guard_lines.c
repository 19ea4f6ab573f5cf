#include "ranks/calls/guard_lines.h"

#include "text/graphs/collective_place.h"
#include "text/guards/guard_comment.h"

/*
 * A comment has only the last characters of a path. Its first component may be cut, and is then redacted differently.
 */
static bool is_end_of(struct str file, struct str end)
{
    return str_ends(file, end) || str_eq(code_file_name(file), code_file_name(end));
}

/* The last characters may not be enough to recognize one of PyTorch's own files. */
static bool is_in_file(const struct collective_call *call, const struct guard_comment *g)
{
    if (g->file.n == 0)
        return false;
    return call->file.n ? is_end_of(call->file, g->file)
                        : !is_framework_file(g->file) && !str_ends(g->file, STR("_functional_collectives.py"));
}

/* Whether the known place of the call allows this line. */
static bool is_possible(const struct collective_call *call, const struct guard_comment *g)
{
    if (call->file.n == 0)
        return true;
    if (call->from_line == call->line) /* the call is at this line or after it */
        return g->line >= call->line;
    return g->line >= call->from_line && g->line <= call->line;
}

/* The comment of the only line that names the call; false if there is none, or several. */
static bool find_line(struct arena *scratch, struct str guards, const struct collective_call *call,
                      struct guard_comment *out)
{
    struct guard_comment g;
    struct str line;

    *out = (struct guard_comment){0};
    while (str_next_line(&guards, &line)) {
        if (!collective_is_named(line, call->op))
            continue;
        guard_comment_parse(scratch, line, &g);
        if (!collective_is_named(g.user_code, call->op) || !is_in_file(call, &g))
            continue;
        if (out->line && (out->line != g.line || !str_eq(out->file, g.file)))
            return false;
        *out = g;
    }
    return out->line > 0 && is_possible(call, out);
}

static struct str whole_file(struct arena *a, const struct compile *c, struct str end)
{
    if (c->frame && is_end_of(c->frame->file, end))
        return c->frame->file;
    return arena_str(a, end);
}

void guard_lines_place(struct arena *a, struct contents *contents, const struct compile *c,
                       struct collective_call *call)
{
    for (size_t i = 0; i < c->artifacts.n; i++) {
        const struct artifact *artifact = c->artifacts.v[i];
        struct arena *scratch;
        struct guard_comment g;

        if (facet_of_artifact(artifact) != FACET_GUARDS || !payload_may_be_shown(&artifact->payload) ||
            !contents_read(contents, artifact, READ_TEXT))
            continue;
        scratch = arena_new();
        if (find_line(scratch, buf_view(&contents->text), call, &g)) {
            if (call->file.n == 0)
                call->file = whole_file(a, c, g.file);
            call->line = g.line;
            call->from_line = 0;
        }
        arena_free(scratch);
    }
}
