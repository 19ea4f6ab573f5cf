#include "unit.h"

#include "output/text/text.h"
#include "util/utf8.h"

#include <pty.h>
#include <stdlib.h>
#include <unistd.h>

#define EURO "\xe2\x82\xac"
#define DOTS "\xe2\x80\xa6"

static struct text make(unsigned width, bool color, bool unicode)
{
    return (struct text){.arena = arena_new(), .width = width, .color = color, .unicode = unicode};
}

/* Compares what was written and begins again. */
static void check(struct text *t, const char *expected)
{
    assert_str(buf_view(&t->buf), expected);
    t->buf.n = 0;
}

static void end(struct text *t)
{
    buf_free(&t->buf);
    arena_free(t->arena);
}

static void styles(void **state)
{
    struct text t = make(80, true, true), plain = make(80, false, true);

    (void)state;
    text_str(&t, TEXT_BOLD, STR("bold"));
    text_str(&t, TEXT_PLAIN, STR(" plain "));
    text_printf(&t, TEXT_RED, "%d%%", 7);
    text_str(&t, TEXT_RED, STR(""));
    text_newline(&t);
    check(&t, "\x1b[1mbold\x1b[0m plain \x1b[31m7%\x1b[0m\n");
    text_str(&plain, TEXT_BOLD, STR("bold"));
    check(&plain, "bold");
    end(&t);
    end(&plain);
}

/* Nothing of a trace is obeyed by a terminal. */
static void control_characters(void **state)
{
    struct text t = make(80, true, true), ascii = make(80, false, false);

    (void)state;
    text_str(&t, TEXT_PLAIN, STR("a\tb\nc\rd\x1b[31me\a\x7f\0z"));
    check(&t, "a b c d?[31me??\xef\xbf\xbdz");
    text_str(&t, TEXT_PLAIN,
             STR("\xc2\x9b"
                 "31m\xc2\x80\xc2\x9f\xc2\xa0\xff" EURO));
    check(&t, "??31m????\xc2\xa0\xef\xbf\xbd" EURO);
    text_printf(&t, TEXT_PLAIN, "%s", "x\x1b]0;title\a");
    check(&t, "x?]0;title?");
    text_str(&ascii, TEXT_PLAIN, STR("caf\xc3\xa9 " EURO "\xff\x1b"));
    check(&ascii, "caf? ???");
    for (unsigned c = 0; c < 256; c++) {
        char bytes[3] = {'a', (char)c, 'b'};

        text_str(&t, TEXT_PLAIN, (struct str){bytes, 3});
        assert_true(utf8_valid(buf_view(&t.buf)));
        for (size_t i = 0; i < t.buf.n; i++)
            assert_true((unsigned char)t.buf.p[i] >= 0x20 && t.buf.p[i] != 0x7f);
        t.buf.n = 0;
    }
    end(&t);
    end(&ascii);
}

/* OSC 8, around absolute paths alone: a terminal asks for the file relative to nothing. */
static void links(void **state)
{
    struct text t = make(80, true, true), plain = make(80, false, true);

    (void)state;
    t.links = true;
    text_file(&t, TEXT_PLAIN, STR("a b"), STR("/x/a b\x1b"));
    check(&t, "\x1b]8;;file:///x/a%20b%1B\x1b\\a b\x1b]8;;\x1b\\");
    text_file(&t, TEXT_PLAIN, STR("a"), STR("a"));
    check(&t, "a");
    text_file(&plain, TEXT_PLAIN, STR("a"), STR("/a"));
    check(&plain, "a");
    end(&t);
    end(&plain);
}

