#include "text/python/bytecode_use.h"

#include "text/python/value_calls.h"

/* --- operators ---------------------------------------------------------------------------------------------------- */

static enum value_kind kind_of_two(enum value_kind a, enum value_kind b)
{
    if (a == VALUE_SIZED || b == VALUE_SIZED || b == VALUE_SLICE)
        return VALUE_SIZED;
    return machine_follows(a) || machine_follows(b) ? VALUE_DERIVED : VALUE_OTHER;
}

static void operate(struct machine *m, const struct instruction *x)
{
    struct slot b = machine_pop(m), a = machine_pop(m);
    bool numbers = (a.kind == VALUE_NUMBER || a.is_constant) && (b.kind == VALUE_NUMBER || b.is_constant);

    if (a.is_text && b.kind == VALUE_NUMBER)
        machine_need(m, x, USE_TEXT, (struct str){0});
    if ((a.kind == VALUE_ITEMS && b.kind == VALUE_NUMBER) || (b.kind == VALUE_ITEMS && a.kind == VALUE_NUMBER))
        machine_need(m, x, USE_LOOP, (struct str){0});
    if (numbers && (machine_follows(a.kind) || machine_follows(b.kind)))
        machine_push_kind(m, VALUE_NUMBER);
    else
        machine_push_kind(m, kind_of_two(a.kind, b.kind));
}

static void compare(struct machine *m)
{
    struct slot b = machine_pop(m), a = machine_pop(m);
    enum value_kind kind = kind_of_two(a.kind, b.kind);

    machine_push_kind(m, a.is_text || b.is_text ? VALUE_OTHER : kind == VALUE_DERIVED ? VALUE_TRUTH : kind);
}

static bool has_items(const struct machine *m, const struct slot *s)
{
    return s->kind == VALUE_ITEMS || s->kind == VALUE_NUMBERS ||
           (s->kind == VALUE_OTHER && s->name.n && m->read->has_items && m->read->has_items(m->read->context, s->name));
}

/* What a number chooses from must not be a list; one of several indices must not be a number at all. */
static void check_index(struct machine *m, const struct instruction *x, const struct slot *items, enum value_kind key)
{
    if (key == VALUE_INDICES)
        machine_need(m, x, USE_AMONG, items->name);
    else if ((key == VALUE_NUMBER || key == VALUE_SLICE) && has_items(m, items))
        machine_need(m, x, USE_INDEX, items->name);
}

static void subscribe(struct machine *m, const struct instruction *x)
{
    struct slot key = machine_pop(m), items = machine_pop(m);

    check_index(m, x, &items, key.kind);
    if (x->line == m->read->line && m->read->kind == VALUE_SIZED && m->read->callee.n == 0) {
        m->out->found = true;
        machine_push_kind(m, VALUE_SIZED);
    } else if (items.kind == VALUE_NUMBERS && !machine_follows(key.kind)) {
        machine_push_kind(m, str_has(key.name, STR("slice")) || key.kind == VALUE_ITEMS ? VALUE_NUMBERS : VALUE_NUMBER);
    } else {
        machine_push(
            m, (struct slot){.kind = kind_of_two(items.kind, key.kind), .name = items.name, .owner = items.owner});
    }
}

/* --- what is built ------------------------------------------------------------------------------------------------ */

static void build_slice(struct machine *m, const struct instruction *x)
{
    bool value = false;

    if (x->argument == 3 && machine_pop(m).kind == VALUE_NUMBER)
        machine_need(m, x, USE_CALL, STR("slice"));
    for (unsigned i = 0; i < 2; i++)
        value |= machine_follows(machine_pop(m).kind);
    machine_push(m, (struct slot){.kind = value ? VALUE_SLICE : VALUE_OTHER, .name = STR("slice")});
}

