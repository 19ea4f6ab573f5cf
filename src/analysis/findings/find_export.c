/* Findings about problems that export recorded. */
#include "analysis/find/find.h"

#include "model/code_file.h"
#include "text/graphs/fx_graph.h"
#include "text/graphs/graph_ops.h"
#include "text/guards/guard_name.h"
#include "text/python/python_code.h"
#include "util/map.h"

/* --- fake kernels ------------------------------------------------------------------------------------------------- */

static bool is_name(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] | 0x20) >= 'a' && (s.p[i] | 0x20) <= 'z') && s.p[i] != '_' &&
            (i == 0 || s.p[i] < '0' || s.p[i] > '9'))
            return false;
    return s.n > 0 && !str_eq(s, STR("None")) && !str_eq(s, STR("True")) && !str_eq(s, STR("False"));
}

enum { PARAMETERS_MAX = 32 };

/* "x, 3, dim = 1" -> "x, argument2, dim". */
static struct str parameters_of(struct arena *a, struct str arguments)
{
    struct str out = {"", 0};

    for (int n = 1; arguments.n && n <= PARAMETERS_MAX; n++) {
        ptrdiff_t end = python_find(arguments, STR(", "), PYTHON_TOP_LEVEL);
        struct str one = end < 0 ? arguments : str_take(arguments, (size_t)end);
        ptrdiff_t equals = python_find(one, STR(" = "), PYTHON_TOP_LEVEL);

        one = equals > 0 ? str_take(one, (size_t)equals) : one;
        out = arena_printf(a, "%.*s%s%.*s", STR_ARG(out), out.n ? ", " : "",
                           STR_ARG(is_name(one) ? one : arena_printf(a, "argument%d", n)));
        arguments = end < 0 ? (struct str){0} : str_skip(arguments, (size_t)end + 2);
    }
    return out;
}

/* `before` and `after` enclose the first parameter in the expression that makes the result. */
static struct str fake_kernel_of(struct arena *a, struct str op, struct str arguments, const char *before,
                                 const char *after)
{
    struct str space = str_split(&op, '.'), name = str_split(&op, '.'), parameters, rest, first;

    if (!is_name(space) || !is_name(name))
        return (struct str){0};
    parameters = rest = arguments.n ? parameters_of(a, arguments) : STR("x, *args, **kwargs");
    first = str_split(&rest, ',');
    return arena_printf(a, "@torch.library.register_fake(\"%.*s::%.*s\")\ndef _(%.*s):\n    return %s%.*s%s",
                        STR_ARG(space), STR_ARG(name), STR_ARG(parameters), before, STR_ARG(first), after);
}

void finding_paste_fake_kernel(struct finder *f, struct finding *x, struct str op, struct str arguments)
{
    finding_paste(
        x, PASTE_PATTERN,
        fake_kernel_of(f->arena, op, arguments, "torch.empty_like(", ")   # shape, strides and dtype of the result"));
    finding_paste_at(x, NULL, STR("below the definition of the operator"));
}

/* --- export ------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *id, *fix;
} export_kinds[] = {
    [EXPORT_MISSING_FAKE_KERNEL] = {"missing-fake-kernel",
                                    "Register one that returns the shape and dtype of the result."},
    [EXPORT_MISMATCHED_FAKE_KERNEL] = {"wrong-fake-kernel",
                                       "Make the fake kernel return what the operator returns: sizes, strides, dtype."},
    [EXPORT_DATA_DEPENDENT] = {"data-dependent",
                               "State with torch._check(...) what is always true, or use torch.where or torch.cond."},
    [EXPORT_PROPAGATED] = {"data-dependent",
                           "The exported program raises an error for other inputs. If it is always true, state it "
                           "before the line; if not, let the graph decide: torch.where or torch.cond."},
    [EXPORT_GUARD] = {"export-guard",
                      "The line branches on a size that should be dynamic. Rewrite it, or leave that size out of "
                      "dynamic_shapes."},
};

/* `words` contain the condition, or the problem of the operator. */
static struct str export_title(struct arena *a, const struct export_issue *e, struct str words)
{
    switch (e->kind) {
    case EXPORT_MISSING_FAKE_KERNEL:
        return arena_printf(a, "Export: the operator `%.*s` has no fake kernel%.*s", STR_ARG(e->op), STR_ARG(words));
    case EXPORT_MISMATCHED_FAKE_KERNEL:
        return arena_printf(a, "Export: the fake kernel of `%.*s` disagrees with the real one: %.*s", STR_ARG(e->op),
                            STR_ARG(words));
    case EXPORT_DATA_DEPENDENT:
        return arena_printf(a, "Export: a condition depends on data: `%.*s`", STR_ARG(words));
    case EXPORT_PROPAGATED:
        return arena_printf(a, "Export assumes `%.*s`, as in the example inputs", STR_ARG(words));
    case EXPORT_GUARD:
        break;
    }
    return arena_printf(a, "The exported program is only valid if `%.*s`", STR_ARG(words));
}