static void cells(void **state)
{
    struct text t = make(80, false, true), ascii = make(80, false, false), color = make(80, true, true);

    (void)state;
    text_cell(&t, TEXT_PLAIN, STR("ab"), 5);
    text_cell_right(&t, TEXT_PLAIN, STR("ab"), 5);
    check(&t, "ab      ab");
    text_cell(&t, TEXT_PLAIN, STR("abcde"), 5);
    check(&t, "abcde");
    text_cell(&t, TEXT_PLAIN, STR("abcdef"), 5);
    text_cell_right(&t, TEXT_PLAIN, STR("abcdef"), 5);
    check(&t, "abcd" DOTS "abcd" DOTS);
    text_cell(&t, TEXT_PLAIN, STR(EURO EURO EURO), 4);
    text_cell(&t, TEXT_PLAIN, STR(EURO EURO EURO EURO EURO), 4);
    check(&t, EURO EURO EURO " " EURO EURO EURO DOTS);
    text_cell(&ascii, TEXT_PLAIN, STR("abcdef"), 5);
    check(&ascii, "abc..");
    text_cell(&t, TEXT_PLAIN, STR("abcdef"), 2);
    text_cell(&t, TEXT_PLAIN, STR("abcdef"), 0);
    check(&t, "ab");
    text_cell(&color, TEXT_BOLD, STR("ab"), 4); /* the padding is not styled */
    check(&color, "\x1b[1mab\x1b[0m  ");
    text_cell(&t, TEXT_PLAIN, (struct str){0}, 3);
    check(&t, "   ");
    end(&t);
    end(&ascii);
    end(&color);
}

static void paragraphs(void **state)
{
    struct text t = make(24, false, true);

    (void)state;
    text_paragraph(&t, STR("Head  "), TEXT_PLAIN, 6, TEXT_PLAIN, STR("short"));
    check(&t, "Head  short\n");
    text_paragraph(&t, STR("Head  "), TEXT_PLAIN, 6, TEXT_PLAIN, STR("words that are wrapped at the width"));
    check(&t, "Head  words that are\n      wrapped at the\n      width\n");
    text_paragraph(&t, STR("Head  "), TEXT_PLAIN, 6, TEXT_PLAIN, STR("exactly eighteen c"));
    check(&t, "Head  exactly eighteen c\n");
    text_paragraph(&t, STR("Head  "), TEXT_PLAIN, 6, TEXT_PLAIN, STR("/a/path/without/any/blank/in/it"));
    check(&t, "Head  /a/path/without/an\n      y/blank/in/it\n");
    text_paragraph(&t, STR(""), TEXT_PLAIN, 2, TEXT_PLAIN, STR("line one\nline two\n\nline four"));
    check(&t, "line one\n  line two\n\n  line four\n");
    text_paragraph(&t, STR("Head"), TEXT_PLAIN, 6, TEXT_PLAIN, (struct str){0});
    check(&t, "Head\n");
    text_paragraph(&t, STR("Head  "), TEXT_PLAIN, 6, TEXT_PLAIN, STR("a\x1b[31mb\tc"));
    check(&t, "Head  a?[31mb c\n");
    end(&t);
}

/* However narrow the terminal is, every line gets on, and no word is lost. */
static void any_width(void **state)
{
    static const char words[] = "Some words, a" EURO "very" EURO "long" EURO "word" EURO "indeed, and  two blanks   ";

    size_t expected = 0;

    (void)state;
    for (const char *p = words; *p; p++)
        expected += *p != ' ';
    for (unsigned width = 0; width < 60; width++)
        for (unsigned indent = 0; indent < 30; indent += 7) {
            struct text t = make(width, false, true);
            struct str rest, line;
            size_t letters = 0;

            text_paragraph(&t, STR("Head: "), TEXT_PLAIN, indent, TEXT_PLAIN, str_of(words));
            rest = str_skip(buf_view(&t.buf), 6);
            assert_true(utf8_valid(buf_view(&t.buf)));
            while (str_next_line(&rest, &line)) {
                assert_true(utf8_columns(line) <= (width > indent + 10 ? width : indent + 10) || line.p == t.buf.p + 6);
                for (size_t i = 0; i < line.n; i++)
                    letters += line.p[i] != ' ';
            }
            assert_int_equal(letters, expected);
            end(&t);
        }
}

