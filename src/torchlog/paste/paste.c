#include "torchlog/paste/paste.h"

#include "torchlog/crash/any_error.h"
#include "torchlog/crash/crash_begin.h"
#include "torchlog/paste/paste_chars.h"
#include "torchlog/paste/paste_escapes.h"
#include "torchlog/paste/paste_heads.h"
#include "torchlog/paste/paste_known.h"
#include "torchlog/paste/paste_order.h"
#include "torchlog/paste/paste_prefix.h"
#include "torchlog/paste/paste_stacks.h"
#include "torchlog/paste/paste_tables.h"
#include "torchlog/paste/paste_writers.h"

/* Repairs of characters, in the order in which the damages are done to each other. */
static const struct {
    bool (*mend)(struct arena *a, struct str *text);
    enum paste_damage damage;
} characters[] = {
    {paste_decode, PASTE_ENCODING},        {paste_tags, PASTE_CHARACTERS},    {paste_entities, PASTE_CHARACTERS},
    {paste_backslashes, PASTE_CHARACTERS},
    {paste_typography, PASTE_CHARACTERS}, {paste_scanned, PASTE_CHARACTERS}, {paste_colors, PASTE_COLORS},
    {paste_links, PASTE_LINKS},           {paste_bold, PASTE_CHARACTERS},    {paste_overprints, PASTE_PREFIX},
    {paste_carets, PASTE_CHARACTERS},
};

struct repair {
    bool (*mend)(struct arena *a, const struct paste_text *from, struct paste_text *out);
    enum paste_damage damage;
};

static const struct repair lines[] = {
    {paste_unwrap, PASTE_WRAPPED},
    {paste_unprefix, PASTE_PREFIX},
    {paste_indent, PASTE_INDENT},
};

enum { QUOTED_MAX = 4 };
enum { LINES = sizeof lines / sizeof *lines, ROUNDS = 3 };

/* Longer texts are logs that were saved, and every try looks at all lines. */
enum { LINES_OF_TWO = 2000 };

/* One cut may be chance; lines of several windows' width are not. */
enum { CUTS_CERTAIN = 2 };

static bool needs_repair(struct paste_count c)
{
    return c.bad || c.cut >= CUTS_CERTAIN;
}

/* Whether the repair made lines of a text readable, and no others unreadable. */
static bool is_better(struct paste_count before, struct paste_count after)
{
    if (after.bad + after.cut >= before.bad + before.cut || after.good < before.good)
        return false;
    return after.good > before.good || (before.cut >= CUTS_CERTAIN && after.cut < before.cut);
}

/* What a viewer does to all lines, outermost first. Numbers that rise by one from line to line are nobody else's. */
static const struct repair of_viewers[] = {
    {paste_uncolor, 0}, /* no repair by itself: the text is read as it was where nothing else is */
    {paste_unreverse, PASTE_ORDER},
    {paste_unshared, PASTE_PREFIX},
    {paste_unnumber, PASTE_PREFIX},
    {paste_join_writers, PASTE_WRAPPED},
};

