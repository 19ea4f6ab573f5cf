#include "text/graphs/cudagraph_text.h"

#include "input/limits.h"

/* After a dot and with a colon, or not, and then the stack begins in this line: torch/_inductor/compile_fx.py. */
static const struct str found_from = STR_INIT(" Found from");

/* The backend "cudagraphs" writes the beginning twice. */
static struct str without_head(struct str text)
{
    static const struct str heads[] = {
        STR_INIT("skipping cudagraphs due to "),
        STR_INIT("skipping cudagraph due to "),
        STR_INIT("disabling cudagraphs due to "),
    };
    size_t before;

    do {
        before = text.n;
        for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
            str_consume(&text, heads[i]);
    } while (text.n != before);
    return text;
}

/* `File "comfy/ops.py", in forward`, of a program that shortens stacks: the code is all that names a place. */
static void take_without_numbers(struct arena *a, struct str text, struct text_stack *out)
{
    struct text_call *call = NULL;
    struct str line;

    while (str_next_line(&text, &line)) {
        ptrdiff_t at;

        line = str_trim(line);
        if (str_consume(&line, STR("File \"")) && (at = str_find(line, STR("\", in "))) >= 0) {
            if (out->calls.n == LIMIT_STACK_FRAMES)
                return;
            call = vec_add(a, &out->calls);
            *call = (struct text_call){.file = str_take(line, (size_t)at), .function = str_skip(line, (size_t)at + 6)};
        } else if (call && call->source.n == 0) {
            call->source = line;
        }
    }
}

void cudagraph_text_parse(struct arena *a, struct str text, struct cudagraph_text *out)
{
    struct str reason = without_head(str_trim(text)), rest;
    ptrdiff_t at = str_find(reason, found_from);

    *out = (struct cudagraph_text){.reason = str_trim(at < 0 ? reason : str_take(reason, (size_t)at))};
    if (at < 0)
        return;
    out->reason = str_drop(out->reason, str_ends(out->reason, STR(".")));
    rest = str_skip(reason, (size_t)at + found_from.n);
    if (!str_starts(str_trim(rest), STR("File \"")))
        str_split(&rest, '\n');
    if (text_stack_take(a, &rest, &out->stack) == 0)
        take_without_numbers(a, rest, &out->stack);
}

bool cudagraph_text_goes_on(unsigned *state, struct str line)
{
    if (*state == 0) {
        *state = str_has(line, found_from) ? 2 : 1;
        return true;
    }
    return *state == 2 && (line.n == 0 || line.p[0] == ' ');
}
