#include "text/python/value_machine.h"

/* --- the stack ---------------------------------------------------------------------------------------------------- */

struct slot machine_pop(struct machine *m)
{
    return m->stack.n ? m->stack.v[--m->stack.n] : (struct slot){0};
}

void machine_push(struct machine *m, struct slot s)
{
    if (m->stack.n < MACHINE_DEPTH_MAX)
        m->stack.v[m->stack.n++] = s;
}

/* The n-th from the top, from 1. */
struct slot *machine_peek(struct machine *m, int64_t n)
{
    return n > 0 && (size_t)n <= m->stack.n ? &m->stack.v[m->stack.n - (size_t)n] : &m->nothing;
}

/* The value goes on; what it was called does not matter any more. */
bool machine_follows(enum value_kind kind)
{
    return kind > VALUE_ITEMS;
}

void machine_push_kind(struct machine *m, enum value_kind kind)
{
    machine_push(m, (struct slot){.kind = kind});
}

/* --- variables ---------------------------------------------------------------------------------------------------- */

static struct local *local_of(struct machine *m, struct str name)
{
    for (size_t i = 0; i < m->locals_n; i++)
        if (str_eq(m->locals[i].name, name))
            return &m->locals[i];
    return NULL;
}

void machine_store(struct machine *m, struct str name, enum value_kind kind)
{
    struct local *x = local_of(m, name);

    if (!x && kind != VALUE_OTHER && m->locals_n < MACHINE_LOCALS_MAX) {
        x = &m->locals[m->locals_n++];
        x->name = name;
    }
    if (x)
        x->kind = kind;
    if (m->out->name.n == 0 && (kind == VALUE_NUMBER || kind == VALUE_NUMBERS || kind == VALUE_SIZED))
        m->out->name = name;
}

enum value_kind machine_load(struct machine *m, struct str name)
{
    const struct local *x = local_of(m, name);

    return x ? x->kind : VALUE_OTHER;
}

/* --- jumps -------------------------------------------------------------------------------------------------------- */

static struct label *label_of(struct machine *m, struct str name)
{
    for (size_t i = 0; i < m->labels_n; i++)
        if (str_eq(m->labels[i].name, name))
            return &m->labels[i];
    return NULL;
}

void machine_note_jump(struct machine *m, const struct instruction *from)
{
    struct str target = bytecode_target(from);
    struct label *x;

    if (target.n == 0 || label_of(m, target) || m->labels_n == MACHINE_LABELS_MAX)
        return;
    x = &m->labels[m->labels_n++];
    *x = (struct label){target, ARENA_ARRAY(m->arena, struct slot, m->stack.n + 1), m->stack.n,
                        str_eq(from->name, STR("FOR_ITER"))};
    for (size_t i = 0; i < x->n; i++)
        x->v[i] = m->stack.v[i];
}

/* Two ways lead here: what follows on either follows. Before Python 3.12, nothing of a loop is left behind it. */
void machine_arrive(struct machine *m, const struct instruction *at)
{
    const struct label *x = at->label.n ? label_of(m, at->label) : NULL;
    size_t n = x ? x->n : 0;

    if (!x)
        return;
    if (x->of_loop && !str_eq(at->name, STR("END_FOR")))
        n -= n < 2 ? n : 2;
    if (!m->alive)
        m->stack.n = 0;
    for (size_t i = 0; i < n; i++) {
        if (!m->alive)
            machine_push(m, x->v[i]);
        else if (i < m->stack.n && m->stack.v[i].kind == VALUE_OTHER)
            m->stack.v[i] = x->v[i];
    }
    m->alive = true;
}

/* --- uses --------------------------------------------------------------------------------------------------------- */

void machine_need(struct machine *m, const struct instruction *x, enum value_use use, struct str what)
{
    if (m->out->use != USE_OTHER)
        return;
    m->out->use = use;
    m->out->line = x->line;
    m->out->what = what;
}

void machine_doubt(struct machine *m, const struct instruction *x, struct str what)
{
    if (m->out->unsure_line)
        return;
    m->out->unsure_line = x->line;
    m->out->unsure = what;
}

bool machine_is_number(enum value_kind kind)
{
    return kind == VALUE_NUMBER || kind == VALUE_NUMBERS || kind == VALUE_TRUTH || kind == VALUE_INDICES;
}

enum value_kind machine_take(struct machine *m, int64_t n)
{
    enum value_kind all = VALUE_OTHER;

    for (; n > 0 && m->stack.n; n--) {
        enum value_kind kind = machine_pop(m).kind;

        if (!machine_is_number(all) && machine_follows(kind))
            all = kind;
    }
    return all;
}
