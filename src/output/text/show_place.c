#include "output/text/show_place.h"

#include "analysis/find/finding.h"
#include "view/format.h"

struct place_listing {
    struct text *t;
    const struct answers *answers;
    const struct show_place *p;
    int found;
    bool headed; /* the section's heading was written */
};

/* "train.py" matches src/train.py, but not src/mytrain.py. */
static bool is_file(const struct place_listing *w, struct str file)
{
    struct str want = w->p->file;

    if (!str_ends(file, want))
        return false;
    return file.n == want.n || file.p[file.n - want.n - 1] == '/';
}

static bool is_here(const struct place_listing *w, struct str file, int64_t line)
{
    return line == w->p->line && is_file(w, file);
}

static bool is_asked(const struct place_listing *w, const struct process *p)
{
    return w->p->rank == RANK_UNKNOWN || p->rank == w->p->rank;
}

static void add_item(struct place_listing *w, const char *heading, struct str text)
{
    if (!w->headed) {
        text_str(w->t, TEXT_BOLD, str_of(heading));
        text_newline(w->t);
    }
    w->headed = true;
    w->found++;
    text_paragraph(w->t, STR("  "), TEXT_PLAIN, 4, TEXT_PLAIN, text);
}

static struct str name_of(struct place_listing *w, const struct compile *c)
{
    return format_compile(w->t->arena, c);
}

static bool spot_here(const struct place_listing *w, const struct finding *f)
{
    vec_each(const struct finding_spot, spot, &f->spots) if (is_here(w, spot->file, spot->line)) return true;
    return is_here(w, f->file, f->line);
}

static void list_findings(struct place_listing *w)
{
    const struct findings *all = w->answers->findings;

    for (size_t i = 0; i < all->list.n; i++) {
        const struct finding *f = all->list.v[i];

        if (!spot_here(w, f) || (w->p->rank != RANK_UNKNOWN && f->rank != RANK_UNKNOWN && f->rank != w->p->rank))
            continue;
        add_item(w, "Findings",
                 arena_printf(w->t->arena, "%s %.*s: %.*s%s%.*s", finding_severity_name(f->severity), STR_ARG(f->id),
                              STR_ARG(f->title), f->fix.n ? ". " : "", STR_ARG(f->fix)));
    }
}

static void list_breaks(struct place_listing *w)
{
    const struct break_groups *all = &w->answers->breaks;

    for (size_t i = 0; i < all->list.n; i++)
        for (size_t k = 0; k < all->list.v[i]->members.n; k++) {
            const struct graph_break *b = all->list.v[i]->members.v[k];
            bool own = all->list.v[i]->own && is_here(w, all->list.v[i]->own->file, all->list.v[i]->own->line);

            if (is_asked(w, b->compile->process) && (own || is_here(w, b->file, b->line)))
                add_item(w, "Graph breaks",
                         arena_printf(w->t->arena, "%.*s %.*s%s%.*s", STR_ARG(name_of(w, b->compile)), STR_ARG(b->type),
                                      b->explanation.n ? ": " : "", STR_ARG(b->explanation)));
        }
}

static void list_recompiles(struct place_listing *w)
{
    const struct recompiles *all = &w->answers->recompiles;

    for (size_t i = 0; i < all->list.n; i++) {
        const struct recompile *rc = all->list.v[i];
        const struct frame *frame = rc->compile->frame;

        vec_each(const struct guard_reason, g, &rc->reasons) if (is_asked(w, rc->compile->process) &&
                                                                 (is_here(w, g->user_file, g->user_line) ||
                                                                  (frame && is_here(w, frame->file, frame->line))))
            add_item(w, "Recompiles",
                     arena_printf(w->t->arena, "%.*s, as %.*s did not fit: %.*s", STR_ARG(name_of(w, rc->compile)),
                                  STR_ARG(g->against), STR_ARG(g->words)));
    }
}

static void list_errors(struct place_listing *w)
{
    const struct errors *all = &w->answers->errors;

    for (size_t i = 0; i < all->list.n; i++) {
        const struct error *e = &all->list.v[i];
        const struct failure *f = e->failure;

        if (is_asked(w, f->compile->process) && is_here(w, e->own_file, e->own_line))
            add_item(w, "Errors",
                     arena_printf(w->t->arena, "%.*s %.*s%s%.*s", STR_ARG(name_of(w, f->compile)), STR_ARG(f->type),
                                  f->type.n ? ": " : "", STR_ARG(f->message)));
    }
}

static bool calls_from_here(const struct place_listing *w, const struct compile *c)
{
    for (const struct call *call = c->stack; call; call = call->parent)
        if (is_here(w, call->file, call->line))
            return true;
    return false;
}

static void list_compiles(struct place_listing *w)
{
    const struct compile *c;

    for (struct compile_walk walk = {.run = w->answers->run}; (c = compile_next(&walk));) {
        if (!c->frame || !is_asked(w, c->process))
            continue;
        if (is_here(w, c->frame->file, c->frame->line))
            add_item(w, "Compiles",
                     arena_printf(w->t->arena, "%.*s of %.*s, which begins here", STR_ARG(name_of(w, c)),
                                  STR_ARG(c->frame->name)));
        else if (calls_from_here(w, c))
            add_item(w, "Compiles",
                     arena_printf(w->t->arena, "%.*s of %.*s, called from here", STR_ARG(name_of(w, c)),
                                  STR_ARG(c->frame->name)));
    }
}

int show_place_write(struct text *t, const struct answers *answers, const struct show_place *p)
{
    static void (*const sections[])(struct place_listing *) = {list_findings, list_errors, list_breaks, list_recompiles,
                                                               list_compiles};
    struct place_listing w = {.t = t, .answers = answers, .p = p};

    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        w.headed = false;
        sections[i](&w);
    }
    return w.found;
}
