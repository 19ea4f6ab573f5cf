/* What Dynamo itself says of a compile: breaks, recompiles, guards, where it begins. */
#include "torchlog/apply/apply.h"

#include "text/graphs/fx_graph.h"
#include "text/guards/guard_tree.h"
#include "text/messages/break_text.h"
#include "text/python/traceback.h"
#include "torchlog/apply/log_frame.h"
#include "trace/kinds.h"

/* A message may name the function before another one says where it begins. */
static void name_frame(struct record *rec)
{
    struct frame *f = rec->compile->frame;
    struct log_frame named;

    if (!f || (f->name.n && f->line) || !log_frame_take(rec->text, &named))
        return;
    f->name = record_intern(rec, named.function);
    f->file = record_intern(rec, named.file);
    f->line = named.line;
    frame_note_resume(f);
}

/* The warning of a break that a message of graph_breaks, if it is asked for, has in full. */
static void drop_warned(struct compile *c, struct record *rec)
{
    const struct graph_break *warned, *logged;

    if (c->breaks.n < 2 || rec->attempt == ATTEMPT_WARNED)
        return;
    warned = c->breaks.v[c->breaks.n - 2];
    logged = c->breaks.v[c->breaks.n - 1];
    if (warned->attempt != ATTEMPT_WARNED || warned->line != logged->line || !str_eq(warned->file, logged->file))
        return;
    c->breaks.v[c->breaks.n - 2] = c->breaks.v[c->breaks.n - 1];
    c->breaks.n--;
}

/* A text that begins within the traceback of a break (2.3 to 2.7) has its reason in the last line of that. */
static void use_exception(struct record *rec)
{
    static const struct str name = STR_INIT("torch._dynamo.exc.Unsupported: ");
    struct str rest = rec->text, line;

    if (rec->line > 1 || str_has(str_split(&rest, '\n'), STR("raph break")))
        return;
    rest = rec->text;
    while (str_next_line(&rest, &line) && !str_starts(line, name))
        ;
    if (str_starts(line, name))
        rec->text = str_range(line.p + name.n, rec->text.p + rec->text.n);
}

/*
 * torch/_dynamo/symbolic_convert.py and exc.py; as a module's message, only in wordings that no graph_breaks message
 * repeats.
 */
void apply_log_break(struct record *rec)
{
    struct str text = rec->text;

    if (str_consume(&text, STR("[Stack "))) {
        str_split(&text, ']');
        text = str_trim(text);
        str_consume(&text, STR("Graph break: "));
        rec->text = text;
    }
    if (str_ends(str_trim(text), STR(BREAK_TEXT_AT))) /* the text ends before it says more */
        return;
    use_exception(rec);
    name_frame(rec);
    apply_graph_break_reason(rec);
    drop_warned(rec->compile, rec);
}

static void apply_warned_break(struct record *rec, struct str text)
{
    struct str name = rec->name;
    int attempt = rec->attempt;

    rec->text = text;
    rec->name = record_intern(rec, STR("dynamo_graph_break_reason"));
    rec->attempt = ATTEMPT_WARNED;
    apply_graph_break_reason(rec);
    rec->name = name;
    rec->attempt = attempt;
}

/*
 * torch/_dynamo/variables/tensor.py, 2.2 to 2.6: "Graph break from `Tensor.item()`, consider setting: ...\n\nGraph
 * break: from user code at:\n  File ...". It is printed unasked.
 */
void apply_log_item_break(struct record *rec)
{
    static const struct str words = STR_INIT("\nGraph break: ");
    ptrdiff_t at = str_find(rec->text, words);

    name_frame(rec);
    if (at >= 0)
        apply_warned_break(rec, arena_printf(rec->reading->scratch, "Graph break: Tensor.item %.*s",
                                             STR_ARG(str_skip(rec->text, (size_t)at + words.n))));
}

/* PyTorch warns of a function once. */
enum { WARNED_MAX = 100, MESSAGE_LOOKED_AT = 4096 };