/* A call of the operator in the exported program. */
struct op_call {
    struct str arguments, file, source;
    int64_t line;
};

/* price: "f32[u0]" = torch.ops.shop.price.default(x, 3);  x = None */
static bool read_call(struct finder *f, struct str op, struct str program, struct op_call *out)
{
    struct str start = arena_printf(f->arena, "torch.ops.%.*s(", STR_ARG(op)), place = {0};
    struct graph_op node;
    struct fx_place at;
    ptrdiff_t end;

    while (graph_op_next(&program, &place, &node)) {
        if (!str_consume(&node.call, start))
            continue;
        end = python_find(node.call, STR(")"), PYTHON_NOT_IN_STRING);
        fx_place_parse(node.place, &at);
        *out = (struct op_call){.arguments = arena_str(f->arena, str_take(node.call, end < 0 ? 0 : (size_t)end)),
                                .file = arena_str(f->arena, at.file),
                                .source = arena_str(f->arena, at.code),
                                .line = at.line};
        return true;
    }
    return false;
}

static struct op_call call_of(struct finder *f, const struct compile *c, struct str op)
{
    struct op_call out = {0};

    for (size_t i = 0; i < c->artifacts.n; i++)
        if (artifact_is(c->artifacts.v[i], ARTIFACT_EXPORTED_PROGRAM) &&
            read_call(f, op, finder_read(f, c->artifacts.v[i]), &out))
            break;
    return out;
}

/* Draft export names the operator; the program that it made shows where it is called, and with which arguments. */
static void describe_operator(struct finder *f, struct finding *x, const struct compile *c,
                              const struct export_issue *e)
{
    struct op_call call = call_of(f, c, e->op);

    x->title = export_title(f->arena, e, e->text);
    finding_paste_fake_kernel(f, x, e->op, call.arguments);
    if (e->kind == EXPORT_MISMATCHED_FAKE_KERNEL && x->paste.text.n) {
        finding_paste(x, PASTE_PATTERN,
                      fake_kernel_of(f->arena, e->op, call.arguments, "",
                                     ".new_empty(...)   # the shape, strides and dtype that the operator returns"));
        finding_paste_at(x, NULL, STR("instead of the registered fake kernel"));
    }
    if (x->file.n == 0) {
        x->file = call.file;
        x->line = call.line;
        x->source = call.source;
    }
}

/* It is about a value, not a condition: the number that the value had. */
static bool is_number(const struct export_issue *e)
{
    return e->result.n && !str_eq(e->result, STR("True")) && !str_eq(e->result, STR("False"));
}

/* A guard is shown without its line, because the line shows what the code asks, not what must be true. */
static void set_condition(struct arena *a, const struct export_issue *e, struct unknown_condition *out)
{
    const struct call *own = stack_user_call(e->user_stack);

    *out = (struct unknown_condition){.expression = e->text, .names = e->symbols};
    out->line = own && !is_framework_file(own->file) ? own : NULL;
    if (is_number(e))
        out->expression = arena_printf(a, "Eq(%.*s, %.*s)", STR_ARG(e->text), STR_ARG(e->result));
    else if (own && e->kind != EXPORT_GUARD)
        out->source = own->source;
}

static void describe_condition(struct finder *f, struct finding *x, const struct export_issue *e)
{
    bool held = !str_eq(e->result, STR("False")), known = e->kind != EXPORT_DATA_DEPENDENT && e->kind != EXPORT_GUARD;
    struct unknown_condition unknown;
    struct condition c;
    struct str words;

    set_condition(f->arena, e, &unknown);
    finding_condition(f->arena, &unknown, &c);
    words = c.holds.n == 0 ? e->text : held ? c.holds : c.fails;
    if (c.holds.n == 0 && !held)
        words = arena_printf(f->arena, "not (%.*s)", STR_ARG(e->text));
    x->title = export_title(f->arena, e, words);
    if (known && e->result.n)
        finding_paste_check(f, x, &unknown, held);
}

