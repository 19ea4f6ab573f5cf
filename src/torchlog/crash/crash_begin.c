#include "torchlog/crash/crash_begin.h"

#include "text/python/exception_line.h"
#include "text/python/thread_dump.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/crash/shell_death.h"
#include "torchlog/crash/shown_traceback.h"

enum { LEAD_MAX = 600 };

static const struct str header = STR_INIT("Traceback (most recent call last):");

/* --- first lines -------------------------------------------------------------------------------------------------- */

/* "python: /x/sycl_functions.h:82: int f(): Assertion `p != nullptr' failed.", of the C library. */
static bool is_native_assert(struct str line)
{
    return str_ends(line, STR("' failed.")) && str_has(line, STR(": Assertion `"));
}

static bool is_gpu_assert(struct str line)
{
    line = str_trim(line);
    return str_ends(line, STR("` failed.")) && str_has(line, STR(": block: [")) && str_has(line, STR("Assertion `"));
}

/*
 * What is left of a traceback whose header is missing: the end of a text that was cut, or an exception that a program
 * printed without its stack.
 */
static bool is_tail(struct str text)
{
    if (text.p[0] == 'F' && crash_is_call(text))
        return true;
    return crash_stands_alone(text) || exception_line_begins(text) != EXCEPTION_NONE || exception_line_has_phrase(text);
}

enum crash_form crash_begins(struct str line)
{
    static const struct str fatal[] = {STR_INIT("Fatal Python error: "), STR_INIT("Windows fatal exception: ")};
    struct str text = str_trim(line);

    if (text.n < 6)
        return CRASH_NONE;
    if ((text.p[text.n - 1] == ')' && notebook_begins(line)) || notebook_is_call(text))
        return CRASH_NOTEBOOK;
    if (pytest_begins(line))
        return CRASH_PYTEST;
    if (boxed_begins(text) || boxed_is_place(text))
        return CRASH_BOXED;
    switch (text.p[0]) {
    case 'C':
    case 'E':
    case 'T':
    case '+':
        if (crash_is_head(text) || crash_is_header(text))
            return CRASH_TRACEBACK;
        if (thread_dump_begins(text))
            return CRASH_DUMP;
        break;
    case '[':
        if (crash_is_logged(text))
            return CRASH_LOGGED;
        if (crash_is_caught_signal(text))
            return CRASH_SIGNAL;
        break;
    case '=':
        if (crash_is_native_backtrace(text))
            return CRASH_SIGNAL;
        break;
    case 't':
        if (str_starts(text, STR("terminate called ")))
            return CRASH_TERMINATE;
        break;
    case 'F':
    case 'W':
        if (STR_STARTS_ANY(text, fatal))
            return CRASH_FATAL;
        break;
    default:
        break;
    }
    if (shell_death(line).n)
        return CRASH_SHELL;
    if (is_gpu_assert(text))
        return CRASH_ASSERT;
    if (is_native_assert(text) || shell_is_of_heap(text))
        return CRASH_TERMINATE;
    if (is_tail(text) && !crash_is_shown_code(line))
        return CRASH_TAIL;
    return shell_exit(text).n ? CRASH_SHELL : CRASH_NONE;
}

static bool is_of_torch(struct str text)
{
    return str_has(text, STR("torch/")) || str_has(text, STR("torch\\")) || str_has(text, STR("/triton/"));
}

bool crash_is_certain(struct str line)
{
    struct str text = str_trim(line);
    enum crash_form form = crash_begins(line);

    if (str_ends(text, header))
        return true;
    if (form == CRASH_PYTEST) /* or a place, as other tools print them */
        return str_starts(text, STR("E  "));
    if (form == CRASH_NOTEBOOK && !notebook_begins(text))
        return is_of_torch(text);
    if (form == CRASH_TAIL)
        return crash_is_call(text) ? is_of_torch(text)
                                   : exception_line_begins(text) != EXCEPTION_ANY || exception_text_is_compilers(text);
    return crash_lead(text) || (form != CRASH_NONE && form != CRASH_SHELL && form != CRASH_TRACEBACK);
}

/* --- leads -------------------------------------------------------------------------------------------------------- */

/* Two headers are part of something else. */
static bool is_other_header(struct str before)
{
    return str_ends(before, STR("Original ")) || str_ends(before, STR("Group "));
}

/* Where what c10 logged begins, behind a bar of progress that has no end of line. */
static ptrdiff_t find_logged(struct str line)
{
    ptrdiff_t place = str_find(line, STR(".cpp:")),
              open = place < 0 ? -1 : str_rchr(str_take(line, (size_t)place), '[');

    return open > 0 && crash_is_logged(str_skip(line, (size_t)open)) ? open : -1;
}

size_t crash_lead(struct str line)
{
    ptrdiff_t at = exception_line_find(str_take(line, LEAD_MAX));

    if (at > 0 || (at = str_find(str_take(line, LEAD_MAX), STR("Fatal Python error: "))) > 0)
        return (size_t)at;
    if ((at = find_logged(str_take(line, LEAD_MAX))) > 0 || (at = boxed_find(str_take(line, LEAD_MAX))) > 0)
        return (size_t)at;
    if (!str_ends(line, header) || line.n - header.n > LEAD_MAX)
        return 0;
    line = str_drop(line, header.n);
    return str_trim(line).n && !is_other_header(line) ? line.n : 0;
}

bool crash_has_lead(struct str line, struct str lead)
{
    if (line.n < lead.n)
        return false;
    for (size_t i = 0; i < lead.n; i++)
        if (line.p[i] != lead.p[i] && !(str_is_digit(line.p[i]) && str_is_digit(lead.p[i])))
            return false;
    return true;
}