static const struct str unsupported_builtin = STR_INIT("Graph break due to unsupported builtin ");

/* torch/_dynamo/variables/functions.py, 2.5 and later: a warning of a function of C, in the words of 2.5 or of 2.7. */
void apply_log_builtin_break(struct record *rec)
{
    static const struct str lead = STR_INIT("UserWarning: ");
    struct str text = str_first_line(rec->text), name;
    ptrdiff_t at = str_find(text, lead);

    text = str_skip(text, at < 0 ? 0 : (size_t)at + lead.n);
    if (str_consume(&text, unsupported_builtin))
        name = str_split(&text, ' ');
    else if (!str_between(text, STR("`"), STR("`"), &name))
        return;
    name = str_drop(name, str_ends(name, STR(".")));
    apply_warned_break(rec, arena_printf(rec->reading->scratch, "Reason: Unsupported: %.*s%.*s",
                                         STR_ARG(unsupported_builtin), STR_ARG(name)));
}

/* Whether a message or an exception of the compile is about the function. */
static bool says_name(const struct compile *c, struct str name)
{
    for (size_t i = 0; i < c->breaks.n; i++)
        if (c->breaks.v[i]->attempt != ATTEMPT_WARNED &&
            (str_has(c->breaks.v[i]->type, name) || str_has(c->breaks.v[i]->explanation, name)))
            return true;
    for (size_t i = 0; i < c->failures.n; i++)
        if (str_has(str_take(c->failures.v[i]->message, MESSAGE_LOOKED_AT), name))
            return true;
    return false;
}

static bool is_known_builtin(const struct process *p, const struct graph_break *b)
{
    struct str name = str_skip(b->type, (size_t)str_rchr(b->type, ' ') + 1);

    if (b->attempt != ATTEMPT_WARNED || b->file.n || !str_has(b->type, unsupported_builtin) || name.n == 0)
        return false;
    if (says_name(p->unattributed, name))
        return true;
    for (size_t i = 0; i < p->compiles.n && i < LIMIT_LOOK_BACK; i++)
        if (says_name(p->compiles.v[i], name))
            return true;
    return false;
}

/* Whether one of the first n is the same: the title of an issue repeats the warning below it. */
static bool is_said_before(const struct compile *c, size_t n, const struct graph_break *b)
{
    for (size_t i = 0; i < n; i++)
        if (c->breaks.v[i]->attempt == ATTEMPT_WARNED && c->breaks.v[i]->file.n == 0 &&
            str_eq(c->breaks.v[i]->type, b->type))
            return b->attempt == ATTEMPT_WARNED && b->file.n == 0 && str_has(b->type, unsupported_builtin);
    return false;
}

/* The warning has no id: it may be of another compile than the message that has its place. */
void apply_log_drop_known(struct process *p)
{
    struct compile *c = p->unattributed;
    size_t kept = 0;

    for (size_t i = 0; i < c->breaks.n; i++)
        if (i >= WARNED_MAX ||
            !(is_known_builtin(p, c->breaks.v[i]) || is_said_before(c, kept, c->breaks.v[i])))
            c->breaks.v[kept++] = c->breaks.v[i];
    c->breaks.n = kept;
}

/* The break at that place which was logged in full, newest compiles first. */
static const struct graph_break *known_before(const struct process *p, const struct graph_break *repeated)
{
    size_t left = LIMIT_LOOK_BACK;

    for (size_t i = p->compiles.n; i-- > 0 && left-- > 0;)
        for (size_t k = 0; k < p->compiles.v[i]->breaks.n; k++) {
            const struct graph_break *b = p->compiles.v[i]->breaks.v[k];

            if (b->type.n && b->line == repeated->line && str_eq(b->file, repeated->file))
                return b;
        }
    return NULL;
}

