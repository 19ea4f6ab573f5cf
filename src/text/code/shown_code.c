#include "text/code/shown_code.h"

enum { NAME_MAX_BYTES = 64, CALLS_MAX = 32 };

/* --- lines -------------------------------------------------------------------------------------------------------- */

size_t shown_indent(struct str line)
{
    size_t n = 0;

    while (n < line.n && (line.p[n] == ' ' || line.p[n] == '\t'))
        n++;
    return n;
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

struct str shown_defined(struct str bare)
{
    ptrdiff_t end = str_chr(bare, '(');

    return str_consume(&bare, STR("def ")) && end > 4 ? str_take(bare, (size_t)end - 4) : (struct str){0};
}

uint64_t shown_passes(struct str bare)
{
    static const struct str range = STR_INIT(" in range(");
    ptrdiff_t at = str_find(bare, range);
    struct str rest = str_skip(bare, at < 0 ? bare.n : (size_t)at + range.n);
    uint64_t n;

    return str_starts(bare, STR("for ")) && str_take_u64(&rest, &n) && str_starts(rest, STR("):")) ? n : 0;
}

bool shown_calls(struct str line, struct str name)
{
    if (name.n == 0)
        return false;
    for (ptrdiff_t at; (at = str_find(line, name)) >= 0; line = str_skip(line, (size_t)at + name.n)) {
        struct str behind = str_skip(line, (size_t)at + name.n);

        if ((at == 0 || !(str_is_word_char(line.p[at - 1]) || line.p[at - 1] == '.')) && str_starts(behind, STR("(")))
            return true;
    }
    return false;
}

/* --- what is compiled --------------------------------------------------------------------------------------------- */

/* "sell = torch.compile(till, ...)"; what is assigned may be empty. */
struct compile_call {
    struct str argument, assigned;
};

struct compile_calls {
    struct compile_call v[CALLS_MAX];
    size_t n;
};

/* A name, also with dots. */
static struct str path_at(struct str s)
{
    size_t n = 0;

    while (n < s.n && n < NAME_MAX_BYTES && (str_is_word_char(s.p[n]) || s.p[n] == '.'))
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
    before = str_trim(str_drop(before, 1));
    name = path_at(before);
    return name.n == before.n ? name : (struct str){0};
}

/* What is given to "torch.compile(", or to "torch._dynamo.optimize("inductor")(" of the first versions. */
static struct str arguments_of(struct str line, ptrdiff_t *at)
{
    static const struct str call = STR_INIT("torch.compile("), first = STR_INIT("torch._dynamo.optimize("),
                            then = STR_INIT(")(");
    struct str rest;
    ptrdiff_t end;

    *at = str_find(line, call);
    if (*at >= 0)
        return str_skip(line, (size_t)*at + call.n);
    *at = str_find(line, first);
    rest = str_skip(line, *at < 0 ? line.n : (size_t)*at + first.n);
    end = str_find(rest, then);
    return str_skip(rest, end < 0 ? rest.n : (size_t)end + then.n);
}

static void find_calls(struct str text, struct compile_calls *calls)
{
    struct str line;

    while (calls->n < CALLS_MAX && str_next_line(&text, &line)) {
        ptrdiff_t at;
        struct str arguments = arguments_of(line, &at), name = path_at(arguments);

        if (name.n && !str_starts(str_trim(line), STR("#")) && !str_starts(str_skip(arguments, name.n), STR("=")))
            calls->v[calls->n++] = (struct compile_call){name, assigned_before(str_take(line, (size_t)at))};
    }
}

static bool is_defined(struct str text, struct str name)
{
    struct str line;

    while (str_next_line(&text, &line))
        if (str_eq(shown_defined(str_trim(line)), name))
            return true;
    return false;
}

static void find_wrappers(struct str text, const struct compile_calls *calls, struct shown_code *out)
{
    for (size_t i = 0; i < calls->n; i++) {
        if (is_defined(text, calls->v[i].argument))
            continue;
        out->modules = true;
        if (calls->v[i].assigned.n && out->wrappers_n < SHOWN_FUNCTIONS)
            out->wrappers[out->wrappers_n++] = calls->v[i].assigned;
    }
}

/* "@torch.compile" and "@torch.compile(mode=...)", and not "@torch.compiler.disable". */
static bool is_decorator(struct str bare)
{
    return str_consume(&bare, STR("@torch.compile")) && (bare.n == 0 || !str_is_word_char(bare.p[0]));
}

/* The name by which the function is called where it is compiled; empty if it is not. */
static struct str called_name(const struct shown_code *out, const struct compile_calls *calls, struct str name,
                              bool decorated)
{
    if (decorated || (out->modules && str_eq(name, STR("forward"))))
        return name;
    for (size_t i = 0; i < calls->n; i++)
        if (str_eq(calls->v[i].argument, name))
            return calls->v[i].assigned.n ? calls->v[i].assigned : name;
    return (struct str){0};
}

void shown_code_read(struct str text, struct shown_code *out)
{
    struct compile_calls calls = {.n = 0};
    struct str rest = text, line, behind;
    bool decorated = false;

    *out = (struct shown_code){.n = 0};
    find_calls(text, &calls);
    find_wrappers(text, &calls, out);
    while (out->n < SHOWN_FUNCTIONS && str_next_line(&rest, &line)) {
        struct str bare = str_trim(line), name = shown_defined(bare),
                   called = name.n ? called_name(out, &calls, name, decorated) : (struct str){0};

        if (called.n) {
            struct shown_function *f = &out->compiled[out->n++];

            f->called = called;
            f->parameters = str_skip(bare, STR("def ").n + name.n + 1);
            f->body = shown_body(rest, shown_indent(line), &behind);
            rest = behind; /* what is defined within it is compiled with it */
        }
        if (bare.n)
            decorated = str_starts(bare, STR("@")) && (decorated || is_decorator(bare));
    }
}