/* Keys of a dict lie below its values. */
static void build_map(struct machine *m, const struct instruction *x)
{
    bool value = false, number = false;

    for (int64_t i = 0; i < x->argument && m->stack.n; i++) {
        enum value_kind kind = machine_pop(m).kind;

        value |= machine_follows(kind);
        number |= machine_is_number(kind);
        if (machine_pop(m).kind == VALUE_NUMBER)
            machine_need(m, x, USE_KEY, (struct str){0});
    }
    machine_push_kind(m, number ? VALUE_NUMBERS : value ? VALUE_DERIVED : VALUE_ITEMS);
}

/* Into the list or set that lies below; of a dict, the key as well. */
static void add_item(struct machine *m, const struct instruction *x)
{
    enum value_kind kind = machine_pop(m).kind;
    bool map = str_eq(x->name, STR("MAP_ADD"));
    struct slot *to;

    if ((map ? machine_pop(m).kind : str_eq(x->name, STR("SET_ADD")) ? kind : VALUE_OTHER) == VALUE_NUMBER)
        machine_need(m, x, USE_KEY, (struct str){0});
    to = machine_peek(m, x->argument);
    if (machine_follows(kind))
        to->kind = !map && machine_is_number(kind) ? VALUE_NUMBERS : VALUE_DERIVED;
}

static void build(struct machine *m, const struct instruction *x)
{
    bool tuple = str_eq(x->name, STR("BUILD_TUPLE")), list = str_eq(x->name, STR("BUILD_LIST"));
    enum value_kind parts = machine_take(m, x->argument);

    if (str_eq(x->name, STR("BUILD_SET")) && machine_is_number(parts))
        machine_need(m, x, USE_KEY, (struct str){0});
    if (tuple && machine_is_number(parts))
        machine_push_kind(m, VALUE_INDICES);
    else if (list && machine_is_number(parts))
        machine_push_kind(m, VALUE_NUMBERS);
    else
        machine_push_kind(m, parts ? VALUE_DERIVED : VALUE_ITEMS);
}

/* --- loops and jumps ---------------------------------------------------------------------------------------------- */

static void iterate(struct machine *m, const struct instruction *x)
{
    enum value_kind kind = machine_pop(m).kind;

    if (kind == VALUE_RANGE || kind == VALUE_SIZED)
        machine_need(m, x, USE_LOOP, (struct str){0});
    else if (kind == VALUE_DERIVED)
        machine_doubt(m, x, (struct str){0});
    machine_push_kind(m, kind);
}

static void take_next(struct machine *m, const struct instruction *x)
{
    enum value_kind kind = machine_peek(m, 1)->kind;

    machine_push_kind(m, kind == VALUE_NUMBERS ? VALUE_NUMBER : kind == VALUE_ITEMS ? VALUE_OTHER : kind);
    machine_note_jump(m, x);
}

/* `assert n > 0` is a branch as well, which Dynamo turns into a check of the graph. */
static bool is_assertion(struct bytecode b)
{
    struct instruction x = {0};

    while (bytecode_next(&b, &x) && str_eq(x.name, STR("NOT_TAKEN")))
        ;
    return str_eq(x.name, STR("LOAD_ASSERTION_ERROR")) || str_has(x.detail, STR("AssertionError"));
}

static void jump_if(struct machine *m, const struct instruction *x, const struct bytecode *rest)
{
    bool keeps = str_has(x->name, STR("_OR_POP"));
    enum value_kind kind = machine_peek(m, 1)->kind;

    if (str_has(x->name, STR("NONE")) || is_assertion(*rest))
        kind = VALUE_OTHER;
    if (kind == VALUE_DERIVED)
        machine_doubt(m, x, (struct str){0});
    else if (machine_follows(kind) && kind != VALUE_NUMBERS)
        machine_need(m, x, USE_BRANCH, (struct str){0});
    if (keeps)
        machine_note_jump(m, x);
    machine_pop(m);
    if (!keeps)
        machine_note_jump(m, x);
}

/* What a round of a loop has put into a list is in it when the loop ends. */
static void note_round(struct machine *m)
{
    for (size_t k = 0; k < m->labels_n; k++)
        for (size_t i = 0; m->labels[k].of_loop && i < m->labels[k].n && i < m->stack.n; i++)
            if (!machine_follows(m->labels[k].v[i].kind))
                m->labels[k].v[i].kind = m->stack.v[i].kind;
}