/* symbolic_convert.py of 2.5 and earlier: "Unsupported break in user code at FILE:LINE (details suppressed)". */
void apply_log_repeated_break(struct record *rec)
{
    struct graph_break *b;
    const struct graph_break *before;

    apply_graph_break_reason(rec);
    b = rec->compile->breaks.v[rec->compile->breaks.n - 1];
    before = known_before(rec->process, b);
    if (before) {
        b->type = before->type;
        b->reason = before->reason;
        b->stack = before->stack;
        b->function = before->function;
    } else {
        b->type = b->reason = record_intern(rec, str_split(&rec->text, '\n'));
    }
}

/*
 * Of 2.1, the tuple of the lines: "('Recompiling function f in /x.py:4', "triggered by the following guard failure:
 * ...")". Where a guard has its value, that follows it: ", with LHS value: 1".
 */
struct str log_recompile_text(struct arena *a, struct str text)
{
    static const struct str between = STR_INIT("triggered by the following guard failure: "),
                            value = STR_INIT(", with LHS value: ");
    struct str bare = str_trim(text), guard;
    ptrdiff_t at, end;

    if (!str_consume(&bare, STR("('")) || (at = str_find(bare, between)) < 4)
        return text;
    guard = str_skip(bare, (size_t)at + between.n);
    guard = str_drop(guard, str_ends(guard, STR("\")")) || str_ends(guard, STR("')")) ? 2 : 0);
    end = str_find(guard, value);
    return arena_printf(a, "%.*s\n    triggered by the following guard failure:\n    - %.*s",
                        STR_ARG(str_take(bare, (size_t)at - 4)),
                        STR_ARG(end < 0 ? guard : str_take(guard, (size_t)end)));
}

/* torch/_dynamo/guards.py, get_and_maybe_log_recompilation_reasons. */
void apply_log_recompile(struct record *rec)
{
    name_frame(rec);
    apply_recompile_reasons(rec);
}

/* In 2.3 and earlier there is one line for each guard; later there is a tree, and how long it takes. */
void apply_log_guard_list(struct record *rec)
{
    struct str rest = rec->text, line;
    uint32_t n = 0;
    bool tree = false;

    while (str_next_line(&rest, &line)) {
        tree |= str_starts(line, STR("TREE_GUARD_MANAGER:")) || str_starts(line, STR("+- "));
        if (tree)
            n += guard_tree_line_is_check(line);
        else
            n += str_trim(line).n && !str_starts(line, STR("GUARDS:")) && !str_starts(line, STR("Guard eval latency"));
    }
    rec->compile->guards_listed += n;
}

/* torch/_dynamo/guards.py: guards are the last step of a compile that worked. */
void apply_log_guards(struct record *rec)
{
    rec->process->guards_logged |= rec->compile != rec->process->unattributed;
    rec->compile->guards_seen = true;
    rec->compile->ended = true;
    apply_log_guard_list(rec);
}

/* torch/_dynamo/convert_frame.py. */
void apply_log_bytecode(struct record *rec)
{
    name_frame(rec);
}

/* The callers of the frame, and it itself as the innermost call; as in dynamo_start. */
static const struct call *stack_at_start(struct record *rec, struct str text)
{
    const struct frame *f = rec->compile->frame;
    struct stack_tree *tree = &rec->reading->in->stacks;
    const struct call *innermost = NULL;
    struct text_stack calls = {0};

    if (text_stack_take(record_arena(rec), &text, &calls) == 0 || !f)
        return NULL;
    vec_each(struct text_call, c, &calls.calls) innermost =
        stack_push(tree, innermost, record_intern(rec, c->file), c->line, record_intern(rec, c->function),
                   record_intern(rec, c->source));
    return stack_push(tree, innermost, f->file, f->line, f->name, (struct str){0});
}

/* torch/_dynamo/convert_frame.py, "start compiling", with the callers; symbolic_convert.py, "Step 1", per attempt. */
void apply_log_start(struct record *rec)
{
    struct str rest = rec->text;

    name_frame(rec);
    rec->compile->start = START_RECORD;
    if (rec->compile->stack || !str_starts(rest, STR("torchdynamo start compiling ")))
        return;
    str_split(&rest, '\n');
    rec->compile->stack = stack_at_start(rec, rest);
}