static void add_export_issue(struct finder *f, struct map *seen, const struct compile *c, const struct export_issue *e)
{
    void **slot = map_at(seen, arena_printf(f->arena, "%d %.*s %.*s", (int)e->kind, STR_ARG(e->op), STR_ARG(e->text)));
    struct finding *x = *slot;

    if (x)
        return;
    *slot = x = finding_add(f, export_kinds[e->kind].id, FINDING_HIGH);
    x->fix = str_of(export_kinds[e->kind].fix);
    finding_place(x, stack_user_call(e->user_stack));
    if (e->kind == EXPORT_MISSING_FAKE_KERNEL || e->kind == EXPORT_MISMATCHED_FAKE_KERNEL)
        describe_operator(f, x, c, e);
    else
        describe_condition(f, x, e);
    finding_evidence(f, x, c);
}

/* --- sizes of which only multiples fit ---------------------------------------------------------------------------- */

enum { FACTORS_MAX = 8 };

/* "512*s23*((s27//16))": 512, s23, and s27 // 16. */
struct product {
    int64_t number;
    struct str names[FACTORS_MAX];
    size_t n;
    struct str divided; /* s27; empty if nothing is divided */
    int64_t by;
};

static bool is_symbol(struct str s)
{
    return s.n > 1 && s.p[0] == 's' && is_name(s);
}

/* A whole number from 1; larger ones are not sizes. */
static bool read_number(struct str s, int64_t *out)
{
    return str_i64(s, out) && *out > 0 && *out < INT32_MAX;
}

static bool add_factor(struct product *out, struct str factor)
{
    ptrdiff_t slashes;
    int64_t number;

    while (str_starts(factor, STR("(")) && str_ends(factor, STR(")")))
        factor = str_drop(str_skip(factor, 1), 1);
    slashes = str_find(factor, STR("//"));
    if (read_number(factor, &number) && out->number < INT32_MAX) {
        out->number *= number;
        return true;
    }
    if (slashes > 0 && out->divided.n == 0) {
        out->divided = str_take(factor, (size_t)slashes);
        return is_symbol(out->divided) && read_number(str_skip(factor, (size_t)slashes + 2), &out->by);
    }
    if (!is_symbol(factor) || out->n == FACTORS_MAX)
        return false;
    out->names[out->n++] = factor;
    return true;
}

static bool read_product(struct str s, struct product *out)
{
    *out = (struct product){.number = 1};
    while (s.n)
        if (!add_factor(out, str_split(&s, '*')))
            return false;
    return true;
}

/* 32*s23*s27 is 512*s23*(s27//16) only for multiples of 16. */
static bool are_equal_for_multiples(const struct product *whole, const struct product *floored)
{
    size_t k = 0;
    bool left_out = false;

    if (whole->divided.n || floored->divided.n == 0 || floored->by < 2 || whole->n != floored->n + 1 ||
        whole->number * floored->by != floored->number)
        return false;
    for (size_t i = 0; i < whole->n; i++) {
        if (!left_out && str_eq(whole->names[i], floored->divided))
            left_out = true;
        else if (k == floored->n || !str_eq(whole->names[i], floored->names[k++]))
            return false;
    }
    return left_out;
}

/* "Eq(32*s23*s27, 512*s23*((s27//16)))" and "Eq(Mod(s27, 16), 0)": s27 must be a multiple of 16. */
static bool needs_multiple(struct str guard, struct str *symbol, int64_t *of)
{
    struct product a, b;
    ptrdiff_t comma;
    struct str first;

    if (!str_consume(&guard, STR("Eq(")) || !str_ends(guard, STR(")")))
        return false;
    guard = str_drop(guard, 1);
    comma = python_find(guard, STR(", "), PYTHON_TOP_LEVEL);
    if (comma < 0)
        return false;
    first = str_take(guard, (size_t)comma);
    guard = str_skip(guard, (size_t)comma + 2);
    if (str_consume(&first, STR("Mod(")) && str_ends(first, STR(")"))) {
        *symbol = str_split(&first, ',');
        return str_eq(guard, STR("0")) && is_symbol(*symbol) && read_number(str_trim(str_drop(first, 1)), of) &&
               *of > 1;
    }
    if (!read_product(first, &a) || !read_product(guard, &b))
        return false;
    *symbol = a.divided.n ? a.divided : b.divided;
    *of = a.divided.n ? a.by : b.by;
    return are_equal_for_multiples(&a, &b) || are_equal_for_multiples(&b, &a);
}