static void terminals(void **state)
{
    struct winsize size = {.ws_row = 20, .ws_col = 132}, narrow = {.ws_row = 20, .ws_col = 5};
    static const char *const no_widths[] = {"", "0", "39", "10001", "-1", "80x", "99999999999999999999"};
    int terminal, other, pipes[2];

    (void)state;
    unsetenv("COLUMNS");
    assert_int_equal(pipe(pipes), 0);
    if (openpty(&other, &terminal, NULL, NULL, &size) != 0)
        skip(); /* no /dev/pts here, as in some containers */
    assert_int_equal(text_width(terminal), 132);
    assert_int_equal(text_width(pipes[1]), 80);
    setenv("COLUMNS", "61", 1);
    assert_int_equal(text_width(terminal), 61);
    assert_int_equal(text_width(pipes[1]), 61);
    for (size_t i = 0; i < COUNT(no_widths); i++) {
        setenv("COLUMNS", no_widths[i], 1);
        assert_int_equal(text_width(terminal), 132);
    }
    unsetenv("COLUMNS");
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
    assert_true(text_wants_color(terminal));
    assert_false(text_wants_color(pipes[1]));
    setenv("NO_COLOR", "", 1);
    assert_true(text_wants_color(terminal)); /* no-color.org: when present and not empty */
    setenv("NO_COLOR", "1", 1);
    assert_false(text_wants_color(terminal));
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", 1);
    assert_false(text_wants_color(terminal));
    unsetenv("TERM");
    assert_false(text_wants_color(terminal));
    close(terminal);
    close(other);
    assert_int_equal(openpty(&other, &terminal, NULL, NULL, &narrow), 0);
    assert_int_equal(text_width(terminal), 80);
    close(terminal);
    close(other);
    close(pipes[0]);
    close(pipes[1]);
}

/* Which terminals show links, by their variables. */
static void terminals_with_links(void **state)
{
    static const char *const names[] = {"KITTY_WINDOW_ID", "WT_SESSION",   "KONSOLE_VERSION", "GHOSTTY_RESOURCES_DIR",
                                        "TERM_PROGRAM",    "VTE_VERSION"};
    static const struct {
        const char *name, *value;
        bool links;
    } cases[] = {
        {"KITTY_WINDOW_ID", "1", true},      {"WT_SESSION", "x", true},
        {"KONSOLE_VERSION", "210401", true}, {"GHOSTTY_RESOURCES_DIR", "/x", true},
        {"TERM_PROGRAM", "iTerm.app", true}, {"TERM_PROGRAM", "WezTerm", true},
        {"TERM_PROGRAM", "vscode", true},    {"TERM_PROGRAM", "ghostty", true},
        {"TERM_PROGRAM", "Hyper", true},     {"TERM_PROGRAM", "Apple_Terminal", false},
        {"TERM_PROGRAM", "vscode2", false},  {"VTE_VERSION", "5000", true},
        {"VTE_VERSION", "4999", false},      {"VTE_VERSION", "6800", true},
        {"VTE_VERSION", "x", false},         {"VTE_VERSION", "", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++)
        unsetenv(names[i]);
    assert_false(text_knows_links());
    for (size_t i = 0; i < COUNT(cases); i++) {
        setenv(cases[i].name, cases[i].value, 1);
        if (text_knows_links() != cases[i].links)
            fail_msg("%s=%s", cases[i].name, cases[i].value);
        unsetenv(cases[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(styles),     cmocka_unit_test(control_characters), cmocka_unit_test(links),
        cmocka_unit_test(cells),      cmocka_unit_test(paragraphs),         cmocka_unit_test(any_width),
        cmocka_unit_test(terminals),  cmocka_unit_test(terminals_with_links),
    };

    return RUN(tests);
}
