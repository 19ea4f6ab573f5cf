#include "input/bare_line.h"

static struct str without_nuls(struct str line)
{
    size_t n = 0;

    while (n < line.n && line.p[n] == '\0')
        n++;
    return str_skip(line, n);
}

static bool is_blank(struct str line)
{
    return line.n == 0 || (line.n == 1 && line.p[0] == '\r');
}

/*
 * A payload may contain color codes that belong to it, so the line is first tried as it is. If color codes come before
 * the tab or the record, whatever printed the line added them, and the ones after it, too.
 */
static bool split(struct str *text, struct str known, struct buf *colorless, struct bare_line *out)
{
    bool found = launcher_split(*text, known, &out->launcher, &out->text);

    if (!ansi_present(found ? out->launcher.prefix : *text))
        return found;
    colorless->n = 0;
    ansi_strip(colorless, *text);
    *text = colorless->p ? buf_view(colorless) : (struct str){"", 0};
    return launcher_split(*text, known, &out->launcher, &out->text);
}

void bare_line(struct str line, struct str known, struct buf *colorless, struct bare_line *out)
{
    struct str text = without_nuls(line);
    bool found;

    *out = (struct bare_line){.sort = LINE_BLANK, .text = text, .nuls = line.n - text.n, .plain = text.p == line.p};
    if (is_blank(text))
        return;
    found = split(&text, known, colorless, out);
    out->plain &= out->text.p == line.p;
    if (!is_blank(text))
        out->sort = !found ? LINE_OTHER : out->text.p[0] == '\t' ? LINE_PAYLOAD : LINE_RECORD;
}

struct str bare_payload(struct str text, bool crlf)
{
    text = str_skip(text, 1);
    return crlf && text.n && text.p[text.n - 1] == '\r' ? str_drop(text, 1) : text;
}
