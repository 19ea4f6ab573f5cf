#include "output/text/show.h"

#include "output/text/compile_table.h"
#include "util/map.h"
#include "util/nearest.h"
#include "util/utf8.h"
#include "view/facts/facts.h"
#include "view/format.h"

#include <stdlib.h>

struct showing {
    struct text *t;
    const struct answers *answers;
    const struct show_query *q;
    struct map recompiles; /* compile -> struct recompile */
    int found;
    int error;
};

bool show_is_asked(const struct show_query *q, const struct compile *c)
{
    if (q->rank != RANK_UNKNOWN && c->process->rank != q->rank)
        return false;
    return !q->has_id || (c->frame && compile_id_eq(c->id, q->id));
}

/* --- lists -------------------------------------------------------------------------------------------------------- */

static void heading(struct showing *s, const char *name)
{
    text_newline(s->t);
    text_str(s->t, TEXT_BOLD, str_of(name));
    text_newline(s->t);
}

static void list_artifacts(struct showing *s, const struct compile *c)
{
    struct text *t = s->t;

    heading(s, "Artifacts");
    for (size_t i = 0; i < c->artifacts.n; i++) {
        const struct artifact *a = c->artifacts.v[i];
        bool present = a->payload.flags & PAYLOAD_PRESENT;

        struct str size = present ? format_bytes(t->arena, a->payload.text_bytes) : STR("-");

        text_paragraph(
            t, arena_printf(t->arena, "%9.*s  ", STR_ARG(size)), TEXT_PLAIN, 11, TEXT_PLAIN,
            arena_printf(t->arena, "%.*s%s%.*s", STR_ARG(a->name), a->detail.n ? "  " : "", STR_ARG(a->detail)));
    }
}

/* Without compiles, as for export or for a torch_compile_debug directory alone, lists the artifacts. */
static void list_compiles(struct showing *s)
{
    VEC(const struct compile *) list = {0};
    const struct compile *c;
    bool any = false;

    for (struct compile_walk w = {.run = s->answers->run}; (c = compile_next(&w));)
        if (show_is_asked(s->q, c) && (c->frame || c->artifacts.n)) {
            vec_push(s->t->arena, &list, c);
            any |= c->frame != NULL;
        }
    compile_table_write(s->t, COMPILES_BY_ID, list.v, list.n);
    for (size_t i = 0; !any && i < list.n; i++)
        list_artifacts(s, list.v[i]);
    s->found += (int)list.n;
}

static void list_breaks(struct showing *s, const struct compile *c)
{
    if (c->breaks.n)
        heading(s, "Graph breaks");
    for (size_t i = 0; i < c->breaks.n; i++) {
        const struct graph_break *b = c->breaks.v[i];

        text_paragraph(s->t, STR("  "), TEXT_PLAIN, 2, TEXT_PLAIN,
                       arena_printf(s->t->arena, "%.*s  %.*s", STR_ARG(format_place(s->t->arena, b->file, b->line)),
                                    STR_ARG(b->type)));
    }
}

static void list_reasons(struct showing *s, const struct compile *c)
{
    const struct recompile *rc = map_get(&s->recompiles, MAP_KEY(c));

    if (!rc)
        return;
    heading(s, "Compiled again because");
    vec_each(const struct guard_reason, g, &rc->reasons)
        text_paragraph(s->t, STR("  "), TEXT_PLAIN, 2, TEXT_PLAIN,
                       arena_printf(s->t->arena, "%.*s: %.*s", STR_ARG(g->against), STR_ARG(g->words)));
}

static void index_recompiles(struct showing *s)
{
    const struct recompiles *all = &s->answers->recompiles;

    map_init(&s->recompiles, s->t->arena);
    for (size_t i = 0; i < all->list.n; i++)
        *map_at_copy(&s->recompiles, MAP_KEY(all->list.v[i]->compile)) = all->list.v[i];
}

/*
 * An exception after which Dynamo gave up on the frame is shown as the graph break that it is; the limit is shown
 * here.
 */
