#include "torchlog/apply/log_frame.h"

/* "f in FILE:LINE" or "f FILE:LINE". */
static bool take_place(struct str text, struct str between, struct log_frame *out)
{
    ptrdiff_t at = str_find(text, between), colon = str_rchr(text, ':');
    uint64_t number;

    if (at <= 0 || colon < at || !str_u64(str_trim(str_skip(text, (size_t)colon + 1)), &number))
        return false;
    out->function = str_take(text, (size_t)at);
    out->file = str_range(text.p + at + between.n, text.p + colon);
    out->line = number <= INT32_MAX ? (int64_t)number : 0;
    return out->file.n > 0;
}

/* "f in FILE:LINE"; the first nightlies of 2.1 have no line. */
static bool take_recompiled(struct str first, struct log_frame *out)
{
    static const struct str between = STR_INIT(" in ");
    ptrdiff_t at = str_find(first, between);

    if (take_place(first, between, out))
        return true;
    if (at <= 0 || !str_ends(first, STR(".py")))
        return false;
    *out = (struct log_frame){.function = str_take(first, (size_t)at),
                              .file = str_skip(first, (size_t)at + between.n)};
    return true;
}

static bool take_start(struct str first, struct log_frame *out)
{
    ptrdiff_t comma = str_find(first, STR(", stack"));

    return take_place(comma > 0 ? str_take(first, (size_t)comma) : first, STR(" "), out);
}

/* "f FILE line N " */
static bool take_bytecode(struct str first, struct log_frame *out)
{
    struct str name = str_split(&first, ' ');
    ptrdiff_t at = str_find(first, STR(" line "));
    uint64_t line;

    if (at <= 0 || !str_u64(str_trim(str_skip(first, (size_t)at + 6)), &line))
        return false;
    *out = (struct log_frame){name, str_take(first, (size_t)at), line <= INT32_MAX ? (int64_t)line : 0};
    return true;
}

/* "   function: 'f' (FILE:LINE)" */
static bool take_limit(struct str rest, struct log_frame *out)
{
    struct str line;

    if (!str_next_line(&rest, &line))
        return false;
    line = str_trim(line);
    if (!str_consume(&line, STR("function: '")) || line.n == 0 || line.p[line.n - 1] != ')')
        return false;
    return take_place(str_drop(line, 1), STR("' ("), out);
}

/* "  File "FILE", line N, in f": the outermost call is the frame that is compiled. */
static bool take_call(struct str rest, struct log_frame *out)
{
    struct str line, file;
    ptrdiff_t at;

    if (!str_next_line(&rest, &line) || !str_between(line, STR("File \""), STR("\", line "), &file))
        return false;
    at = str_find(line, STR(", in "));
    if (at < 0)
        return false;
    *out = (struct log_frame){.function = str_trim(str_skip(line, (size_t)at + 5)), .file = file};
    return out->function.n > 0;
}

/* "Graph break from `Tensor.item()`, consider setting:", and further down "Graph break: from user code at:" */
static bool take_item(struct str rest, struct log_frame *out)
{
    struct str line;

    while (str_next_line(&rest, &line))
        if (str_starts(line, STR("Graph break: from user code at:")))
            return take_call(rest, out);
    return false;
}

/* "filename: 'FILE', function name: 'f', line number: N" */
static bool take_stance(struct str first, struct log_frame *out)
{
    struct str number = str_skip(first, (size_t)(str_rchr(first, ' ') + 1));
    uint64_t line;

    if (!str_between(first, STR("filename: '"), STR("'"), &out->file) ||
        !str_between(first, STR("function name: '"), STR("'"), &out->function) || !str_u64(number, &line))
        return false;
    out->line = line <= INT32_MAX ? (int64_t)line : 0;
    return true;
}

bool log_frame_take(struct str text, struct log_frame *out)
{
    struct str rest = text, first;
    bool found = false;

    *out = (struct log_frame){0};
    if (!str_next_line(&rest, &first))
        return false;
    first = str_trim(first);
    if (str_consume(&first, STR("Recompiling function ")))
        found = take_recompiled(first, out);
    else if (str_starts(first, STR("Detected recompile when torch.compile stance")))
        found = take_stance(first, out);
    else if (str_consume(&first, STR("torchdynamo start compiling ")) ||
             str_consume(&first, STR("Step 1: torchdynamo start tracing ")))
        found = take_start(first, out);
    else if (str_consume(&first, STR("ORIGINAL BYTECODE ")))
        found = take_bytecode(first, out);
    else if (str_starts(first, STR("torch._dynamo hit ")))
        found = take_limit(rest, out);
    else if (str_starts(first, STR("function: '")))
        found = take_limit(text, out);
    else if (str_starts(first, STR("Graph break from `")))
        found = take_item(rest, out);
    else if (str_starts(first, STR("Graph break: ")) && str_ends(first, STR("from user code at:")))
        found = take_call(rest, out);
    if (!found)
        *out = (struct log_frame){0};
    return found;
}

bool log_frame_differs(const struct frame *f, const struct log_frame *named)
{
    if (!f || f->name.n == 0 || named->function.n == 0)
        return false;
    return !str_eq(f->name, named->function) || (f->line && named->line && f->line != named->line);
}