/* Repairs of what certain signs show, whatever else is damaged. */
static const struct repair certain[] = {
    {paste_header_of_library, PASTE_HEADER},
    {paste_unquote_some, PASTE_PREFIX},
    {paste_unpad, PASTE_CHARACTERS},  {paste_join_writers, PASTE_WRAPPED},
    {paste_unfold, PASTE_FOLDED},     {paste_unend, PASTE_ESCAPED},
    {paste_unescape, PASTE_ESCAPED},  {paste_unflow, PASTE_WRAPPED}, {paste_unbar, PASTE_PREFIX},
    {paste_outdent, PASTE_INDENT},    {paste_outdent_block, PASTE_INDENT},
    {paste_outdent_hanging, PASTE_INDENT},
    {paste_unlog, PASTE_PREFIX},
    {paste_unlaunch, PASTE_PREFIX},   {paste_redate, PASTE_PREFIX},
    {paste_unrepr, PASTE_ESCAPED},
    {paste_head_of_rank, PASTE_PREFIX},
    {paste_rehead, PASTE_PREFIX}, {paste_retime, PASTE_PREFIX},
    {paste_error_report, PASTE_PREFIX},
    {paste_rejoin, PASTE_WRAPPED},  {paste_announced, PASTE_PREFIX},
    {paste_name_break, PASTE_PREFIX}, {paste_report, PASTE_PREFIX},
    {paste_name_table, PASTE_PREFIX},
    {paste_profile, PASTE_PREFIX},    {paste_uncode_message, PASTE_PREFIX},
    {paste_unannotate, PASTE_PREFIX},  {paste_stack, PASTE_PREFIX},
    {paste_child, PASTE_PREFIX},
    {paste_metrics, PASTE_WRAPPED}, {paste_timers, PASTE_PREFIX},
    {paste_guards, PASTE_PREFIX},  {paste_graph, PASTE_PREFIX},  {paste_name_comparison, PASTE_PREFIX},
};

static unsigned mend_each(struct arena *a, struct paste_text *t, const struct repair *repairs, size_t n)
{
    struct paste_text mended;
    unsigned damage = 0;

    for (size_t i = 0; i < n; i++)
        if (repairs[i].mend(a, t, &mended)) {
            *t = mended;
            damage |= repairs[i].damage;
        }
    return damage;
}

static unsigned mend_first(struct arena *a, struct paste_text *t)
{
    struct paste_text mended;
    unsigned damage = mend_each(a, t, of_viewers, sizeof of_viewers / sizeof *of_viewers);

    for (int depth = 0; depth < QUOTED_MAX && paste_unquote(a, t, &mended); depth++) {
        *t = mended;
        damage |= PASTE_PREFIX;
    }
    return damage | mend_each(a, t, certain, sizeof certain / sizeof *certain);
}

/* Keeps a repaired text when it reads better. */
static bool keep_better(struct paste_text *t, struct paste_count *count, const struct paste_text *mended)
{
    struct paste_count after = paste_look(mended);

    if (!is_better(*count, after))
        return false;
    *t = *mended;
    *count = after;
    return true;
}

/* What was repaired, or 0. */
static unsigned repair_once(struct arena *a, struct paste_text *t, struct paste_count *count)
{
    struct paste_text mended;
    unsigned damage = 0;

    for (size_t i = 0; i < LINES && needs_repair(*count); i++)
        if (lines[i].mend(a, t, &mended) && keep_better(t, count, &mended))
            damage |= lines[i].damage;
    return damage;
}

/* A prefix before lines that have lost their indentation, too: neither repair shows without the other. */
static unsigned repair_two(struct arena *a, struct paste_text *t, struct paste_count *count)
{
    struct paste_text first, second;

    for (size_t i = 0; i < LINES && t->n <= LINES_OF_TWO; i++)
        for (size_t k = i + 1; k < LINES; k++)
            if (lines[i].mend(a, t, &first) && lines[k].mend(a, &first, &second) && keep_better(t, count, &second))
                return lines[i].damage | lines[k].damage;
    return 0;
}

/* One repair may show the damage that another mends: quoted lines that were cut, and cut lines that were quoted. */
static unsigned mend_lines(struct arena *a, struct paste_text *t)
{
    unsigned damage = 0, last = 1;
    struct paste_count count = paste_look(t);
    struct paste_text mended;

    for (int round = 0; round < ROUNDS && needs_repair(count) && last; round++) {
        last = repair_once(a, t, &count);
        last = last ? last : repair_two(a, t, &count);
        damage |= last;
    }
    if (paste_uncut_calls(a, t, &mended)) { /* with no width that all lines are cut at */
        *t = mended;
        damage |= PASTE_WRAPPED;
    }
    if (paste_unwrap_message(a, t, &mended)) {
        *t = mended;
        damage |= PASTE_WRAPPED;
    }
    if (t->n <= LINES_OF_TWO && paste_uncut_phrases(a, t, &mended)) {
        *t = mended;
        damage |= PASTE_WRAPPED;
    }
    return damage;
}