static void list_failures(struct showing *s, const struct compile *c)
{
    bool any = false;

    for (size_t i = 0; i < c->failures.n; i++) {
        const struct failure *f = c->failures.v[i];

        if (f->fallback && !c->limit_hit)
            continue;
        if (!any)
            heading(s, "Errors");
        any = true;
        text_paragraph(
            s->t, STR("  "), TEXT_PLAIN, 2, TEXT_PLAIN,
            arena_printf(s->t->arena, "%.*s%s%.*s", STR_ARG(f->type), f->type.n ? ": " : "", STR_ARG(f->message)));
    }
}

/* `function`: only compiles of this function; empty: of any. */
static void describe(struct showing *s, struct str function)
{
    const struct compile *c;

    index_recompiles(s);
    for (struct compile_walk w = {.run = s->answers->run}; (c = compile_next(&w));) {
        if (!show_is_asked(s->q, c) || (function.n && (!c->frame || !str_eq(c->frame->name, function))))
            continue;
        compile_table_write(s->t, COMPILES_BY_ID, &c, 1);
        s->found++;
        list_failures(s, c);
        list_breaks(s, c);
        list_reasons(s, c);
        list_artifacts(s, c);
    }
}

/* --- facts -------------------------------------------------------------------------------------------------------- */

static void show_stack(struct showing *s, const struct compile *c)
{
    struct text *t = s->t;
    const struct call **calls = stack_list(t->arena, c->stack);

    for (uint32_t i = 0; c->stack && i < c->stack->depth; i++) {
        text_printf(t, TEXT_PLAIN, "%.*s:%lld in %.*s", STR_ARG(calls[i]->file), (long long)calls[i]->line,
                    STR_ARG(calls[i]->function));
        text_newline(t);
        if (calls[i]->source.n) {
            text_printf(t, TEXT_DIM, "    %.*s", STR_ARG(calls[i]->source));
            text_newline(t);
        }
    }
    s->found += c->stack != NULL;
}

static void show_json(struct showing *s, json_t *v)
{
    char *text = json_text(v, JSON_INDENT(2) | JSON_REAL_PRECISION(15));

    if (text) {
        utf8_make_harmless(text, strlen(text), true);
        buf_str(&s->t->buf, str_of(text));
        text_newline(s->t);
        s->found++;
    }
    free(text);
    json_decref(v);
}

static void show_metrics(struct showing *s, const struct compile *c)
{
    struct view v = {.answers = s->answers, .run = s->answers->run, .scratch = s->t->arena};

    for (size_t i = 0; i < c->metrics.n; i++)
        show_json(s, fact_metrics(&v, c->metrics.v[i]));
}

static void show_inputs(struct showing *s, const struct compile *c)
{
    vec_each(const struct tensor, x, &c->tensors) if (x->source.n)
    {
        text_printf(s->t, TEXT_PLAIN, "%.*s  %.*s%.*s  strides %.*s  %.*s%s%s", STR_ARG(x->source), STR_ARG(x->dtype),
                    STR_ARG(x->shape), STR_ARG(x->stride), STR_ARG(x->device),
                    x->requires_grad ? "  requires_grad" : "", x->is_parameter ? "  parameter" : "");
        text_newline(s->t);
        s->found++;
    }
}

static void show_symbols(struct showing *s, const struct compile *c)
{
    vec_each(const struct symbol, x, &c->symbols)
    {
        text_printf(s->t, TEXT_PLAIN, "%.*s%s  %.*s  seen %.*s  %.*s%s%.*s", STR_ARG(x->name),
                    x->unbacked ? " (unbacked)" : "", STR_ARG(x->source), STR_ARG(x->hint), STR_ARG(x->range),
                    x->specialized_to.n ? "  fixed to " : "", STR_ARG(x->specialized_to));
        text_newline(s->t);
        s->found++;
    }
}

static const struct {
    const char *name;
    void (*show)(struct showing *s, const struct compile *c);
} facts[] = {
    {"stack", show_stack},
    {"metrics", show_metrics},
    {"inputs", show_inputs},
    {"symbols", show_symbols},
};

