#include "torchlog/apply/unnamed.h"

#include "torchlog/apply/apply.h"

enum { FRAME_BASE = -2 }; /* frames that are numbered at the end are -2, -3, … until then */

static bool is_limit(struct str text)
{
    return str_starts(text, STR("torch._dynamo hit "));
}

/* "    - 0/3: reason", "   last reason: 0/0: reason" */
static bool take_against(struct str line, struct compile_id *id)
{
    int attempt;

    line = str_trim(line);
    if (!str_consume(&line, STR("- ")) && !str_consume(&line, STR("last reason: ")))
        return false;
    return compile_id_take(&line, id, &attempt) && str_starts(line, STR(": "));
}

/* The recompile that hit the limit is one more than the limit allows: [0/8] for 8. */
static bool limit_of(struct str text, int32_t *limit)
{
    struct str number;
    uint64_t n;

    if (!str_between(str_split(&text, '\n'), STR("("), STR(")"), &number) || !str_u64(number, &n) ||
        n > LIMIT_COMPILE_NUMBER)
        return false;
    *limit = (int32_t)n;
    return true;
}

bool unnamed_id(const struct record *rec, struct compile_id *id)
{
    struct compile_id newest = COMPILE_ID_NONE, against;
    struct str rest = rec->text, line;

    while (str_next_line(&rest, &line))
        if (take_against(line, &against) && against.compile > newest.compile)
            newest = against;
    if (compile_id_is_none(newest) || (is_limit(rec->text) && !limit_of(rec->text, &newest.compile)))
        return false;
    newest.compile += !is_limit(rec->text);
    *id = newest;
    return true;
}

/* --- without any id ----------------------------------------------------------------------------------------------- */

/* Every compile before this one has a line with the guard that failed. */
static int32_t count_reasons(struct str text)
{
    struct str line;
    int32_t n = 0;

    while (str_next_line(&text, &line) && n < LIMIT_COMPILE_NUMBER) {
        bool mark = str_starts(line, STR("    - "));

        line = str_skip(line, 6);
        n += mark && !str_starts(line, STR("  ")) && !str_starts(line, STR("User stack trace:"));
    }
    return n;
}

/* The log of 2.1 names one guard, however many compiles there are, so that its recompiles can only be counted. */
static bool is_of_one(struct str text)
{
    return str_has(text, STR("triggered by the following guard failure:"));
}

/* The first nightlies of 2.1 do not name the line. */
static bool same(const struct log_frame *a, const struct log_frame *b)
{
    return str_eq(a->function, b->function) && str_eq(a->file, b->file) &&
           (a->line == b->line || a->line == 0 || b->line == 0);
}

static struct unnamed_frame *newest_of(struct unnamed *u, const struct log_frame *named)
{
    for (size_t i = u->frames.n; i-- > 0;)
        if (same(&u->frames.v[i].named, named))
            return &u->frames.v[i];
    return NULL;
}

/* Numbers that do not go up are those of another frame: torch._dynamo.reset() was called. */
static struct compile *own_compile(struct unnamed *u, struct arena *a, const struct record *rec,
                                   const struct log_frame *named, int32_t number)
{
    struct unnamed_frame *f = newest_of(u, named);
    struct compile_id id = {.autograd = ID_NONE, .compile = number};
    struct compile *c;

    if (!f || f->last >= number) {
        f = vec_add(a, &u->frames);
        f->named = *named;
    }
    f->last = number;
    id.frame = FRAME_BASE - (int32_t)(f - u->frames.v);
    c = reading_compile(rec->reading, rec->state, id, START_NONE, rec->line);
    c->started = true;
    c->first_us = c->last_us = rec->time_us;
    return c;
}

static void apply_to(struct record rec, struct compile *c)
{
    rec.compile = c;
    rec.id = c->id;
    if (is_limit(rec.text))
        apply_log_limit(&rec);
    else
        apply_log_recompile(&rec);
}

static int32_t number_of(struct unnamed *u)
{
    const struct unnamed_frame *f = is_of_one(u->record.text) ? newest_of(u, &u->named) : NULL;
    int32_t n = f ? f->last + 1 : count_reasons(u->record.text);

    return n <= LIMIT_COMPILE_NUMBER ? n : 1;
}

static struct compile *release(struct unnamed *u, struct arena *a)
{
    int32_t n = number_of(u);
    struct compile *c = own_compile(u, a, &u->record, &u->named, n > 0 ? n : 1);

    if (u->recompiles++ == 0)
        record_message(&u->record, MSG_NO_COMPILE_ID,
                       "recompiles without a compile id; their frames are numbered after the others");
    u->held = false;
    apply_to(u->record, c);
    return c;
}

static void take_limit(struct unnamed *u, struct arena *a, const struct record *rec, const struct log_frame *named)
{
    struct compile *c = u->held && same(&u->named, named) ? release(u, a) : NULL;
    int32_t limit = 1;

    if (!c) {
        limit_of(rec->text, &limit);
        c = own_compile(u, a, rec, named, limit);
    }
    apply_to(*rec, c);
}