static void end_of_flow(struct machine *m, const struct instruction *x)
{
    struct str target = bytecode_target(x);

    if (str_eq(x->name, STR("RETURN_VALUE")) && machine_follows(machine_peek(m, 1)->kind) &&
        m->out->returned == VALUE_OTHER)
        m->out->returned = machine_peek(m, 1)->kind;
    if (m->prologue && target.n) { /* the function itself begins here */
        m->prologue = false;
        m->stack.n = 0;
        return;
    }
    if (str_starts(x->name, STR("JUMP_BACKWARD")) || str_eq(x->name, STR("JUMP_ABSOLUTE")))
        note_round(m);
    machine_note_jump(m, x);
    m->alive = false;
}

/* --- instructions ------------------------------------------------------------------------------------------------- */

/* "sum" of "sum + NULL|self", "NULL + torch" */
static struct str name_in(struct str detail)
{
    ptrdiff_t at = str_find(detail, STR(" + "));

    if (at < 0)
        return detail;
    return str_starts(detail, STR("NULL")) ? str_skip(detail, (size_t)at + 3) : str_take(detail, (size_t)at);
}

static void load_two(struct machine *m, struct str names)
{
    while (names.n) {
        struct str name = str_trim(str_split(&names, ','));

        machine_push(m, (struct slot){.kind = machine_load(m, name), .name = name});
    }
}

static void load_variable(struct machine *m, const struct instruction *x)
{
    bool first = str_starts(x->detail, STR("NULL")), constant = str_eq(x->name, STR("LOAD_CONST"));
    struct str name = name_in(x->detail);
    bool text = constant && name.n && (name.p[0] == '\'' || name.p[0] == '"');

    constant |= str_eq(x->name, STR("LOAD_SMALL_INT"));
    if (first)
        machine_push(m, (struct slot){.is_null = true});
    machine_push(m, (struct slot){.kind = constant ? VALUE_OTHER : machine_load(m, name),
                                  .name = name,
                                  .is_constant = constant,
                                  .is_text = text});
    if (!first && str_has(x->detail, STR(" + NULL")))
        machine_push(m, (struct slot){.is_null = true});
}

/* Of a tensor: attributes that are not known before the graph runs. */
static enum value_kind attribute_kind(enum value_kind object, struct str name)
{
    static const struct str plain[] = {STR_INIT("dtype"),  STR_INIT("device"),        STR_INIT("ndim"),
                                       STR_INIT("layout"), STR_INIT("requires_grad"), STR_INIT("is_cuda")};

    if (str_eq(name, STR("shape")))
        return object == VALUE_SIZED ? VALUE_NUMBERS : VALUE_OTHER;
    return str_is_any(name, plain, sizeof plain / sizeof *plain) || !machine_follows(object) ? VALUE_OTHER : object;
}

static void load_attribute(struct machine *m, const struct instruction *x)
{
    bool method = str_eq(x->name, STR("LOAD_METHOD")) || str_has(x->detail, STR("NULL|self"));
    struct slot object = machine_pop(m);
    struct str name = name_in(x->detail), owner = object.name.n ? object.name : STR(".");

    machine_push(
        m,
        (struct slot){.kind = method ? VALUE_OTHER : attribute_kind(object.kind, name), .name = name, .owner = owner});
    if (method)
        machine_push(m, object);
}

static void store_variables(struct machine *m, const struct instruction *x)
{
    struct str names = x->detail, first = str_trim(str_split(&names, ',')), second = str_trim(names);

    machine_store(m, first, machine_pop(m).kind);
    if (str_eq(x->name, STR("STORE_FAST_STORE_FAST")))
        machine_store(m, second, machine_pop(m).kind);
    else if (str_eq(x->name, STR("STORE_FAST_LOAD_FAST")))
        machine_push(m, (struct slot){.kind = machine_load(m, second), .name = second});
    m->prologue |= str_has(x->detail, STR("is_tracing_resume_prologue"));
}