typedef VEC(const struct recompile *) recompile_list;

/* The guards of a compile that later failed, according to later compiles of its function. */
static void show_failed(struct showing *s, const struct compile *c, const recompile_list *of_frame)
{
    struct str id = compile_id_print(s->t->arena, c->id);

    for (size_t i = 0; i < of_frame->n; i++) {
        const struct compile *later = of_frame->v[i]->compile;

        if (later->epoch != c->epoch)
            continue;
        vec_each(const struct guard_reason, g, &of_frame->v[i]->reasons)
        {
            if (!str_eq(g->against, id))
                continue;
            text_printf(s->t, TEXT_PLAIN, "[%.*s] %.*s", STR_ARG(id), STR_ARG(g->guard));
            text_newline(s->t);
            text_paragraph(s->t, STR("    "), TEXT_DIM, 4, TEXT_DIM,
                           arena_printf(s->t->arena, "%.*s, hence %.*s", STR_ARG(g->words),
                                        STR_ARG(format_compile(s->t->arena, later))));
            s->found++;
        }
    }
}

/* A frame belongs to one process. */
static void index_by_frame(struct showing *s, struct map *frames)
{
    const struct recompiles *all = &s->answers->recompiles;

    map_init(frames, s->t->arena);
    for (size_t i = 0; i < all->list.n; i++) {
        recompile_list *list = MAP_OBJECT(frames, MAP_KEY(all->list.v[i]->compile->frame), recompile_list);

        vec_push(s->t->arena, list, all->list.v[i]);
    }
}

static void show_failed_guards(struct showing *s)
{
    const struct compile *c;
    struct map frames;

    index_by_frame(s, &frames);
    for (struct compile_walk w = {.run = s->answers->run}; (c = compile_next(&w));) {
        const recompile_list *of_frame = c->frame ? map_get(&frames, MAP_KEY(c->frame)) : NULL;

        if (of_frame && show_is_asked(s->q, c))
            show_failed(s, c, of_frame);
    }
}

static bool show_fact(struct showing *s)
{
    const struct compile *c;

    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        if (!str_eq(s->q->what, str_of(facts[i].name)))
            continue;
        for (struct compile_walk w = {.run = s->answers->run}; (c = compile_next(&w));)
            if (show_is_asked(s->q, c))
                facts[i].show(s, c);
        return true;
    }
    return false;
}

/* --- payloads ----------------------------------------------------------------------------------------------------- */

enum { DIGEST_DIGITS_MIN = 6 };

/* The beginning of an MD5, in lower case. */
static bool is_digest(struct str s)
{
    if (s.n < DIGEST_DIGITS_MIN || s.n > DIGEST_HEX)
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (!(str_is_digit(s.p[i]) || (s.p[i] >= 'a' && s.p[i] <= 'f')))
            return false;
    return true;
}

static bool fits(const struct artifact *a, struct str what)
{
    char hex[DIGEST_HEX + 1];
    struct str line = what;
    uint64_t number;

    if (str_eq(a->name, what) || (a->info && a->info->alias && str_eq(what, str_of(a->info->alias))))
        return true;
    if (what.n && str_eq(a->detail, what)) /* all files of a graph in a torch_compile_debug directory */
        return true;
    if (str_consume(&line, STR(":")) && str_u64(line, &number))
        return number == a->line;
    if (!is_digest(what) || !(a->payload.flags & PAYLOAD_DIGEST))
        return false;
    digest_hex(&a->payload.digest, hex);
    return str_starts(str_of(hex), what);
}

/* Equal payloads are printed once. */
static bool is_same_payload(const struct artifact *a, const struct artifact *b)
{
    return (a->payload.flags & b->payload.flags & PAYLOAD_DIGEST) &&
           digest_eq(&a->payload.digest, &b->payload.digest) && a->payload.text_bytes == b->payload.text_bytes;
}