/* "Eq(s27, 16*s9)": the size was declared as a multiple. */
static bool is_declared(const struct compile *c, struct str symbol, int64_t of)
{
    vec_each(const struct shape_guard, g, &c->shape_guards)
    {
        struct str expr = g->expr;
        int64_t number;

        if (str_consume(&expr, STR("Eq(")) && str_consume(&expr, symbol) && str_consume(&expr, STR(", ")) &&
            read_number(str_split(&expr, '*'), &number) && number % of == 0 && str_ends(expr, STR(")")) &&
            is_symbol(str_drop(expr, 1)))
            return true;
    }
    return false;
}

static bool is_below_export(const struct call *c)
{
    for (; c; c = c->parent)
        if (code_file_has(c->file, STR("torch/export/")))
            return true;
    return false;
}

/* The size of an input of export whose range ends: it was declared with Dim. 1024 of "[2, 1024]". */
static const struct symbol *declared_size(const struct compile *c, struct str name, int64_t *most)
{
    vec_each(const struct symbol, s, &c->symbols)
    {
        struct str range = s->range;

        str_split(&range, ',');
        if (str_eq(s->name, name) && str_has(s->source, STR(".size()[")) && is_below_export(s->stack) &&
            str_ends(range, STR("]")) && read_number(str_trim(str_drop(range, 1)), most))
            return s;
    }
    return NULL;
}

/* The line of the model that needs it: the innermost of the program. */
static const struct call *line_of_model(const struct shape_guard *g)
{
    const struct call *c = g->stack;

    while (c && is_framework_file(c->file))
        c = c->parent;
    return c;
}

static void add_multiple(struct finder *f, struct map *seen, const struct compile *c, const struct shape_guard *g)
{
    const struct symbol *s;
    struct finding *x;
    struct str symbol, name, dim;
    int64_t of, most;
    void **slot;

    if (!needs_multiple(g->expr, &symbol, &of) || (s = declared_size(c, symbol, &most)) == NULL || of > most ||
        is_declared(c, symbol, of) || !str_between(s->source, STR(".size()["), STR("]"), &dim))
        return;
    slot = map_at(seen, arena_printf(f->arena, "multiple %.*s %lld", STR_ARG(symbol), (long long)of));
    if (*slot)
        return;
    name = guard_name(f->arena, str_take(s->source, (size_t)str_find(s->source, STR(".size()["))));
    *slot = x = finding_add(f, "export-guard", FINDING_HIGH);
    x->title =
        arena_printf(f->arena, "Export needs dimension %.*s of `%.*s` to be a multiple of %lld, and may have failed",
                     STR_ARG(dim), STR_ARG(name), (long long)of);
    x->fix = arena_printf(f->arena,
                          "The declared range, %.*s, has other sizes, so export most likely raised a "
                          "`ConstraintViolationError`. The trace does not record how an export ends; the output of the "
                          "program has the error. Declare a multiple, and pad inputs of other sizes before the call.",
                          STR_ARG(s->range));
    finding_paste(x, PASTE_PATTERN,
                  arena_printf(f->arena, "%lld * torch.export.Dim(\"n\", max=%lld)", (long long)of,
                               (long long)(most / of)));
    finding_paste_at(x, NULL, STR("instead of the `Dim` of this dimension"));
    finding_place(x, line_of_model(g));
    finding_evidence(f, x, c);
}

void find_export_issues(struct finder *f)
{
    const struct compile *c;
    struct map seen;

    map_init(&seen, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));) {
        vec_each(const struct export_issue, e, &c->export_issues) add_export_issue(f, &seen, c, e);
        if (c->export_issues.n == 0 && c->failures.n == 0)
            vec_each(const struct shape_guard, g, &c->shape_guards) add_multiple(f, &seen, c, g);
    }
}
