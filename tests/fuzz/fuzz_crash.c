/*
 * A crash in console text: where it begins and ends line by line, the traceback in a text, and what each
 * form says. All views lie in the text or the arena.
 */
#include "fuzz.h"

#include "torchlog/crash/crash_text.h"

#define CHECK(claim) fuzz_check(claim, #claim)

static bool is_within(struct str part, struct str whole)
{
    return part.n == 0 || (part.p >= whole.p && part.p + part.n <= whole.p + whole.n);
}

/* Touches every byte, for the address sanitizer. */
static void look(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        (void)*(const volatile char *)&s.p[i];
}

static void look_at_stack(const struct text_stack *s)
{
    vec_each(const struct text_call, c, &s->calls)
    {
        look(c->file);
        look(c->function);
        look(c->source);
        CHECK(c->line >= 0);
    }
}

static void try_text(struct str text)
{
    struct arena *a = arena_new();

    for (enum crash_form form = CRASH_NONE; form <= CRASH_SHELL; form++) {
        struct crash_text t;

        if (!crash_text_parse(a, form, text, &t))
            continue;
        CHECK(form != CRASH_NONE && t.rank >= -1);
        look(t.type);
        look(t.message);
        look_at_stack(&t.calls);
        look_at_stack(&t.user_calls);
    }
    arena_free(a);
}

/* Reads as the messages of a log are read: a block ends where its scan says so, and its text is parsed. */
static void try_lines(struct str text)
{
    enum crash_form form = CRASH_NONE;
    const char *begin = NULL;
    struct crash_scan scan;
    struct str line;

    while (str_next_line(&text, &line)) {
        size_t lead = crash_lead(line);

        CHECK(lead <= line.n && (lead == 0 || crash_has_lead(line, str_take(line, lead))));
        if (form && crash_scan_next(&scan, line) != CRASH_NO_LINE)
            continue;
        if (form)
            try_text(str_range(begin, line.p));
        form = lead ? CRASH_TRACEBACK : crash_begins(line);
        begin = line.p;
        if (form)
            crash_scan_begin(&scan, form, str_skip(line, lead));
    }
    if (form)
        try_text(str_range(begin, text.p));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};

    if (size == 0)
        return 0;
    CHECK(is_within(crash_traceback(text), text));
    try_lines(text);
    try_text(text);
    return 0;
}
