/* What Dynamo itself says of a compile: breaks, recompiles, guards, where it begins. */
#include "torchlog/apply.h"

#include "trace/kinds.h"

/*
 * torch/_dynamo/symbolic_convert.py and exc.py. Tensor.item() is announced ("Graph break: from user code at" with
 * nothing behind the stack) before the break that follows from it.
 */
void apply_log_break(struct record *rec)
{
    apply_graph_break_reason(rec);
}

/* "f in FILE:LINE" or "f FILE:LINE" behind `lead`. */
static bool take_place(struct str text, struct str between, struct str *function, struct str *file, int64_t *line)
{
    ptrdiff_t at = str_find(text, between), colon = str_rchr(text, ':');
    uint64_t number;

    if (at <= 0 || colon < at || !str_u64(str_trim(str_skip(text, (size_t)colon + 1)), &number))
        return false;
    *function = str_take(text, (size_t)at);
    *file = str_range(text.p + at + between.n, text.p + colon);
    *line = (int64_t)number;
    return file->n > 0;
}

static void name_frame(struct record *rec, struct str function, struct str file, int64_t line)
{
    struct frame *f = rec->compile->frame;

    if (!f || f->name.n)
        return;
    f->name = record_intern(rec, function);
    f->file = record_intern(rec, file);
    f->line = line;
    frame_note_resume(f);
}

/* torch/_dynamo/guards.py, get_and_maybe_log_recompilation_reasons. */
void apply_log_recompile(struct record *rec)
{
    struct str text = rec->text, first = str_split(&text, '\n'), function, file;
    int64_t line;

    str_consume(&first, STR("Recompiling function "));
    if (take_place(first, STR(" in "), &function, &file, &line))
        name_frame(rec, function, file, line);
    apply_recompile_reasons(rec);
}

/* torch/_dynamo/guards.py: a headline, the tree, and how long it takes to evaluate, each a message of its own. */
void apply_log_guards(struct record *rec)
{
    rec->process->guards_told = true;
    apply_guards(rec);
}

/* torch/_dynamo/convert_frame.py: "ORIGINAL BYTECODE f FILE line N ". */
void apply_log_bytecode(struct record *rec)
{
    struct str rest = rec->text, first = str_split(&rest, '\n'), name;
    ptrdiff_t at = str_find(first, STR(" line "));
    uint64_t line;

    if (!str_consume(&first, STR("ORIGINAL BYTECODE ")) || (at = str_find(first, STR(" line "))) < 0)
        return;
    name = str_split(&first, ' ');
    at = str_find(first, STR(" line "));
    if (at > 0 && str_u64(str_trim(str_skip(first, (size_t)at + 6)), &line))
        name_frame(rec, name, str_take(first, (size_t)at), (int64_t)line);
}

/*
 * torch/_dynamo/convert_frame.py and symbolic_convert.py, with +dynamo:
 *   torchdynamo start compiling f FILE:LINE, stack (elided 4 frames):
 *   Step 1: torchdynamo start tracing f FILE:LINE
 */
void apply_log_start(struct record *rec)
{
    struct str rest = rec->text, first = str_split(&rest, '\n'), function, file;
    ptrdiff_t comma = str_find(first, STR(", stack"));
    int64_t line;

    if (comma > 0)
        first = str_take(first, (size_t)comma);
    if (!str_consume(&first, STR("torchdynamo start compiling ")))
        str_consume(&first, STR("Step 1: torchdynamo start tracing "));
    if (take_place(first, STR(" "), &function, &file, &line))
        name_frame(rec, function, file, line);
}

/* torch/_dynamo/convert_frame.py: "torch._dynamo hit config.recompile_limit (8)\n   function: 'f' (FILE:LINE)". */
void apply_log_limit(struct record *rec)
{
    rec->compile->limit_hit = true;
}

/* torch/_functorch/_aot_autograd/graph_compile.py: "TRACED GRAPH\n ===== Forward graph 0 =====". */
void apply_log_graph(struct record *rec)
{
    struct str text = str_take(rec->text, 400);

    if (str_has(text, STR("===== Backward graph ")))
        rec->name = record_intern(rec, STR("aot_backward_graph"));
    else if (str_has(text, STR("aot_config id:")))
        rec->name = record_intern(rec, STR("aot_forward_graph_fw_metadata"));
}

void apply_log_traceback(struct record *rec)
{
    apply_dynamo_error(rec);
}