/* Whether there are lines that could be damaged: a word of PyTorch's may itself have been cut. */
static bool is_about_us(struct str text)
{
    static const struct str words[] = {STR_INIT("File \""), STR_INIT("Error: "), STR_INIT("' raised:"),
                                       STR_INIT("Constraints violated ("),
                                       STR_INIT("Root Cause (first observed failure):"),
                                       STR_INIT("the following user stacktrace:"),
                                       STR_INIT("Recompile Reasons"), STR_INIT("tensor '"),
                                       STR_INIT("CompilationMetrics("),
                                       STR_INIT("Greatest absolute difference: ")};
    static const struct str tables[] = {STR_INIT("compilation metrics:"), STR_INIT("Break Reason"),
                                        STR_INIT("Graph Break Count"), STR_INIT("<FrameSummary file "),
                                        STR_INIT("AUTOTUNE "), STR_INIT("skipping cudagraphs due to"),
                                        STR_INIT("failed (exitcode: "), STR_INIT("\nlast reason: "),
                                        STR_INIT("Bypassing autograd cache"), STR_INIT("Bypassing FX Graph Cache"),
                                        STR_INIT("cache miss for key "), STR_INIT("cache hit for key "),
                                        STR_INIT("] [__recompiles] "), STR_INIT("] [__graph_breaks] "),
                                        STR_INIT("Recompiling function ")};
    enum { COPIED_BY_HAND = 256 << 10 }; /* a longer text is a log that was saved, with more than tables */

    return STR_HAS_ANY(text, words) || STR_HAS_ANY(str_take(text, COPIED_BY_HAND), tables) || any_error_is_about(text);
}

/* A viewer's numbers hide where a message begins, and lines behind them look like code that a notebook shows. */
static bool hides_crash(struct arena *a, struct str text)
{
    struct paste_text t, mended;
    bool found = false;

    paste_split(a, text, &t);
    if (!paste_unnumber(a, &t, &mended))
        return false;
    for (size_t i = 0; i < mended.n && !found; i++)
        found = crash_begins(mended.v[i]) != CRASH_NONE;
    return found;
}

static uint32_t ends_of_lines(struct str s)
{
    uint32_t n = 0;

    while (str_chr(s, '\n') >= 0) {
        str_split(&s, '\n');
        n++;
    }
    return n;
}

/* A repair may put a line that was missing before another, as a part of it: both have the number of that one. */
static void number_lines(struct arena *a, const struct paste_text *t, bool moved, struct paste *out)
{
    for (size_t i = 0; i < t->n; i++)
        out->added += ends_of_lines(t->v[i]);
    for (size_t i = 0; (moved || out->added) && i < t->n; i++)
        for (uint32_t more = ends_of_lines(t->v[i]) + 1; more > 0; more--)
            vec_push(a, &out->numbers, t->numbers[i]);
}

/* Repairs that look at what stands above or below a line; each line keeps its place. */
static bool mend_heads(struct arena *a, struct paste_text *t, bool prefixed)
{
    bool any = prefixed && paste_name_break(a, t, t);

    any |= paste_cut_call(a, t, t);
    any |= paste_head_record(a, t, t);
    any |= paste_head_stack(a, t, t);
    any |= paste_raise_stack(a, t, t);
    any |= paste_restore_lines(a, t, t);
    any |= paste_item_break(a, t, t);
    return (paste_name_message(a, t, t) || paste_name_explanation(a, t, t)) || any;
}

/* "[rank0]:", "(Worker pid=12)", "3:"; an empty text for a line that names no writer. */
static struct str writer_of(struct str line)
{
    struct launcher l;
    struct str rest;

