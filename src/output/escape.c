#include "output/escape.h"

static const bool is_special[256] = {['&'] = true, ['<'] = true, ['>'] = true, ['"'] = true, ['\''] = true};

static struct str reference(char c)
{
    switch (c) {
    case '&':
        return STR("&amp;");
    case '<':
        return STR("&lt;");
    case '>':
        return STR("&gt;");
    case '"':
        return STR("&quot;");
    default:
        return STR("&#39;"); /* not &apos;, which HTML only has since version 5 */
    }
}

/* Most text has few such characters: what lies between two of them is written in one piece. */
void escape_html(struct sink *out, struct str s)
{
    size_t from = 0;

    for (size_t i = 0; i < s.n; i++) {
        if (!is_special[(unsigned char)s.p[i]])
            continue;
        if (i > from)
            sink_str(out, str_range(s.p + from, s.p + i));
        sink_str(out, reference(s.p[i]));
        from = i + 1;
    }
    if (s.n > from)
        sink_str(out, str_skip(s, from));
}
