/* Findings about what failed. */
#include "analysis/find.h"

#include "text/break_text.h"
#include "util/map.h"

static enum finding_severity severity_of(const struct error *e)
{
    if (e->silent)
        return FINDING_MEDIUM;
    return e->category == ERROR_GRAPH_BREAK || e->category == ERROR_USER ? FINDING_HIGH : FINDING_CRITICAL;
}

static struct str first_line(struct str s)
{
    return str_trim(str_split(&s, '\n'));
}

enum { STEPS_SHOWN = 2, LISTED_MAX = 1000 };

static void set_steps(struct finder *f, struct finding *x, const struct error *e)
{
    struct error_steps steps;

    error_next_steps(f->arena, e, &steps);
    x->fix = STR("");
    for (size_t i = 0; i < steps.list.n && i < STEPS_SHOWN; i++)
        x->fix = arena_printf(f->arena, "%.*s%s%.*s", STR_ARG(x->fix), i ? "\n" : "", STR_ARG(steps.list.v[i]));
    finding_paste(x, PASTE_COMMAND, steps.alone);
}

/* The lines of a message that say which and how: "  - You marked ...", "    - 0/0: tensor 'x' size mismatch ...". */
static struct str listed(struct finder *f, struct str message)
{
    struct str out = {"", 0}, line;

    while (out.n < LISTED_MAX && str_next_line(&message, &line)) {
        line = str_trim(line);
        if (str_consume(&line, STR("- ")))
            out = arena_printf(f->arena, "%.*s %.*s", STR_ARG(out), STR_ARG(line));
    }
    return out;
}

/* Where it failed, and what PyTorch explains. */
static struct str detail_of(struct finder *f, const struct error *e)
{
    const struct failure *failure = e->failure;
    struct break_text text;
    struct str more;

    if (failure->where == FAILED_PROGRAM)
        return STR("The program ended with it.");
    break_message_parse(f->arena, failure->message, &text);
    more = e->category == ERROR_CONSTRAINT || e->category == ERROR_RECOMPILATION ? str_trim(listed(f, failure->message))
                                                                                 : text.explanation;
    return arena_printf(f->arena, "%s %s.%s%.*s",
                        failure->where == FAILED_BACKWARD ? "The backward graph failed" : "Failed",
                        error_stage_title(e->stage), more.n ? " " : "", STR_ARG(more));
}

/* --- the check to add --------------------------------------------------------------------------------------------- */

/* "n > 4" of "if n > 4:"; empty when the line is no condition. */
static struct str condition_of(struct str source)
{
    static const struct str words[] = {STR_INIT("if "), STR_INIT("elif "), STR_INIT("while "), STR_INIT("assert ")};
    ptrdiff_t end;

    source = str_trim(source);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!str_consume(&source, words[i]))
            continue;
        end = i < 3 ? str_rchr(source, ':') : (ptrdiff_t)source.n;
        return end > 0 ? str_trim(str_take(source, (size_t)end)) : (struct str){0};
    }
    return (struct str){0};
}

struct str finding_check(struct arena *a, struct str expression, struct str source)
{
    struct str condition = condition_of(source);

    if (condition.n)
        return arena_printf(a, "torch._check(%.*s)   # before the line, where it always holds", STR_ARG(condition));
    if (expression.n == 0)
        return (struct str){0};
    return arena_printf(a, "torch._check(%.*s)   # u0, u1, ... stand for the values that are read from tensors",
                        STR_ARG(expression));
}

/* "u0 > 4" of "Could not guard on data-dependent expression u0 > 4 (unhinted: u0 > 4)." */
static struct str expression_of(struct str message)
{
    struct str out = {0};

    if (!str_between(message, STR("data-dependent expression "), STR(" (unhinted"), &out))
        str_between(message, STR("data-dependent expression "), STR("\n"), &out);
    return str_trim(out);
}

/* What is told by a row of its own, and what is to be pasted then. */
static const char *id_of(struct finder *f, const struct error *e, struct str *paste)
{
    struct str message = e->failure->message, op;

    if (str_has(message, STR("does not support running with fake tensors")) &&
        str_between(message, STR("unsupported operator: "), STR("\n"), &op)) {
        struct str space = str_split(&op, '.'), name = str_split(&op, '.');

        *paste = arena_printf(f->arena,
                              "@torch.library.register_fake(\"%.*s::%.*s\")\ndef _(x):\n    return "
                              "torch.empty_like(x)   # shape and dtype of the result",
                              STR_ARG(space), STR_ARG(name));
        return "missing-fake-kernel";
    }
    if (e->category != ERROR_DATA_DEPENDENT)
        return "error";
    *paste = finding_check(f->arena, expression_of(message), e->own_source);
    return "data-dependent";
}

/* --- errors ------------------------------------------------------------------------------------------------------- */

/* One error that several compiles ran into. */
struct same_error {
    const struct error *first;
    VEC(const struct compile *) compiles;
};

static void add_error(struct finder *f, const struct same_error *same)
{
    const struct error *e = same->first;
    struct str paste = {0};
    const char *id = id_of(f, e, &paste);
    struct finding *x = finding_add(f, id, severity_of(e));
    struct str what = error_headline(f->arena, e->failure), times = {0};

    if (same->compiles.n > 1)
        times = arena_printf(f->arena, " (%zu times)", same->compiles.n);
    x->title = arena_printf(f->arena, "%s: `%.*s`%s%.*s%.*s", error_category_title(e->category),
                            STR_ARG(e->failure->type), what.n ? ": " : "", STR_ARG(what), STR_ARG(times));
    x->detail = detail_of(f, e);
    x->file = e->own_file;
    x->line = e->own_line;
    x->source = e->own_source;
    set_steps(f, x, e);
    if (paste.n)
        finding_paste(x, PASTE_PATTERN, paste);
    for (size_t i = 0; i < same->compiles.n; i++)
        finding_evidence(f, x, same->compiles.v[i]);
}

void find_errors(struct finder *f)
{
    const struct errors *errors = &f->answers->errors;
    struct map seen;

    map_init(&seen, f->arena);
    for (size_t i = 0; i < errors->list.n; i++) {
        const struct error *e = &errors->list.v[i];
        const struct failure *x = e->failure;
        struct same_error *same;
        void **slot;

        if (x->compile->limit_hit && e->category == ERROR_RECOMPILATION)
            continue; /* told by find_recompile_limit */
        slot = map_at(&seen, arena_printf(f->arena, "%.*s %lld %.*s %.*s", STR_ARG(x->type), (long long)e->own_line,
                                          STR_ARG(e->own_file), STR_ARG(first_line(x->message))));
        if (!*slot)
            *slot = ARENA_NEW(f->arena, struct same_error);
        same = *slot;
        same->first = same->first ? same->first : e;
        vec_push(f->arena, &same->compiles, x->compile);
    }
    for (size_t i = 0; i < seen.n; i++) {
        const struct same_error *same = seen.entries[i].value;

        add_error(f, same);
    }
}