static void shuffle(struct machine *m, const struct instruction *x)
{
    if (str_eq(x->name, STR("COPY"))) {
        machine_push(m, *machine_peek(m, x->argument));
    } else if (str_eq(x->name, STR("SWAP")) || str_eq(x->name, STR("ROT_TWO"))) {
        int64_t n = str_eq(x->name, STR("SWAP")) ? x->argument : 2;
        struct slot top = *machine_peek(m, 1);

        if (n > 1 && (size_t)n <= m->stack.n) {
            *machine_peek(m, 1) = *machine_peek(m, n);
            *machine_peek(m, n) = top;
        }
    } else {
        machine_push(m, *machine_peek(m, 1)); /* DUP_TOP */
    }
}

static void unpack(struct machine *m, int64_t n)
{
    enum value_kind kind = machine_pop(m).kind, part = kind == VALUE_NUMBERS   ? VALUE_NUMBER
                                                       : machine_follows(kind) ? VALUE_DERIVED
                                                                               : VALUE_OTHER;

    for (; n > 0; n--)
        machine_push_kind(m, part);
}

/* x[a:b], whose parts are no slice since Python 3.12; STORE_SLICE has a value below. */
static void slice(struct machine *m, const struct instruction *x)
{
    bool stop = machine_follows(machine_pop(m).kind), start = machine_follows(machine_pop(m).kind);
    struct slot items = machine_pop(m);
    enum value_kind key = start || stop ? VALUE_SLICE : VALUE_OTHER;

    check_index(m, x, &items, key);
    if (str_eq(x->name, STR("STORE_SLICE")))
        machine_pop(m);
    else
        machine_push_kind(m, items.kind == VALUE_NUMBERS ? items.kind : kind_of_two(items.kind, key));
}

static void store_item(struct machine *m, const struct instruction *x)
{
    struct slot key = machine_pop(m), items = machine_pop(m);

    machine_pop(m);
    check_index(m, x, &items, key.kind);
}

/* All others: what they leave is made of what they take. */
static bool take_and_leave(struct machine *m, const struct instruction *x)
{
    int64_t takes, leaves;
    enum value_kind parts;
    bool function = str_has(x->name, STR("FUNCTION")), text = str_starts(x->name, STR("FORMAT_"));

    if (!bytecode_effect(m->python, x, &takes, &leaves))
        return false;
    parts = machine_take(m, takes);
    if (function && parts)
        machine_doubt(m, x, (struct str){0}); /* one that has the number in it, or is called with *args */
    if (str_eq(x->name, STR("UNARY_NOT")) && parts && parts != VALUE_NUMBERS)
        machine_need(m, x, USE_BRANCH, (struct str){0});
    if (str_eq(x->name, STR("IS_OP")))
        parts = VALUE_OTHER;
    for (; leaves > 0; leaves--)
        machine_push_kind(m, takes == 1 && !text ? parts : parts ? VALUE_DERIVED : VALUE_OTHER);
    return true;
}

/* Instructions whose operands matter; others only take and leave. */
static bool is_among(struct str name, const char *names)
{
    struct str rest = str_of(names);

    while (rest.n)
        if (str_eq(str_split(&rest, ' '), name))
            return true;
    return false;
}

static bool step_call(struct machine *m, const struct instruction *x)
{
    struct str name = x->name;

    if (is_among(name, "CALL CALL_METHOD"))
        value_call(m, x, x->argument, true);
    else if (is_among(name, "CALL_FUNCTION"))
        value_call(m, x, x->argument, false);
    else if (is_among(name, "CALL_KW"))
        value_call(m, x, x->argument + 1, true);
    else if (is_among(name, "CALL_FUNCTION_KW"))
        value_call(m, x, x->argument + 1, false);
    else
        return false;
    return true;
}