    return launcher_take(str_take(line, PASTE_PREFIX_MAX), &l, &rest) &&
                   (l.rank >= 0 || launcher_names_process(l.key))
               ? l.key
               : (struct str){0};
}

/* The lines of one writer alone, and where they are. */
static bool mend_heads_of(struct arena *a, struct paste_text *t, const struct str *writers, struct str writer,
                          bool prefixed)
{
    struct paste_text own = paste_copy(a, t);
    size_t *at = ARENA_ARRAY(a, size_t, t->n ? t->n : 1);

    own.n = 0;
    for (size_t i = 0; i < t->n; i++)
        if (str_eq(writers[i], writer)) {
            own.v[own.n] = t->v[i];
            own.numbers[own.n] = t->numbers[i];
            at[own.n++] = i;
        }
    if (!mend_heads(a, &own, prefixed))
        return false;
    for (size_t i = 0; i < own.n; i++)
        t->v[at[i]] = own.v[i];
    return true;
}

/* Lines of several writers are mixed: what stands above one of them may be another process's. */
static bool mend_heads_of_writers(struct arena *a, struct paste_text *t, bool prefixed)
{
    enum { WRITERS_MAX = 16 };
    struct str *writers = ARENA_ARRAY(a, struct str, t->n ? t->n : 1), seen[WRITERS_MAX];
    size_t n = 0;
    bool any = false;

    for (size_t i = 0; i < t->n; i++) {
        size_t k = 0;

        writers[i] = writer_of(t->v[i]);
        while (k < n && !str_eq(seen[k], writers[i]))
            k++;
        if (k == n && n < WRITERS_MAX)
            seen[n++] = writers[i];
    }
    if (n < 2)
        return mend_heads(a, t, prefixed);
    for (size_t i = 0; i < n; i++)
        any |= mend_heads_of(a, t, writers, seen[i], prefixed);
    return any;
}

bool paste_mend(struct arena *a, struct str text, struct paste *out)
{
    struct paste_text t;
    unsigned of_lines;

    *out = (struct paste){.text = text};
    for (size_t i = 0; i < sizeof characters / sizeof *characters; i++)
        out->damage |= characters[i].mend(a, &out->text) ? characters[i].damage : 0;
    if (!is_about_us(out->text) && !hides_crash(a, out->text))
        return out->damage != 0;
    paste_split(a, out->text, &t);
    of_lines = mend_first(a, &t);
    of_lines |= mend_lines(a, &t);
    of_lines |= mend_heads_of_writers(a, &t, of_lines & PASTE_PREFIX) ? PASTE_PREFIX : 0;
    out->damage |= of_lines;
    if (of_lines) {
        out->text = paste_join(a, &t);
        number_lines(a, &t, of_lines & (PASTE_WRAPPED | PASTE_ESCAPED | PASTE_ORDER | PASTE_FOLDED), out);
    }
    return out->damage != 0;
}

struct str paste_words(struct arena *a, unsigned damage)
{
    static const struct {
        enum paste_damage damage;
        const char *words;
    } names[] = {
        {PASTE_ENCODING, "another encoding than UTF-8"},
        {PASTE_CHARACTERS, "quotation marks, blanks, entities or emphasis of a page"},
        {PASTE_COLORS, "color codes without their escape"},
        {PASTE_LINKS, "links"},
        {PASTE_WRAPPED, "lines cut at the width of a window"},
        {PASTE_ESCAPED, "ends of lines written as \\n"},
        {PASTE_ORDER, "the newest line first"},
        {PASTE_FOLDED, "one line for several workers"},
        {PASTE_PREFIX, "something before each line"},
        {PASTE_INDENT, "lost indentation"},
        {PASTE_HEADER, "a traceback's header in a library's wording"},
    };
    struct str out = {"", 0};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (damage & names[i].damage)
            out = arena_printf(a, "%.*s%s%s", STR_ARG(out), out.n ? ", " : "", names[i].words);
    return out;
}
