/*
 * Runs on tests/cases/log: whatever may be of ours has a mark, and lines that are skipped for want of one are passed on
 * as if each had been looked at.
 *
 *   test_marks DIRECTORY
 */
#include "temp.h"

#include "model/merge/run.h"
#include "torchlog/apply/marks.h"
#include "torchlog/apply/messages.h"

#include <glob.h>

static const char *directory;

/* Calls check for each case; `arena` is empty before. */
static void each_case(void (*check)(struct arena *arena, struct str text, void *object), void *object)
{
    char pattern[4096];
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/*/input.log", directory);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct arena *a = arena_new();

        check(a, temp_read(a, found.gl_pathv[i]), object);
        arena_free(a);
    }
    globfree(&found);
}

/* --- what has a mark ---------------------------------------------------------------------------------------------- */

static bool is_ours(struct str line)
{
    struct log_prefixes none = {0};
    struct buf colorless = {0};
    struct log_line l;

    log_line_parse(line, &none, &colorless, &l);
    buf_free(&colorless);
    return l.form != LOG_BARE || !l.plain || log_kind_may_begin(l.text) || crash_begins(l.text) || crash_lead(l.text);
}

static void check_lines(struct arena *a, struct str text, void *object)
{
    size_t *ours = object;
    struct str line;

    while (str_next_line(&text, &line)) {
        struct str padded = arena_printf(a, "loss 0.5\n%.*s\n", STR_ARG(line));

        if (ansi_present(line) || !is_ours(line))
            continue;
        ++*ours;
        if (log_unmarked(padded) != 9)
            fail_msg("no mark is found in: %.*s", STR_ARG(line));
    }
}

static void lines_of_ours(void **state)
{
    size_t ours = 0;

    (void)state;
    each_case(check_lines, &ours);
    assert_true(ours > 1000);
}

/* Forms of which no case has every word. */
static void other_forms(void **state)
{
    static const char lines[] =
        "[DEBUG] torch._dynamo.guards: x\n"
        "[CRITICAL] torch._dynamo: x\n"
        "ERROR:torch:x\n"
        "[2024-02-13 19:34:50,591] [0/0] torch._dynamo: [DEBUG] x\n"
        "[2024-02-13 19:34:50,591] torch._dynamo: [INFO] x\n"
        "[2024-02-13 19:34:50,591] torch._dynamo: [WARNING] x\n"
        "[2024-02-13 19:34:50,591] torch._dynamo: [ERROR] x\n"
        "[2024-02-13 19:34:50,591] torch._dynamo: [CRITICAL] x\n"
        "[default0]: x\n[trainer0|1]: x\n[worker3]: x\n"
        "[E1121 08:00:06.012345678 ProcessGroupNCCL.cpp:632] x\n"
        "/x.cu:1: f: block: [0,0,0], thread: [1,0,0] Assertion `i < n` failed.\n"
        "Windows fatal exception: access violation\n"
        "Exception ignored in: <function f>\n"
        "test_shop.py:8: in test_total\ntest_shop.py:13: \ntest_shop.py:13:\n"
        "Segmentation fault (core dumped)\nAborted (core dumped)\nBus error (core dumped)\n"
        "Illegal instruction (core dumped)\nFloating point exception (core dumped)\n"
        "free(): invalid next size (fast)\nmalloc(): corrupted top size\nrealloc(): invalid pointer\n"
        "malloc_consolidate(): invalid chunk size\nmunmap_chunk(): invalid pointer\ndouble free or corruption (out)\n"
        "corrupted double-linked list\ncorrupted size vs. prev_size\n*** stack smashing detected ***: terminated\n"
        "python(1234,0x1) malloc: *** error for object 0x1: pointer being freed was not allocated\n"
        "Process completed with exit code 139.\nzsh: bus error  python till.py\n";
    struct arena *a = arena_new();
    size_t ours = 0;

    (void)state;
    check_lines(a, str_of(lines), &ours);
    assert_int_equal(ours, 35);
    arena_free(a);
}

/* What begins a message, and what else a row wants in its first line. */
static struct str headless(struct arena *a, const struct log_kind *k)
{
    return k->flags & LOG_HEADLESS ? arena_printf(a, "%s", k->begins) : STR("");
}

/* A mark is found wherever it stands, to the last bytes of a text. */
static void at_every_place(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < log_kind_count; i++) {
        struct str rest = headless(a, &log_kinds[i]), line;

        while (str_next_line(&rest, &line))
            for (int before = 0; before < 40; before++) {
                const char *has = log_kinds[i].has ? log_kinds[i].has : "";
                struct str text = arena_printf(a, "%*s\n%.*s%s", before, "", STR_ARG(line), has);

                assert_int_equal(log_unmarked(text), before + 1);
            }
        arena_reset(a);
    }
    arena_free(a);
}

