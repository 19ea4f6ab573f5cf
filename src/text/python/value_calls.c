#include "text/python/value_calls.h"

#include "text/python/number_calls.h"

/* A function, and what it is called with. */
struct call_of {
    struct slot callee, self; /* self: of a method */
    enum value_kind all;      /* what is in the arguments: the number, if any is one */
};

/* `x.item()`, `x.tolist()`, `int(x)`; not `x.int()`. */
static bool reads_value(const struct slot *callee)
{
    static const struct str methods[] = {STR_INIT("item"), STR_INIT("tolist")};
    static const struct str builtins[] = {STR_INIT("int"), STR_INIT("float"), STR_INIT("bool")};

    return callee->owner.n ? str_is_any(callee->name, methods, sizeof methods / sizeof *methods)
                           : str_is_any(callee->name, builtins, sizeof builtins / sizeof *builtins);
}

static bool is_read(const struct machine *m, const struct instruction *x, const struct slot *callee)
{
    if (x->line != m->read->line)
        return false;
    if (m->read->callee.n)
        return str_eq(callee->name, m->read->callee);
    return m->read->kind == VALUE_SIZED || reads_value(callee);
}

/* What a line that reads leaves on the stack. */
static enum value_kind kind_read(const struct machine *m, struct str name)
{
    return m->read->kind == VALUE_NUMBER && str_eq(name, STR("tolist")) ? VALUE_NUMBERS : m->read->kind;
}

/* What does not depend on the values of a tensor. */
static bool is_plain(struct str name)
{
    static const struct str names[] = {STR_INIT("dim"),       STR_INIT("isinstance"),        STR_INIT("hasattr"),
                                       STR_INIT("type"),      STR_INIT("is_floating_point"), STR_INIT("callable"),
                                       STR_INIT("ndimension")};

    return str_is_any(name, names, sizeof names / sizeof *names);
}

static bool is_size(struct str name)
{
    static const struct str names[] = {STR_INIT("size"), STR_INIT("numel"), STR_INIT("len"), STR_INIT("nelement")};

    return str_is_any(name, names, sizeof names / sizeof *names);
}

static enum value_kind value_read(struct machine *m, const struct instruction *x, struct str name)
{
    if (m->read->kind == VALUE_SIZED && m->out->read_line == 0)
        m->out->read_line = x->line;
    return str_eq(name, STR("tolist")) ? VALUE_NUMBERS : VALUE_NUMBER;
}

static enum value_kind call_with_tensor(struct machine *m, const struct instruction *x, const struct call_of *c)
{
    struct str name = c->callee.name;

    if (is_plain(name))
        return VALUE_OTHER;
    if (is_size(name))
        return c->all == VALUE_SIZED ? VALUE_NUMBER : VALUE_OTHER;
    if (reads_value(&c->callee))
        return value_read(m, x, name);
    return c->all;
}

static enum value_kind call_with_number(struct machine *m, const struct instruction *x, const struct call_of *c)
{
    static const enum value_use uses[] = {[NUMBER_NEEDED] = USE_CALL,
                                          [NUMBER_IN_TEXT] = USE_TEXT,
                                          [NUMBER_AS_KEY] = USE_KEY,
                                          [NUMBER_TESTED] = USE_BRANCH};
    enum number_call what = number_call_of(c->callee.owner, c->callee.name);

    switch (what) {
    case NUMBER_KEPT:
        return c->all == VALUE_TRUTH ? VALUE_TRUTH : VALUE_NUMBER;
    case NUMBER_LISTED:
        return VALUE_NUMBERS;
    case NUMBER_IGNORED:
        return VALUE_OTHER;
    case NUMBER_TAKEN:
        return VALUE_DERIVED;
    case NUMBER_AS_SIZE:
        return VALUE_SIZED;
    case NUMBER_UNKNOWN:
        machine_doubt(m, x, c->callee.name);
        return VALUE_DERIVED;
    default:
        machine_need(m, x, uses[what], c->callee.name);
        return VALUE_DERIVED;
    }
}

static enum value_kind result_of(struct machine *m, const struct instruction *x, const struct call_of *c)
{
    bool builtin = c->callee.owner.n == 0;

    if (c->all == VALUE_RANGE)
        machine_need(m, x, USE_LOOP, (struct str){0});
    if (c->callee.name.n == 0 && (machine_follows(c->self.kind) || c->all))
        machine_doubt(m, x, (struct str){0}); /* a comprehension */
    if (is_read(m, x, &c->callee) && !(c->all == VALUE_SIZED && (reads_value(&c->callee) || is_size(c->callee.name)))) {
        m->out->found = true;
        return kind_read(m, c->callee.name);
    }
    if (builtin && str_eq(c->callee.name, STR("len")) && c->all == VALUE_NUMBERS)
        return VALUE_OTHER;
    if (builtin && str_eq(c->callee.name, STR("range")) && machine_is_number(c->all))
        return VALUE_RANGE;
    if (machine_is_number(c->all))
        return call_with_number(m, x, c);
    if (machine_follows(c->all))
        return call_with_tensor(m, x, c);
    if (builtin && (str_eq(c->callee.name, STR("list")) || str_eq(c->callee.name, STR("dict"))))
        return VALUE_ITEMS;
    return machine_follows(c->self.kind) ? VALUE_DERIVED : VALUE_OTHER;
}

/* The function, and what stands beside it: nothing, or the object of a method. */
static void take_callee(struct machine *m, struct call_of *out)
{
    struct slot above = machine_pop(m), below = machine_pop(m);

    if (below.is_null) { /* until 3.12 */
        out->callee = above;
    } else if (above.is_null) {
        out->callee = below;
    } else {
        out->callee = below;
        out->self = above;
        if (out->all == VALUE_OTHER && machine_follows(above.kind) && !machine_is_number(above.kind))
            out->all = above.kind;
    }
}

void value_call(struct machine *m, const struct instruction *x, int64_t arguments, bool beside)
{
    struct call_of c = {.all = machine_take(m, arguments)};

    if (beside)
        take_callee(m, &c);
    else
        c.callee = machine_pop(m);
    machine_push_kind(m, result_of(m, x, &c));
}
