#include "input/bare_line.h"

/* Codes are stripped from lines that begin with one; a payload may hold some that are meant. */
static struct str without_colour(struct str line, struct buf *colourless)
{
    if (line.n == 0 || line.p[0] == '\t' || line.p[0] == 'V' || !ansi_present(line))
        return line;
    colourless->n = 0;
    ansi_strip(colourless, line);
    return colourless->p ? buf_view(colourless) : (struct str){"", 0};
}

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

void bare_line(struct str line, struct str known, struct buf *colourless, struct bare_line *out)
{
    struct str text = without_nuls(line);

    *out = (struct bare_line){.sort = LINE_BLANK, .nuls = line.n - text.n};
    out->text = text = without_colour(text, colourless);
    out->plain = text.p == line.p;
    if (is_blank(text))
        return;
    if (!launcher_split(text, known, &out->launcher, &out->text))
        out->sort = LINE_OTHER;
    else
        out->sort = out->text.p[0] == '\t' ? LINE_PAYLOAD : LINE_RECORD;
    out->plain &= out->text.p == text.p;
}

struct str bare_payload(struct str text, bool crlf)
{
    text = str_skip(text, 1);
    return crlf && text.n && text.p[text.n - 1] == '\r' ? str_drop(text, 1) : text;
}