static void lines_of_others(void **state)
{
    (void)state;
    assert_int_equal(log_unmarked(STR("")), 0);
    assert_int_equal(log_unmarked(STR("no line yet")), 0);
    assert_int_equal(log_unmarked(STR("\n\nE  \nE")), 6);
    assert_int_equal(log_unmarked(STR("one\nE   KeyError\n")), 4);
    assert_int_equal(log_unmarked(STR("E   KeyError\n")), 0);
    assert_int_equal(log_unmarked(STR("[rank0]: x\n")), 0);
    assert_int_equal(log_unmarked(STR("ok: [1, 2]\n{\"a\": [\"b\"]}\nx.py:7: y\n[0]: done\nthe rest")), 44);
    assert_int_equal(log_unmarked(STR("one\ntwo DEBUG:torch._dynamo:x\nthree\n")), 4);
}

/* --- what is skipped ---------------------------------------------------------------------------------------------- */

/* The messages found in a text, and how many of its lines were skipped. */
struct passed_on {
    struct buf text;
    uint64_t skipped;
};

static bool pass_on(void *object, const struct log_message *m)
{
    struct passed_on *t = object;
    const struct payload *p = &m->payload;

    buf_printf(&t->text, "from %u, crash %d, line %d: %d lines of %d bytes at %d, %d stored, kind %s: %.*s\n",
               m->from->index, m->crash, (int)m->line, (int)p->lines, (int)p->text_bytes, (int)p->offset,
               (int)p->stored, m->kind && m->kind->begins ? m->kind->begins : "none", STR_ARG(m->text));
    return m->crash != CRASH_NONE;
}

static void read_messages(const char *path, bool skip, struct passed_on *out)
{
    struct input *in = input_new(str_of(path));
    struct log_messages m;
    struct line_reader lines;
    struct source s;
    struct line line;

    assert_int_equal(source_open(&s, path, false), 0);
    log_messages_init(&m, in, pass_on, out);
    lines_begin(&lines, &s);
    while (lines_next(&lines, &line)) {
        uint64_t before = m.lines + 1;

        assert_int_equal(line.number, before);
        log_messages_line(&m, &line);
        if (skip)
            log_messages_skip(&m, &lines);
        out->skipped += m.lines - before;
    }
    lines_end(&lines);
    log_messages_finish(&m);
    buf_printf(&out->text, "%d lines, %d understood\n", (int)m.lines, (int)m.understood);
    source_close(&s);
    input_free(in);
}

/* Between its lines stand others: short and indented ones, with colors, tabs, CRLF and what looks like a prefix. */
static struct str mixed(struct str text, struct buf *out)
{
    static const char *const others[] = {
        "step 1\n", "\n", "ok\r\n", "    indented\n", "\x1b[32mgreen\x1b[0m\n", "\r 10 %\r 20 %\n", "[x]: \tnode\n",
        "node-3: \ttab\n", "web | x: [y]\n", "[INFO] 10:00 ready\n", "see x.py: 3\n", "01234567890123456789012345678\n",
    };
    uint64_t seed = text.n;
    struct str line;

    out->n = 0;
    while (str_next_line(&text, &line)) {
        buf_printf(out, "%.*s\n", STR_ARG(line));
        if (test_random(&seed) % 8)
            continue;
        for (uint64_t n = test_random(&seed) % 20; n; n--)
            buf_str(out, str_of(others[test_random(&seed) % COUNT(others)]));
    }
    return buf_view(out);
}

static void check_skipping(struct arena *a, struct str text, void *object)
{
    uint64_t *skipped = object;
    struct passed_on one_by_one = {0}, with_skips = {0};
    struct buf buf = {0};
    const char *path = temp_write("mixed", mixed(text, &buf));

    (void)a;
    read_messages(path, false, &one_by_one);
    read_messages(path, true, &with_skips);
    assert_lines(buf_view(&with_skips.text), buf_view(&one_by_one.text));
    *skipped += with_skips.skipped;
    buf_free(&one_by_one.text);
    buf_free(&with_skips.text);
    buf_free(&buf);
}

static void skipping_changes_nothing(void **state)
{
    uint64_t skipped = 0;

    (void)state;
    each_case(check_skipping, &skipped);
    assert_true(skipped > 1000);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_ours),
        cmocka_unit_test(other_forms),
        cmocka_unit_test(at_every_place),
        cmocka_unit_test(lines_of_others),
        cmocka_unit_test(skipping_changes_nothing),
    };

    if (argc != 2)
        return 2;
    directory = argv[1];
    return RUN(tests);
}