static bool has_break_of(const struct compile *c, int attempt)
{
    for (size_t i = 0; i < c->breaks.n; i++)
        if (c->breaks.v[i]->attempt == attempt)
            return true;
    return false;
}

/*
 * torch/_dynamo/convert_frame.py: where in Dynamo the restart was raised, "_dynamo/output_graph.py:2637 in f". When it
 * is for a graph break, that has been logged, and is the reason (see note_restarts).
 */
void apply_log_restart(struct record *rec)
{
    struct str where = rec->text;
    char text[512];

    if (rec->compile == rec->process->unattributed || has_break_of(rec->compile, rec->attempt))
        return;
    str_consume(&where, STR("Restarting analysis due to "));
    snprintf(text, sizeof text, "raised at %.*s", STR_ARG(str_take(str_trim(where), 400)));
    vec_push(record_arena(rec), &rec->compile->restart_reasons, record_copy(rec, str_of(text)));
}

/* Moves to the text behind "last reason: "; 2.0 has "reasons: " and a list of one. */
static bool take_reason(struct str *text)
{
    static const struct str words[] = {STR_INIT("last reason: "), STR_INIT("reasons: ")};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        ptrdiff_t at = str_find(*text, words[i]);

        if (at < 0)
            continue;
        *text = str_trim(str_skip(*text, (size_t)at + words[i].n));
        if (str_consume(text, STR("[\"")) || str_consume(text, STR("['")))
            *text = str_take(*text, (size_t)(str_rchr(*text, ']') > 0 ? str_rchr(*text, ']') - 1 : (ptrdiff_t)text->n));
        return true;
    }
    return false;
}

/*
 * torch/_dynamo/convert_frame.py: the limit, the function and the last of the reasons for which it was compiled again.
 * They were logged before, unless nothing but this warning is logged. The reason may have several lines.
 */
void apply_log_limit(struct record *rec)
{
    struct str text = rec->text;
    ptrdiff_t end;

    name_frame(rec);
    rec->compile->limit_hit = true;
    rec->compile->limit_reported = record_intern(rec, str_trim(str_split(&(struct str){text.p, text.n}, '\n')));
    if (rec->compile->reasons.n || !take_reason(&text))
        return;
    end = str_find(text, STR("\nTo log all recompilation reasons"));
    add_recompile_reason(rec, str_trim(end < 0 ? str_split(&text, '\n') : str_take(text, (size_t)end)));
}

/* A guard that failed, without the message around it, which would name the compile. */
void apply_log_bare_guard(struct record *rec)
{
    rec->compile->started = true;
    apply_log_recompile(rec);
}

/* Adds a break that was logged unasked, as 2.6 and later write one. */
static void add_warned(struct record *rec, struct str reason, struct str says, struct str stack)
{
    int attempt = rec->attempt;

    rec->text = arena_printf(rec->reading->scratch,
                             "Graph Break Reason: %.*s\n  Explanation: %.*s\n\nUser code traceback:\n%.*s",
                             STR_ARG(reason), STR_ARG(says), STR_ARG(stack));
    rec->attempt = ATTEMPT_WARNED;
    apply_graph_break_reason(rec);
    rec->attempt = attempt;
}

static struct str behind(struct str text, struct str words)
{
    ptrdiff_t at = str_find(text, words);

    return str_skip(text, at < 0 ? text.n : (size_t)at + words.n);
}

static const struct str backend_exception = STR_INIT("Backend compiler exception");

/* That was logged unasked: add_warned() has no context. */
static bool is_warned(const struct graph_break *b)
{
    return str_eq(b->type, backend_exception) && b->context.n == 0;
}

