#include "analysis/code/compile_guards.h"

#include "model/read/artifact_text.h"
#include "util/map.h"

const struct artifact *compile_guards_artifact(const struct compile *c)
{
    for (size_t i = c->artifacts.n; i-- > 0;)
        if (c->artifacts.v[i]->info && c->artifacts.v[i]->info->guards)
            return c->artifacts.v[i];
    return NULL;
}

bool compile_guards_read(struct arena *a, const struct artifact *artifact, struct guard_tree *out)
{
    struct buf text = {0};
    struct str copy;
    bool ok = artifact_read(artifact, READ_TEXT, &text) && text.n;

    if (ok) {
        copy = arena_str(a, buf_view(&text));
        if (artifact->info->guards == GUARDS_JSON)
            ok = guard_tree_parse_json(a, copy, out);
        else
            guard_tree_parse(a, copy, out);
    }
    buf_free(&text);
    return ok;
}

enum { LOOK_BACK_MAX = 8 };

const struct compile *compile_guards_before(const struct compile *c)
{
    size_t at = c->frame ? compile_position(c) : 0;

    for (int i = 0; i < LOOK_BACK_MAX && at > 0; i++)
        if (compile_guards_artifact(c->frame->compiles.v[--at]))
            return c->frame->compiles.v[at];
    return NULL;
}

/* --- against another compile -------------------------------------------------------------------------------------- */

/* A check and its subject: two compiles of a frame have the same key for the same guard. */
static struct str guard_identity(struct arena *a, const struct guard_node *n)
{
    const struct str parts[] = {n->kind, n->source, n->text};
    char *p = arena_alloc(a, n->kind.n + n->source.n + n->text.n + 3), *end = p;

    for (int i = 0; i < 3; i++) {
        if (parts[i].n)
            memcpy(end, parts[i].p, parts[i].n);
        end += parts[i].n;
        *end++ = '\n';
    }
    return str_range(p, end);
}

void compile_guards_compare(struct arena *a, const struct guard_tree *before, const struct guard_tree *now,
                            struct guards_alone *out)
{
    static const struct guard_node seen;
    struct map old;

    *out = (struct guards_alone){0};
    map_init(&old, a);
    for (size_t i = 0; i < before->guards.n; i++)
        *map_at(&old, guard_identity(a, before->guards.v[i])) = before->guards.v[i];
    for (size_t i = 0; i < now->guards.n; i++) {
        void **slot = map_at(&old, guard_identity(a, now->guards.v[i]));

        if (!*slot)
            vec_push(a, &out->added, now->guards.v[i]);
        map_put_const(slot, &seen);
    }
    for (size_t i = 0; i < old.n; i++)
        if (old.entries[i].value != &seen)
            vec_push(a, &out->gone, (const struct guard_node *)old.entries[i].value);
}