static bool step_variable(struct machine *m, const struct instruction *x)
{
    struct str name = x->name;

    if (is_among(name, "LOAD_ATTR LOAD_METHOD"))
        load_attribute(m, x);
    else if (is_among(name, "LOAD_SUPER_ATTR LOAD_SPECIAL LOAD_FROM_DICT_OR_DEREF LOAD_FROM_DICT_OR_GLOBALS"))
        return false;
    else if (str_has(name, STR("LOAD_FAST_LOAD_FAST")) || str_has(name, STR("BORROW_LOAD_FAST")))
        load_two(m, x->detail);
    else if (str_starts(name, STR("LOAD_")))
        load_variable(m, x);
    else if (str_starts(name, STR("STORE_FAST")) || is_among(name, "STORE_DEREF STORE_NAME"))
        store_variables(m, x);
    else if (is_among(name, "PUSH_NULL"))
        machine_push(m, (struct slot){.is_null = true});
    else if (is_among(name, "COPY SWAP ROT_TWO DUP_TOP"))
        shuffle(m, x);
    else
        return false;
    return true;
}

static bool step_operator(struct machine *m, const struct instruction *x)
{
    struct str name = x->name;

    if (is_among(name, "BINARY_SUBSCR") || (is_among(name, "BINARY_OP") && str_eq(x->detail, STR("[]"))))
        subscribe(m, x);
    else if (is_among(name, "BINARY_SLICE STORE_SLICE"))
        slice(m, x);
    else if (str_starts(name, STR("BINARY_")) || str_starts(name, STR("INPLACE_")))
        operate(m, x);
    else if (is_among(name, "COMPARE_OP CONTAINS_OP"))
        compare(m);
    else if (is_among(name, "STORE_SUBSCR"))
        store_item(m, x);
    else if (is_among(name, "BUILD_SLICE"))
        build_slice(m, x);
    else if (is_among(name, "BUILD_MAP"))
        build_map(m, x);
    else if (is_among(name, "BUILD_TUPLE BUILD_LIST BUILD_SET"))
        build(m, x);
    else if (is_among(name, "LIST_APPEND LIST_EXTEND SET_ADD SET_UPDATE DICT_UPDATE DICT_MERGE MAP_ADD"))
        add_item(m, x);
    else if (is_among(name, "UNPACK_SEQUENCE"))
        unpack(m, x->argument);
    else
        return false;
    return true;
}

static bool step_jump(struct machine *m, const struct instruction *x, const struct bytecode *rest)
{
    struct str name = x->name;

    if (is_among(name, "GET_ITER"))
        iterate(m, x);
    else if (is_among(name, "FOR_ITER"))
        take_next(m, x);
    else if (str_starts(name, STR("POP_JUMP")) || str_starts(name, STR("JUMP_IF")))
        jump_if(m, x, rest);
    else if (str_starts(name, STR("JUMP_")) || is_among(name, "RETURN_VALUE RETURN_CONST RAISE_VARARGS RERAISE"))
        end_of_flow(m, x);
    else
        return false;
    return true;
}

static bool step(struct machine *m, const struct instruction *x, const struct bytecode *rest)
{
    return step_call(m, x) || step_variable(m, x) || step_operator(m, x) || step_jump(m, x, rest) ||
           take_and_leave(m, x);
}

void bytecode_use_find(struct str text, const struct bytecode_read *read, struct bytecode_use *out)
{
    struct arena *arena = arena_new();
    struct machine *m = ARENA_NEW(arena, struct machine);
    struct bytecode code;
    struct instruction x;
    bool known = true;

    *out = (struct bytecode_use){0};
    bytecode_open(text, &code);
    *m = (struct machine){.arena = arena, .read = read, .out = out, .python = code.python, .alive = true};
    for (size_t i = 0; known && out->use == USE_OTHER && bytecode_next(&code, &x); i++) {
        machine_arrive(m, &x);
        if (m->alive)
            known = i < MACHINE_INSTRUCTIONS_MAX && step(m, &x, &code);
    }
    out->found &= known;
    arena_free(arena);
}