static bool is_said_elsewhere(const struct compile *c)
{
    for (size_t i = 0; i < c->breaks.n; i++)
        if (str_eq(c->breaks.v[i]->type, backend_exception) && !is_warned(c->breaks.v[i]))
            return true;
    for (size_t i = 0; i < c->failures.n; i++)
        if (str_starts(c->failures.v[i]->message, backend_exception))
            return true;
    return c->frame && is_said_elsewhere(c->process->unattributed);
}

void apply_log_drop_repeated(struct compile *c)
{
    size_t kept = 0;

    if (c->breaks.n == 0 || !is_said_elsewhere(c))
        return;
    for (size_t i = 0; i < c->breaks.n; i++)
        if (!is_warned(c->breaks.v[i]))
            c->breaks.v[kept++] = c->breaks.v[i];
    c->breaks.n = kept;
}

/*
 * The call of the node that "While executing %item : ..." names, by the comment above it in the graph:
 * "# File: FILE:76 in f, code: n = x.item()". Empty if the text ends before.
 */
static struct str stack_in_graph(struct arena *a, struct str text)
{
    struct str rest = behind(text, STR("While executing %")), node = str_trim(str_split(&rest, ':')), line, at = {0};
    struct fx_place place;

    while (node.n && str_next_line(&rest, &line)) {
        line = str_trim(line);
        if (str_starts(line, STR("# File: ")))
            at = line;
        else if (str_eq(fx_name_of(line), node))
            break;
    }
    if (!fx_place_parse(at, &place) || place.function.n == 0)
        return (struct str){0};
    return arena_printf(a, "  File \"%.*s\", line %lld, in %.*s\n    %.*s\n", STR_ARG(place.file),
                        (long long)place.line, STR_ARG(place.function), STR_ARG(place.code));
}

/* "Exception:aten._local_scalar_dense.default" of the context, in the words of the explanation that was cut off. */
static struct str says_context(struct arena *a, struct str text)
{
    struct str rest = behind(text, STR("Backend: ")), name = str_trim(str_split(&rest, '\n')), raised;

    rest = behind(text, STR("Exception:"));
    raised = str_trim(str_split(&rest, '\n'));
    return name.n && raised.n
               ? arena_printf(a, "Backend compiler `%.*s` failed with %.*s.", STR_ARG(name), STR_ARG(raised))
               : STR("The backend refused the graph.");
}

/* The same in 2.8 and later, with the graph; a text may begin where that begins, or with a hint above it. */
void apply_log_backend_exception(struct record *rec)
{
    struct str rest = behind(rec->text, STR("  Explanation: ")), says = str_trim(str_split(&rest, '\n')),
               stack = behind(rec->text, STR("Original traceback:\n")); /* of the operator */

    if (!str_starts(str_trim(stack), STR("File \"")))
        stack = behind(rec->text, STR("\n    Traceback:\n"));
    if (!str_starts(str_trim(stack), STR("File \"")))
        stack = stack_in_graph(record_arena(rec), rec->text);
    add_warned(rec, backend_exception, says.n ? says : says_context(record_arena(rec), rec->text), stack);
}

/*
 * torch/_dynamo/output_graph.py of 2.1: "Backend compiler failed with a fake tensor exception at", the user's stack,
 * and "Falling back to eager for this frame." or "Adding a graph break."
 */
void apply_log_backend_break(struct record *rec)
{
    struct str text = rec->text, first = str_trim(str_split(&text, '\n')), stack = text;
    struct str says = STR("The backend refused the graph.");
    ptrdiff_t end = str_find(text, STR("Falling back to eager"));
    size_t before = rec->compile->breaks.n;

    if (end < 0)
        end = str_find(text, STR("Adding a graph break"));
    if (str_ends(first, STR(" at")))
        first = str_drop(first, 3);
    if (end >= 0) {
        stack = str_take(text, (size_t)end);
        says = str_trim(str_skip(text, (size_t)end));
    }
    add_warned(rec, first, says, stack);
    for (size_t i = before; i < rec->compile->breaks.n; i++)
        rec->compile->breaks.v[i]->skips = str_starts(says, STR("Falling back to eager for this frame"));
}