static void print_payload(struct showing *s, const struct artifact *a, bool several)
{
    struct payload_source from = input_payloads(a->input);
    size_t from_here;
    int rc;

    if (several)
        text_printf(s->t, TEXT_BOLD, "# %.*s %.*s%s%.*s, %.*s line %llu",
                    STR_ARG(format_compile(s->t->arena, a->compile)), STR_ARG(a->name), a->detail.n ? " " : "",
                    STR_ARG(a->detail), STR_ARG(str_file_name(a->input->path)), (unsigned long long)a->line);
    if (several)
        text_newline(s->t);
    from_here = s->t->buf.n;
    rc = payload_read(&from, &a->payload, READ_ALL, &s->t->buf);
    if (s->t->terminal && s->t->buf.n > from_here)
        utf8_make_harmless(s->t->buf.p + from_here, s->t->buf.n - from_here, true);
    if (rc)
        s->error = rc;
    /* A single payload goes to a file or pipe unchanged, so that its md5sum is the recorded one. */
    if (several || (s->t->terminal && (s->t->buf.n == 0 || s->t->buf.p[s->t->buf.n - 1] != '\n')))
        text_newline(s->t);
    s->found++;
}

static void show_payloads(struct showing *s)
{
    VEC(const struct artifact *) list = {0};
    const struct compile *c;
    bool by_digest = is_digest(s->q->what);

    for (struct compile_walk w = {.run = s->answers->run}; (c = compile_next(&w));)
        for (size_t i = 0; show_is_asked(s->q, c) && i < c->artifacts.n; i++) {
            const struct artifact *a = c->artifacts.v[i];

            if (!(a->payload.flags & PAYLOAD_PRESENT) || !fits(a, s->q->what))
                continue;
            if (by_digest && list.n && is_same_payload(a, list.v[0]))
                continue;
            vec_push(s->t->arena, &list, a);
        }
    for (size_t i = 0; i < list.n && s->error == 0; i++)
        print_payload(s, list.v[i], list.n > 1);
}

/* --- part of a name ----------------------------------------------------------------------------------------------- */

/* The names that contain a text. */
struct completion {
    struct str part, name;
    bool several;
};

static void try_name(struct completion *x, struct str name)
{
    if (str_eq(name, x->name) || !str_has(name, x->part))
        return;
    x->several |= x->name.n > 0;
    x->name = name;
}

static void try_artifacts(struct completion *x, const struct compile *c)
{
    for (size_t i = 0; i < c->artifacts.n; i++) {
        const struct artifact *a = c->artifacts.v[i];

        if (!(a->payload.flags & PAYLOAD_PRESENT))
            continue;
        try_name(x, a->name);
        if (a->input->kind == INPUT_COMPILE_DEBUG && a->detail.n) /* the folder of its graph */
            try_name(x, a->detail);
        if (a->info && a->info->alias)
            try_name(x, str_of(a->info->alias));
    }
}

/* Part of a name selects it; a name that is only nearly right is suggested (show_instead). */
struct str show_completed(const struct answers *answers, const struct show_query *q)
{
    struct completion x = {.part = q->what};
    const struct compile *c;

    if (q->what.n == 0)
        return (struct str){0};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        try_name(&x, str_of(facts[i].name));
    for (struct compile_walk w = {.run = answers->run}; (c = compile_next(&w));)
        if (show_is_asked(q, c))
            try_artifacts(&x, c);
    if (x.name.n && !x.several)
        return x.name;
    x = (struct completion){.part = q->what};
    for (struct compile_walk w = {.run = answers->run}; (c = compile_next(&w));)
        if (show_is_asked(q, c) && c->frame && !c->frame->is_resume)
            try_name(&x, c->frame->name);
    return x.several ? (struct str){0} : x.name;
}

int show_write(struct text *t, const struct answers *answers, const struct show_query *q)
{
    struct showing s = {.t = t, .answers = answers, .q = q};

    if (q->failed)
        show_failed_guards(&s);
    else if (q->what.n == 0 && q->has_id)
        describe(&s, STR(""));
    else if (q->what.n == 0)
        list_compiles(&s);
    else if (!show_fact(&s))
        show_payloads(&s);
    if (s.found == 0 && s.error == 0 && q->what.n && !q->failed)
        describe(&s, q->what);
    return s.error ? s.error : s.found;
}

