#include "output/html/escape.h"

#define BIT(c) ((uint64_t)1 << (c))

/*
 * The special characters of HTML, and control characters, which a page must not contain: the first 32 except tab and
 * line ends.
 */
static const uint64_t special =
    (BIT(32) - 1 - BIT(0) - BIT('\t') - BIT('\n') - BIT('\r')) | BIT('&') | BIT('<') | BIT('>') | BIT('"') | BIT('\'');

enum { DELETE = 0x7f };

static bool is_special(unsigned char c)
{
    return c < 64 ? special >> c & 1 : c == DELETE;
}

/* U+2401 to U+2421 are pictures of the control characters. */
static void write_picture(struct sink *out, unsigned char c)
{
    char picture[] = {'\xe2', '\x90', (char)(0x80 + (c == DELETE ? 0x21 : c))};

    sink_str(out, (struct str){picture, sizeof picture});
}

static void write_special(struct sink *out, char c)
{
    switch (c) {
    case '&':
        sink_str(out, STR("&amp;"));
        break;
    case '<':
        sink_str(out, STR("&lt;"));
        break;
    case '>':
        sink_str(out, STR("&gt;"));
        break;
    case '"':
        sink_str(out, STR("&quot;"));
        break;
    case '\'':
        sink_str(out, STR("&#39;")); /* not &apos;, which HTML only has since version 5 */
        break;
    default:
        write_picture(out, (unsigned char)c);
        break;
    }
}

/* Most text has few such characters, so the text between two of them is written in one piece. */
void escape_html(struct sink *out, struct str s)
{
    size_t from = 0;

    for (size_t i = 0; i < s.n; i++) {
        if (!is_special((unsigned char)s.p[i]))
            continue;
        if (i > from)
            sink_str(out, str_range(s.p + from, s.p + i));
        write_special(out, s.p[i]);
        from = i + 1;
    }
    if (s.n > from)
        sink_str(out, str_skip(s, from));
}
