#include "torchlog/notes/shown.h"

#include <inttypes.h>

#include "util/utf8.h"

enum { SHOWN_MAX = 80, NAME_MAX = 64, NAMES_MAX = 8, CALLS_MAX = 32 };

/* --- lines of Python ---------------------------------------------------------------------------------------------- */

size_t shown_indent(struct str line)
{
    size_t n = 0;

    while (n < line.n && (line.p[n] == ' ' || line.p[n] == '\t'))
        n++;
    return n;
}

struct str shown_defined(struct str bare)
{
    ptrdiff_t end = str_chr(bare, '(');

    return str_consume(&bare, STR("def ")) && end > 4 ? str_take(bare, (size_t)end - 4) : (struct str){0};
}

struct str shown_body(struct str rest, size_t indent, struct str *behind)
{
    struct str body = str_take(rest, 0), line;

    *behind = rest;
    while (str_next_line(&rest, &line)) {
        if (str_trim(line).n && shown_indent(line) <= indent)
            break;
        body.n = (size_t)(line.p + line.n - body.p);
        *behind = rest;
    }
    return body;
}

uint64_t shown_passes(struct str bare)
{
    static const struct str range = STR_INIT(" in range(");
    ptrdiff_t at = str_find(bare, range);
    struct str rest = str_skip(bare, at < 0 ? bare.n : (size_t)at + range.n);
    uint64_t n;

    return str_starts(bare, STR("for ")) && str_take_u64(&rest, &n) && str_starts(rest, STR("):")) ? n : 0;
}

/* --- what is compiled --------------------------------------------------------------------------------------------- */

/* What a text's code compiles. */
struct compiled {
    struct str names[NAMES_MAX]; /* of functions: "step" of torch.compile(step) */
    size_t n;
    struct str wrapper; /* "m" of "m = torch.compile(m)" */
    bool modules;       /* what is compiled is no function of the text, so most likely a module */
};

static struct str identifier_at(struct str s)
{
    size_t n = 0;

    while (n < s.n && n < NAME_MAX && (str_is_word_char(s.p[n]) || s.p[n] == '.'))
        n++;
    return str_take(s, n);
}

/* "m" of "m = torch.compile(net)": the name before the call, if it stands alone there. */
static struct str assigned_before(struct str before)
{
    struct str name;

    before = str_trim(before);
    if (!str_ends(before, STR("=")))
        return (struct str){0};
    before = str_trim(str_take(before, before.n - 1));
    name = identifier_at(before);
    return name.n == before.n ? name : (struct str){0};
}

static bool is_defined(struct str text, struct str name)
{
    struct str line;

    while (str_next_line(&text, &line))
        if (str_eq(shown_defined(str_trim(line)), name))
            return true;
    return false;
}

static void add_call(struct compiled *c, struct str text, struct str line, size_t at, size_t behind)
{
    struct str arguments = str_skip(line, behind), name = identifier_at(arguments);

    if (name.n == 0 || str_starts(str_skip(arguments, name.n), STR("=")))
        return;
    if (is_defined(text, name)) {
        if (c->n < NAMES_MAX)
            c->names[c->n++] = name;
        return;
    }
    c->modules = true;
    if (assigned_before(str_take(line, at)).n)
        c->wrapper = assigned_before(str_take(line, at));
}

static struct compiled compiled_of(struct str text)
{
    static const struct str call = STR_INIT("torch.compile(");
    struct compiled c = {.n = 0};
    struct str rest = text, line;
    size_t calls = 0;

    while (str_next_line(&rest, &line)) {
        ptrdiff_t at = str_find(line, call);

        if (at < 0 || str_starts(str_trim(line), STR("#")))
            continue;
        add_call(&c, text, line, (size_t)at, (size_t)at + call.n);
        if (++calls == CALLS_MAX)
            break;
    }
    return c;
}

static bool is_compiled(const struct compiled *c, struct str name, bool decorated)
{
    if (decorated || (c->modules && str_eq(name, STR("forward"))))
        return true;
    for (size_t i = 0; i < c->n; i++)
        if (str_eq(c->names[i], name))
            return true;
    return false;
}

/* --- constructs --------------------------------------------------------------------------------------------------- */

enum { FEW_PASSES = 20 };

static bool calls_backward(struct str bare)
{
    return str_has(bare, STR(".backward("));
}

/* "for t in range(T):" may be long; of modules there are few. */
static bool loops_long(struct str bare)
{
    uint64_t passes = shown_passes(bare);

    return str_starts(bare, STR("for ")) && str_has(bare, STR(" in range(")) && str_ends(bare, STR(":")) &&
           (passes == 0 || passes >= FEW_PASSES) && !str_has_any_line(bare, STR("layers\nblocks\nheads\ndepth"));
}

static bool reads_number(struct str bare)
{
    return str_has_any_line(bare, STR(".item()\n.tolist()\n.numpy()")) || str_starts(bare, STR("print("));
}

