#include "text/guards/guard_reason.h"

#include "text/guards/guard_call.h"
#include "text/guards/guard_comment.h"
#include "text/guards/guard_expression.h"
#include "text/guards/guard_message.h"
#include "text/python/python_code.h"
#include "text/python/traceback.h"

/* --- one reason --------------------------------------------------------------------------------------------------- */

/* Takes "0/0: ", "!1/0/2: " or "0/1_1: " off the text; at the end of a line the blank may be missing. */
static bool take_compile_id(struct str *text, struct str *id)
{
    size_t n = 0;
    bool digit = false;
    char c;

    while (n < text->n && (str_is_digit(c = text->p[n]) || c == '/' || c == '!' || c == '_')) {
        digit |= str_is_digit(c);
        n++;
    }
    if (!digit || n >= text->n || text->p[n] != ':')
        return false;
    if (n + 1 < text->n && text->p[n + 1] != ' ' && text->p[n + 1] != '\n')
        return false;
    *id = str_take(*text, n);
    *text = str_skip(*text, n + 1);
    return true;
}

/* Cuts "User stack trace:" and the text below it off. */
static struct str take_user_stack(struct str *text)
{
    struct str rest = *text, line;

    while (str_next_line(&rest, &line)) {
        if (!str_eq(str_trim(line), STR("User stack trace:")))
            continue;
        *text = str_range(text->p, line.p);
        return rest;
    }
    return STR("");
}

/* If the comment lacks the place (messages of guards.cpp have no comment), the user stack may have it. */
static void use_stack(struct arena *a, struct guard_reason *out)
{
    struct text_stack stack = {0};
    struct str text = out->user_stack;
    const struct text_call *innermost;

    if (out->user_file.n || text_stack_take(a, &text, &stack) == 0)
        return;
    innermost = &stack.calls.v[stack.calls.n - 1];
    out->user_code = innermost->source;
    out->user_file = innermost->file;
    out->user_line = innermost->line;
    out->user_function = innermost->function;
}

/* "A; B": several checks failed, or one of them did. */
static struct str first_check(struct str text)
{
    ptrdiff_t at = python_find(text, STR("; "), PYTHON_NOT_IN_STRING);

    return at < 0 ? text : str_trim(str_take(text, (size_t)at));
}

/*
 * The comment is cut off first, because it quotes the user's code. The rest is either one of PyTorch's sentences,
 * which may contain any punctuation, or Python checks, of which the first counts.
 */
void guard_reason_parse(struct arena *a, struct str text, struct guard_reason *out)
{
    struct guard_comment c;

    *out = (struct guard_reason){.class = GUARD_OTHER, .index = -1};
    text = str_trim(text);
    if (take_compile_id(&text, &out->against))
        text = str_trim(text);
    else
        str_consume(&text, STR("None: "));
    out->user_stack = take_user_stack(&text);
    guard_comment_parse(a, text, &c);
    out->guard = c.check;
    out->user_code = c.user_code;
    out->user_file = c.file;
    out->user_line = c.line;
    out->user_function = c.function;
    out->hint = c.hint;
    use_stack(a, out);
    if (out->guard.n == 0) {
        /* The backend is compared before the guards, and until 2.9 no text says so (extra_state.cpp). */
        out->class = out->against.n ? GUARD_BACKEND : GUARD_OTHER;
        out->words = out->against.n ? STR("no guard failed; most likely the backend is another one")
                                    : STR("PyTorch did not say which guard failed");
        return;
    }
    if (guard_message_read(a, out->guard, out))
        return;
    out->guard = first_check(out->guard);
    if (!guard_call_read(a, out))
        guard_expression_read(a, out);
}

/* --- several reasons ---------------------------------------------------------------------------------------------- */

static bool begins_reason(struct str line)
{
    struct str id;

    return take_compile_id(&line, &id);
}