/* --- what there is instead ---------------------------------------------------------------------------------------- */

enum { NAMED_MOST = 12 };

/* Names for a sentence, each once, and limited in number. */
struct names {
    struct arena *arena;
    struct nearest near; /* the nearest to the name that was asked for */
    struct map seen;
    struct buf list;
};

static void add_name(struct names *names, struct str name)
{
    void **slot = map_at(&names->seen, name);

    if (*slot || name.n == 0)
        return;
    *slot = names;
    nearest_try(&names->near, name);
    if (names->seen.n <= NAMED_MOST)
        buf_printf(&names->list, "%s%.*s", names->list.n ? ", " : "", STR_ARG(name));
    else if (names->seen.n == NAMED_MOST + 1)
        buf_str(&names->list, STR(" and more"));
}

static struct str sentence(struct names *names, struct str what, const char *but)
{
    struct str list = names->list.n ? buf_view(&names->list) : STR("none");
    struct str near = names->near.word, out;

    if (near.n)
        near = arena_printf(names->arena, " (did you mean %.*s?)", STR_ARG(near));
    out = arena_printf(names->arena, "no %.*s%.*s; %s%.*s", STR_ARG(what), STR_ARG(near), but, STR_ARG(list));

    buf_free(&names->list);
    return out;
}

static bool has_rank(const struct run *run, int rank)
{
    for (size_t i = 0; i < run->processes.n; i++)
        if (run->processes.v[i]->rank == rank)
            return true;
    return false;
}

static struct str ranks_instead(struct names *names, const struct run *run, int rank)
{
    for (size_t i = 0; i < run->processes.n; i++)
        if (run->processes.v[i]->rank != RANK_UNKNOWN)
            add_name(names, arena_printf(names->arena, "%d", run->processes.v[i]->rank));
    return sentence(names, arena_printf(names->arena, "rank %d", rank), "ranks in the trace: ");
}

static void name_artifact(struct names *names, const struct artifact *a)
{
    add_name(names, a->name);
    nearest_try(&names->near, a->detail);
    if (a->info && a->info->alias)
        nearest_try(&names->near, str_of(a->info->alias));
}

static void name_artifacts(struct names *names, const struct compile *c)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (c->artifacts.v[i]->payload.flags & PAYLOAD_PRESENT)
            name_artifact(names, c->artifacts.v[i]);
    if (c->metrics.n)
        add_name(names, STR("metrics"));
    if (c->stack)
        add_name(names, STR("stack"));
}

struct str show_instead(struct arena *a, const struct answers *answers, const struct show_query *q)
{
    struct names names = {.arena = a, .near = nearest_to(q->what)};
    const struct compile *c;

    map_init(&names.seen, a);
    if (q->rank != RANK_UNKNOWN && !has_rank(answers->run, q->rank))
        return ranks_instead(&names, answers->run, q->rank);
    for (struct compile_walk w = {.run = answers->run}; q->what.n && (c = compile_next(&w));)
        if (show_is_asked(q, c))
            name_artifacts(&names, c);
    for (struct compile_walk w = {.run = answers->run}; q->what.n && (c = compile_next(&w));)
        if (show_is_asked(q, c) && c->frame)
            nearest_try(&names.near, c->frame->name);
    if (names.seen.n)
        return sentence(&names, q->what, q->has_id ? "the compile has " : "the compiles have ");
    for (struct compile_walk w = {.run = answers->run}; (c = compile_next(&w));)
        if (c->frame && (q->rank == RANK_UNKNOWN || c->process->rank == q->rank))
            add_name(&names, compile_id_print(a, c->id));
    return sentence(&names,
                    q->has_id ? arena_printf(a, "compile %.*s", STR_ARG(compile_id_print(a, q->id))) : STR("compile"),
                    "compiles in the trace: ");
}