void unnamed_take(struct unnamed *u, struct arena *a, const struct record *rec)
{
    struct log_frame named;
    struct record copy = *rec;

    copy.text = arena_str(a, rec->text);
    log_frame_take(copy.text, &named);
    if (is_limit(copy.text)) {
        take_limit(u, a, &copy, &named);
        return;
    }
    if (u->held)
        release(u, a);
    u->record = copy;
    u->named = named;
    u->held = true;
}

void unnamed_join(struct unnamed *u, const struct record *rec)
{
    struct log_frame named;

    if (!u->held || rec->id.compile <= 0 || rec->compile->reasons.n || !log_frame_take(rec->text, &named) ||
        !str_eq(named.function, u->named.function) || !str_eq(named.file, u->named.file))
        return;
    u->held = false;
    apply_to(u->record, rec->compile);
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

void unnamed_release(struct unnamed *u, struct arena *a)
{
    if (u->held)
        release(u, a);
}

void unnamed_number(const struct unnamed *u, struct process *p)
{
    int32_t next = 0;

    if (u->frames.n == 0)
        return;
    for (size_t i = 0; i < p->frames.n; i++)
        if (p->frames.v[i]->id >= next)
            next = p->frames.v[i]->id + 1;
    for (size_t i = 0; i < p->frames.n; i++) {
        struct frame *f = p->frames.v[i];

        if (f->id > FRAME_BASE)
            continue;
        f->unnumbered = true;
        f->id = next + FRAME_BASE - f->id;
        for (size_t k = 0; k < f->compiles.n; k++)
            f->compiles.v[k]->id.frame = f->id;
    }
}

/* --- graph breaks ------------------------------------------------------------------------------------------------- */

static bool calls(const struct call *stack, const struct frame *f)
{
    for (const struct call *c = stack; c; c = c->parent)
        if (str_eq(c->function, f->name) && str_eq(c->file, f->file))
            return true;
    return false;
}

static bool is_before(const struct graph_break *b, const struct compile *c)
{
    return c->artifacts.n && b->record_line < c->artifacts.v[0]->line;
}

/* The frame whose second compile was the first that a message named. */
static struct frame *frame_of(const struct process *p, const struct graph_break *b)
{
    for (size_t i = 0; i < p->frames.n; i++) {
        struct frame *f = p->frames.v[i];
        size_t second = f->compiles.n && f->compiles.v[0]->id.compile == 0;
        const struct compile *c = second < f->compiles.n ? f->compiles.v[second] : NULL;

        if (!f->unnumbered && f->name.n && c && c->id.compile == 1 && is_before(b, c) && calls(b->stack, f))
            return f;
    }
    return NULL;
}

static void put_first(struct compile **list, size_t n)
{
    struct compile *last = list[n - 1];

    memmove(list + 1, list, (n - 1) * sizeof *list);
    list[0] = last;
}

static struct compile *first_compile(struct reading *r, struct process_state *s, struct frame *f, uint64_t line)
{
    struct compile_id id = f->compiles.v[0]->id;
    struct compile *c = f->compiles.v[0];

    if (id.compile == 0)
        return c;
    id.compile = 0;
    c = reading_compile(r, s, id, START_NONE, line);
    put_first(f->compiles.v, f->compiles.n);
    put_first(s->process->compiles.v, s->process->compiles.n);
    for (size_t i = 0; i < s->process->compiles.n; i++)
        s->process->compiles.v[i]->index = (uint32_t)i;
    return c;
}

static void give_artifact(struct arena *a, struct compile *from, struct compile *to, const struct artifact *artifact)
{
    size_t kept = 0;

    for (size_t i = 0; i < from->artifacts.n; i++) {
        struct artifact *x = from->artifacts.v[i];

        if (x != artifact) {
            from->artifacts.v[kept++] = x;
            continue;
        }
        x->compile = to;
        vec_push(a, &to->artifacts, x);
    }
    from->artifacts.n = kept;
}

void unnamed_breaks(struct reading *r, struct process_state *s)
{
    enum { MOST = 1000 }; /* each looks through all frames */
    struct compile *nobody = s->process->unattributed;
    size_t kept = 0;

    for (size_t i = 0; i < nobody->breaks.n; i++) {
        struct graph_break *b = nobody->breaks.v[i];
        struct frame *f = b->origin == BREAK_FROM_RECORD && i < MOST ? frame_of(s->process, b) : NULL;

        if (!f) {
            nobody->breaks.v[kept++] = b;
            continue;
        }
        b->compile = first_compile(r, s, f, b->record_line);
        vec_push(r->in->arena, &b->compile->breaks, b);
        give_artifact(r->in->arena, nobody, b->compile, b->artifact);
    }
    nobody->breaks.n = kept;
}