/* A row holds in a compiled function. */
static const struct construct {
    bool (*is)(struct str bare);
    enum complaint of;
    const char *lead;
} constructs[] = {
    {calls_backward, COMPLAINT_MEMORY, "the compiled function calls `backward()`"},
    {loops_long, COMPLAINT_COMPILING, "the compiled function has a loop"},
    {reads_number, COMPLAINT_SLOW, "the compiled function leaves the graph"},
};

/* Comments are no code. */
static const struct construct *construct_in(struct str bare, enum complaint complaint)
{
    if (str_starts(bare, STR("#")))
        return NULL;
    for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++)
        if (constructs[i].of == complaint && constructs[i].is(bare))
            return &constructs[i];
    return NULL;
}

static struct series_found found_in(struct arena *a, struct str body, enum complaint complaint)
{
    struct str line;

    while (str_next_line(&body, &line)) {
        const struct construct *c = construct_in(str_trim(line), complaint);

        if (c)
            return (struct series_found){
                .message =
                    arena_printf(a, "%s: %.*s", c->lead, STR_ARG(utf8_shorten(a, str_trim(line), SHOWN_MAX))),
                .line = line,
            };
    }
    return (struct series_found){.line = {0}};
}

/* --- methods of a module that is compiled ------------------------------------------------------------------------- */

/* Methods of torch.nn.Module that compute nothing. */
static bool is_of_module(struct str name)
{
    static const char names[] = "forward\neval\ntrain\nto\ncuda\ncpu\nhalf\nbfloat16\nfloat\nparameters\nstate_dict\n"
                                "load_state_dict\nbuffers\nmodules\nchildren\nrequires_grad_\nzero_grad\napply\n"
                                "named_parameters\nnamed_modules\nnamed_buffers\nnamed_children\ncompile";
    struct str rest = str_of(names), one;

    while (str_next_line(&rest, &one))
        if (str_eq(one, name))
            return true;
    return str_starts(name, STR("register_"));
}

/* "generate" of "out = m.generate(ids)"; `*called` if "m(" stands there. */
static struct str method_called(struct str line, struct str name, bool *called)
{
    struct str found = {0};

    for (ptrdiff_t at; (at = str_find(line, name)) >= 0; line = str_skip(line, (size_t)at + name.n)) {
        struct str behind = str_skip(line, (size_t)at + name.n), method;

        if (at > 0 && (str_is_word_char(line.p[at - 1]) || line.p[at - 1] == '.'))
            continue;
        *called |= str_starts(behind, STR("("));
        if (!str_consume(&behind, STR(".")))
            continue;
        method = identifier_at(behind);
        if (method.n && str_chr(method, '.') < 0 && !is_of_module(method) &&
            str_starts(str_skip(behind, method.n), STR("(")))
            found = method;
    }
    return found;
}

/* A module's wrapper compiles calls of the module: its other methods are those of the module that it wraps. */
static struct series_found only_method(struct arena *a, struct str text, const struct compiled *c)
{
    struct series_found found = {.line = {0}};
    bool called = false;
    struct str line;

    if (c->wrapper.n == 0 || str_has(text, STR(".forward = torch.compile(")))
        return found;
    while (str_next_line(&text, &line)) {
        struct str bare = str_trim(line), method = method_called(bare, c->wrapper, &called);

        if (method.n && found.line.n == 0 && !str_starts(bare, STR("#")) && !str_has(bare, STR("torch.compile(")))
            found = (struct series_found){
                .message = arena_printf(a, "most likely nothing is compiled: the text calls `%.*s`, and not the module",
                                        STR_ARG(method)),
                .line = line,
            };
    }
    return called ? (struct series_found){.line = {0}} : found;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* "@torch.compile" and "@torch.compile(mode=...)", and not "@torch.compiler.disable". */
static bool is_decorator(struct str bare)
{
    return str_consume(&bare, STR("@torch.compile")) && (bare.n == 0 || !str_is_word_char(bare.p[0]));
}

struct series_found shown_cause(struct arena *a, struct str text, enum complaint complaint)
{
    struct compiled c = compiled_of(text);
    struct str rest = text, line, behind;
    bool decorated = false;

    if (complaint == COMPLAINT_SLOW) {
        struct series_found found = only_method(a, text, &c);

        if (found.line.n)
            return found;
    }
    while (str_next_line(&rest, &line)) {
        struct str bare = str_trim(line), name = shown_defined(bare);

        if (name.n && is_compiled(&c, name, decorated)) {
            struct series_found found = found_in(a, shown_body(rest, shown_indent(line), &behind), complaint);

            if (found.line.n)
                return found;
            rest = behind;
        }
        decorated = str_starts(bare, STR("@")) && (decorated || is_decorator(bare));
    }
    return (struct series_found){.line = {0}};
}
