#include "torchlog/numbers/table.h"

static struct str bare(struct str cell)
{
    cell = str_trim(cell);
    cell = str_drop_any(str_skip_any(cell, "*`\"'"), "*`\"'");
    return str_trim(cell);
}

/* Where the cell ends, and how many characters part it from the next. */
static size_t cell_end(struct str s, enum table_kind kind, size_t *gap)
{
    for (size_t i = 0; i < s.n; i++) {
        bool blank = s.p[i] == ' ' || s.p[i] == '\t';

        *gap = 1;
        if (kind == TABLE_BARS ? s.p[i] == '|' : blank && kind == TABLE_NARROW)
            return i;
        *gap = 2;
        if (kind == TABLE_WIDE && (s.p[i] == '\t' || (blank && i + 1 < s.n && s.p[i + 1] == ' ')))
            return i;
    }
    *gap = 0;
    return s.n;
}

static void split(struct str line, enum table_kind kind, struct cells *out)
{
    *out = (struct cells){.kind = kind};
    line = str_trim(line);
    if (kind == TABLE_BARS) {
        str_consume(&line, STR("|"));
        line = str_ends(line, STR("|")) ? str_drop(line, 1) : line;
    }
    while (line.n && out->n < TABLE_CELLS) {
        size_t gap, end = cell_end(line, kind, &gap);

        out->v[out->n++] = bare(str_take(line, end));
        line = str_skip(line, end + gap);
        line = kind == TABLE_BARS ? line : str_trim(line);
    }
}

void table_head(struct str line, struct cells *out)
{
    enum { COLUMNS_MIN = 2 };

    split(line, str_chr(line, '|') >= 0 ? TABLE_BARS : TABLE_WIDE, out);
    if (out->kind == TABLE_WIDE && out->n < COLUMNS_MIN)
        split(line, TABLE_NARROW, out);
}

bool table_row(struct str line, const struct cells *head, struct cells *out)
{
    split(line, head->kind, out);
    if (out->n != head->n && head->kind == TABLE_WIDE) /* a long number leaves one blank */
        split(line, TABLE_NARROW, out);
    return out->n == head->n;
}

bool table_is_rule(struct str line)
{
    line = str_trim(line);
    for (size_t i = 0; i < line.n; i++)
        if (!strchr("-=|:+ ", line.p[i]))
            return false;
    return line.n > 0;
}

struct str table_number(struct str s, double *value)
{
    size_t sign = s.n && strchr("+-", s.p[0]) ? 1 : 0;

    if (sign == s.n || !str_is_digit(s.p[sign]))
        return (struct str){0};
    return str_take(s, str_number(s, value));
}