/* Reasons without marks: each begins with the id of the compile whose guard failed; other lines continue the reason. */
static void split_lines(struct arena *a, struct str text, struct guard_reason_texts *out)
{
    struct str rest = text, line;
    const char *begin = text.p;

    while (str_next_line(&rest, &line)) {
        if (line.p == begin || !begins_reason(line))
            continue;
        vec_push(a, &out->list, str_trim(str_range(begin, line.p)));
        begin = line.p;
    }
    text = str_trim(str_range(begin, text.p + text.n));
    if (text.n)
        vec_push(a, &out->list, text);
}

/* Lines that continue a reason in a log body, after its mark: the user stack and its lines. */
static bool continues_reason(struct str line)
{
    return str_starts(line, STR("User stack trace:")) || str_starts(line, STR("  "));
}

/*
 * The lines of a log body that begin with "- ", without that mark. 2.4 and earlier have no ids, so there each line is
 * a reason unless it is part of a stack. A text that was pasted in part may begin inside the stack of a reason.
 */
static void split_marked(struct arena *a, struct str text, struct guard_reason_texts *out)
{
    struct str line;
    char *p = arena_alloc(a, text.n + 1);
    size_t begin = 0, n = 0;

    while (str_next_line(&text, &line)) {
        line = str_trim(line).n ? str_range(str_trim(line).p, line.p + line.n) : STR("");
        if (!str_consume(&line, STR("- ")) || (n == 0 && continues_reason(line)))
            continue;
        if (n > begin && !continues_reason(line)) {
            vec_push(a, &out->list, str_trim(str_range(p + begin, p + n)));
            begin = n;
        }
        memcpy(p + n, line.p, line.n);
        n += line.n;
        p[n++] = '\n';
    }
    if (n > begin)
        vec_push(a, &out->list, str_trim(str_range(p + begin, p + n)));
}

/* "guard 0 failures:", above the reasons of one entry of the cache in `recompiles_verbose` (guards.py). */
static bool is_heading(struct str line)
{
    line = str_trim(line);
    return str_starts(line, STR("guard ")) && str_ends(line, STR(" failures:"));
}

void guard_reason_split(struct arena *a, struct str text, struct guard_reason_texts *out)
{
    static const struct str lead = STR_INIT("triggered by the following guard failure(s):");

    text = str_trim(text);
    if (str_starts(text, STR("Recompiling function "))) { /* which says of what, not why */
        str_split(&text, '\n');
        text = str_trim(text);
        if (str_starts(lead, text)) /* the text may be cut off anywhere */
            return;
    }
    if (text.n == 0)
        return;
    if (str_has(text, STR("triggered by the following guard failure")) || str_starts(text, STR("- ")) ||
        is_heading(str_first_line(text)))
        split_marked(a, text, out);
    else
        split_lines(a, text, out);
}

/* Where the id that ends at the colon begins: "0/0: "; -1 if the word before the colon is not an id. */
static ptrdiff_t id_before(struct str line, size_t colon)
{
    size_t begin = colon, slashes = 0;

    while (begin > 0 && (str_is_digit(line.p[begin - 1]) || line.p[begin - 1] == '/'))
        slashes += line.p[--begin] == '/';
    if (slashes != 1 || line.p[begin] == '/' || line.p[colon - 1] == '/' ||
        (begin > 0 && !strchr(" \"'", line.p[begin - 1])))
        return -1;
    return (ptrdiff_t)begin;
}

static bool is_known_reason(struct str text)
{
    struct arena *a = arena_new();
    struct guard_reason reason;
    bool known;

    guard_reason_parse(a, text, &reason);
    known = reason.class != GUARD_OTHER && reason.guard.n;
    arena_free(a);
    return known;
}

ptrdiff_t guard_reason_find(struct str line)
{
    size_t from = 0;

    for (ptrdiff_t at; (at = str_find(str_skip(line, from), STR(": "))) >= 0; from += (size_t)at + 2) {
        ptrdiff_t begin = id_before(line, from + (size_t)at);

        if (begin < 0 || !is_known_reason(str_skip(line, (size_t)begin)))
            continue;
        if (str_ends(str_take(line, (size_t)begin), STR("- ")) || str_ends(str_take(line, (size_t)begin), STR("[\"")))
            begin -= 2;
        return begin;
    }
    return -1;
}
