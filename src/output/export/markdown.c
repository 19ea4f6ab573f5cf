#include "output/export/markdown.h"

#include "util/utf8.h"

void markdown_free(struct markdown *m)
{
    buf_free(&m->out);
    buf_free(&m->item);
}

void markdown_limit(struct markdown *m, size_t bytes, size_t most)
{
    m->limit = m->out.n + bytes < most ? m->out.n + bytes : most;
    m->left_out = 0;
    m->dropping = false;
}

void markdown_raw(struct markdown *m, const char *text)
{
    buf_str(&m->item, str_of(text));
}

/* Valid UTF-8 without control and direction characters. */
static struct str clean(struct markdown *m, struct str s, size_t max)
{
    struct str cut = utf8_clean(m->arena, utf8_cut(s, max));
    char *copy = arena_copy(m->arena, cut);

    utf8_make_harmless(copy, cut.n, true);
    return (struct str){copy, cut.n};
}

/* --- sentences ---------------------------------------------------------------------------------------------------- */

/* An invisible character that keeps GitHub from recognizing a mention, a reference or a link. */
#define BREAK "&#8203;"

static void sentence_char(struct markdown *m, char c)
{
    if ((unsigned char)c < ' ')
        buf_char(&m->item, ' ');
    else if (c == '<' || c == '>' || c == '&')
        buf_str(&m->item, c == '<' ? STR("&lt;") : c == '>' ? STR("&gt;") : STR("&amp;"));
    else if (c == '@' || c == '#')
        buf_printf(&m->item, "%s%c" BREAK, c == '#' ? "\\" : "", c);
    else if (strchr("\\`*_{}[]()!|~$", c))
        buf_printf(&m->item, "\\%c", c);
    else
        buf_char(&m->item, c);
}

/* "https://", "www." and "GH-12" become links without any markup. */
static size_t link_start(struct str s)
{
    static const struct str starts[] = {STR_INIT("://"), STR_INIT("www."),    STR_INIT("WWW."), STR_INIT("GH-"),
                                        STR_INIT("gh-"), STR_INIT("mailto:"), STR_INIT("xmpp:")};

    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (str_starts(s, starts[i]))
            return starts[i].n;
    return 0;
}

static void sentence(struct markdown *m, struct str s)
{
    if (s.n && strchr("-+=", *s.p)) /* at the beginning of a line these would start lists and headings */
        buf_char(&m->item, '\\');
    while (s.n) {
        size_t n = link_start(s);

        if (n) {
            buf_str(&m->item, str_take(s, n - 1));
            buf_str(&m->item, STR(BREAK));
            buf_char(&m->item, s.p[n - 1]);
            s = str_skip(s, n);
            continue;
        }
        sentence_char(m, *s.p);
        s = str_skip(s, 1);
    }
}

enum { WORDS_MAX = 3000, SPAN_MAX = 400 };

void markdown_words(struct markdown *m, struct str s)
{
    bool code = false;
    struct str cut = clean(m, s, WORDS_MAX);

    for (struct str rest = cut; rest.n; code = !code) {
        struct str piece = str_split(&rest, '`');

        if (code)
            markdown_code(m, piece, SPAN_MAX);
        else
            sentence(m, piece);
    }
    if (s.n > WORDS_MAX)
        markdown_raw(m, " \xe2\x80\xa6");
}

/* --- code --------------------------------------------------------------------------------------------------------- */

/* The length of the longest run of backticks. */
static size_t backticks(struct str s)
{
    size_t longest = 0, run = 0;

    for (size_t i = 0; i < s.n; i++) {
        run = s.p[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void ticks(struct markdown *m, size_t n)
{
    while (n--)
        buf_char(&m->item, '`');
}

/* Writes text on one line. */
static void span_text(struct markdown *m, struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        buf_char(&m->item, (unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f ? ' ' : s.p[i]);
}

void markdown_code(struct markdown *m, struct str s, size_t max)
{
    struct str cut = clean(m, str_trim(s), max);
    size_t n = backticks(cut) + 1;
    bool padded = n > 1;

    if (cut.n == 0)
        return;
    ticks(m, n);
    markdown_raw(m, padded ? " " : "");
    span_text(m, cut);
    markdown_raw(m, str_trim(s).n > max ? "\xe2\x80\xa6" : "");
    markdown_raw(m, padded ? " " : "");
    ticks(m, n);
}

static bool is_plain(char c)
{
    return (unsigned char)c >= ' ' || c == '\n' || c == '\t';
}

void markdown_fence(struct markdown *m, const char *language, struct str s, size_t max)
{
    struct str cut = clean(m, s, max);
    size_t n = backticks(cut) + 1 > 3 ? backticks(cut) + 1 : 3;

    ticks(m, n);
    markdown_raw(m, language);
    markdown_raw(m, "\n");
    for (size_t i = 0; i < cut.n; i++)
        buf_char(&m->item, is_plain(cut.p[i]) ? cut.p[i] : ' ');
    markdown_raw(m, cut.n && cut.p[cut.n - 1] != '\n' ? "\n" : "");
    if (s.n > max)
        buf_printf(&m->item, "... cut: %zu bytes in all\n", s.n);
    ticks(m, n);
    markdown_raw(m, "\n");
}

/* --- items -------------------------------------------------------------------------------------------------------- */

void markdown_end_item(struct markdown *m)
{
    if (m->dropping || m->out.n + m->item.n > m->limit) {
        m->dropping = true;
        m->left_out++;
    } else {
        buf_str(&m->out, buf_view(&m->item));
    }
    m->item.n = 0;
}

void markdown_left_out(struct markdown *m, const char *one, const char *many)
{
    if (m->left_out)
        buf_printf(&m->out, "\n_%zu more %s left out, because GitHub limits the size of this text._\n", m->left_out,
                   m->left_out == 1 ? one : many);
    m->left_out = 0;
}
