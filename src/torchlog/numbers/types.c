#include "torchlog/numbers/types.h"

enum { LABEL_MAX = 40, SHOWN_MAX = 60 };

static const struct str torch_dot = STR_INIT("torch.");

/* "torch.float32" at the end of a line; empty if none is there. */
static struct str type_at_end(struct str line)
{
    static const struct str types[] = {STR_INIT("float16"), STR_INIT("bfloat16"), STR_INIT("float32"),
                                       STR_INIT("float64"), STR_INIT("int32"),    STR_INIT("int64")};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct str before = str_take(line, line.n - (line.n > types[i].n ? types[i].n : line.n));

        if (str_ends(line, types[i]) && str_ends(before, torch_dot))
            return str_skip(line, before.n - torch_dot.n);
    }
    return (struct str){0};
}

/* "2.12.1+cu128", "torch 2.12.1" and "compiled": what a result stands under, for a comparison. */
static bool is_label(struct str label)
{
    static const struct str names[] = {STR_INIT("eager"), STR_INIT("compiled"), STR_INIT("inductor"),
                                       STR_INIT("aot_eager"), STR_INIT("uncompiled")};
    uint64_t n;

    str_consume(&label, STR("torch "));
    if (STR_IS_ANY(label, names))
        return true;
    return str_take_u64(&label, &n) && str_starts(label, STR(".")) && str_chr(label, ' ') < 0;
}

/* `norm(x)` of "print(torch.__version__, norm(x).dtype)"; empty if no line prints one. */
static struct str printed_call(struct str text)
{
    static const struct str end = STR_INIT(").dtype");
    struct str line;

    while (str_next_line(&text, &line)) {
        ptrdiff_t at = str_has(line, STR("print(")) ? str_find(line, end) : -1;
        size_t begin, depth = 1;

        if (at < 0)
            continue;
        for (begin = (size_t)at; begin && depth; begin--)
            depth += line.p[begin - 1] == ')' ? 1 : line.p[begin - 1] == '(' ? -1 : 0;
        while (begin && (str_is_word_char(line.p[begin - 1]) || line.p[begin - 1] == '.'))
            begin--;
        line = str_range(line.p + begin, line.p + (size_t)at + 1);
        if (line.n > 2 && line.n <= SHOWN_MAX && *line.p != '(' && str_chr(line, '`') < 0)
            return line;
    }
    return (struct str){0};
}

struct series_found types_differ(struct arena *a, struct str text)
{
    struct str line, before_label = {0}, before = {0}, call, rest = text;

    while (str_next_line(&rest, &line)) {
        struct str bare = str_trim(line), type = type_at_end(bare),
                   label = str_drop_any(str_take(bare, bare.n - type.n), " :=\t|");

        if (type.n == 0 || label.n > LABEL_MAX || !is_label(label))
            continue;
        if (before.n && !str_eq(before, type) && !str_eq(before_label, label)) {
            call = printed_call(text);
            return (struct series_found){
                .message = arena_printf(a, ": %.*s with %.*s, %.*s with %.*s%s%.*s%s", STR_ARG(before),
                                        STR_ARG(before_label), STR_ARG(type), STR_ARG(label),
                                        call.n ? ", of `" : "", STR_ARG(call), call.n ? "`" : ""),
                .line = line,
            };
        }
        before = type;
        before_label = label;
    }
    return (struct series_found){.line = {0}};
}
