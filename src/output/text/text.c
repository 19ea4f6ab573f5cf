#include "output/text/text.h"

#include "util/system/terminal.h"
#include "util/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* On narrower terminals nothing is readable, and a larger width is not a real terminal's. */
enum { WIDTH_LEAST = 40, WIDTH_MOST = 10000 };

static const char *const codes[] = {
    [TEXT_PLAIN] = "",          [TEXT_BOLD] = "\x1b[1m",   [TEXT_DIM] = "\x1b[2m",   [TEXT_RED] = "\x1b[31m",
    [TEXT_YELLOW] = "\x1b[33m", [TEXT_GREEN] = "\x1b[32m", [TEXT_BLUE] = "\x1b[34m",
};

/* Replaces each character that is not ASCII with one '?'; returns the new length. */
static size_t make_ascii(char *p, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (((unsigned char)p[i] & 0xc0) != 0x80)
            p[kept++] = p[i] & 0x80 ? '?' : p[i];
    return kept;
}

/* Valid UTF-8 without control characters, or ASCII if the output cannot show anything else. */
static struct str harmless(struct text *t, struct str s)
{
    struct str clean = utf8_clean(t->arena, s);
    char *copy = arena_copy(t->arena, clean);

    utf8_make_harmless(copy, clean.n, false);
    return (struct str){copy, t->unicode ? clean.n : make_ascii(copy, clean.n)};
}

static void styled(struct text *t, enum text_style style, struct str s)
{
    bool coded = t->color && style != TEXT_PLAIN && s.n;

    if (coded)
        buf_str(&t->buf, str_of(codes[style]));
    buf_str(&t->buf, s);
    if (coded)
        buf_str(&t->buf, STR("\x1b[0m"));
}

void text_str(struct text *t, enum text_style style, struct str s)
{
    styled(t, style, harmless(t, s));
}

void text_printf(struct text *t, enum text_style style, const char *fmt, ...)
{
    struct buf b = {0};
    va_list ap;

    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    text_str(t, style, buf_view(&b));
    buf_free(&b);
}

void text_file(struct text *t, enum text_style style, struct str s, struct str path)
{
    bool linked = t->links && str_starts(path, STR("/"));

    if (linked) {
        buf_str(&t->buf, STR("\x1b]8;;"));
        buf_str(&t->buf, STR("file://"));
        buf_url_path(&t->buf, path); /* encoded so that no character of a path ends the escape sequence */
        buf_str(&t->buf, STR("\x1b\\"));
    }
    text_str(t, style, s);
    if (linked)
        buf_str(&t->buf, STR("\x1b]8;;\x1b\\"));
}

void text_newline(struct text *t)
{
    buf_char(&t->buf, '\n');
}

static void pad(struct text *t, unsigned n)
{
    while (n--)
        buf_char(&t->buf, ' ');
}

/* The longest beginning of s that fits, up to a blank if there is one. */
static struct str take_fitting(struct str *s, size_t columns)
{
    struct str line = utf8_fitting(*s, columns);

    if (line.n < s->n && s->p[line.n] != ' ') {
        ptrdiff_t blank = str_rchr(line, ' ');

        if (blank > 0)
            line.n = (size_t)blank;
    }
    *s = str_skip(*s, line.n);
    while (s->n && s->p[0] == ' ')
        *s = str_skip(*s, 1);
    return str_trim(line);
}

static void wrap(struct text *t, unsigned *column, unsigned indent, enum text_style style, struct str s)
{
    do {
        unsigned room = t->width > *column + 10 ? t->width - *column : 10;

        styled(t, style, take_fitting(&s, room));
        text_newline(t);
        if (s.n)
            pad(t, indent);
        *column = indent;
    } while (s.n);
}

void text_paragraph(struct text *t, struct str head, enum text_style head_style, unsigned indent, enum text_style style,
                    struct str s)
{
    unsigned column;
    struct str line;
    bool first = true;

    head = harmless(t, head);
    column = (unsigned)utf8_columns(head);
    styled(t, head_style, head);
    if (s.n == 0)
        text_newline(t);
    while (str_next_line(&s, &line)) {
        line = str_trim(line);
        if (!first && line.n)
            pad(t, indent);
        wrap(t, &column, indent, style, harmless(t, line));
        first = false;
    }
}

static struct str fit(struct text *t, struct str s, unsigned columns)
{
    s = harmless(t, s);
    if (utf8_columns(s) <= columns)
        return s;
    s = utf8_fitting(s, columns > 2 ? columns - (t->unicode ? 1 : 2) : columns);
    return arena_printf(t->arena, "%.*s%s", STR_ARG(s), columns <= 2 ? "" : t->unicode ? "\xe2\x80\xa6" : "..");
}

void text_cell(struct text *t, enum text_style style, struct str s, unsigned columns)
{
    s = fit(t, s, columns);
    styled(t, style, s);
    pad(t, columns - (unsigned)utf8_columns(s));
}

void text_cell_right(struct text *t, enum text_style style, struct str s, unsigned columns)
{
    s = fit(t, s, columns);
    pad(t, columns - (unsigned)utf8_columns(s));
    styled(t, style, s);
}

bool text_wants_color(int fd)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

    return isatty(fd) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

bool text_knows_links(void)
{
    static const char *const marks[] = {"KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "GHOSTTY_RESOURCES_DIR"};
    static const char *const programs[] = {"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper"};
    const char *program = getenv("TERM_PROGRAM"), *vte = getenv("VTE_VERSION");
    uint64_t version;

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (getenv(marks[i]))
            return true;
    for (size_t i = 0; program && i < sizeof programs / sizeof *programs; i++)
        if (strcmp(program, programs[i]) == 0)
            return true;
    return vte && str_u64(str_of(vte), &version) && version >= 5000;
}

unsigned text_width(int fd)
{
    const char *columns = getenv("COLUMNS");
    uint64_t n;

    if (columns && str_u64(str_of(columns), &n) && n >= WIDTH_LEAST && n <= WIDTH_MOST)
        return (unsigned)n;
    n = terminal_columns(fd);
    return n >= WIDTH_LEAST ? (unsigned)n : 80;
}
