#include "torchlog/paste/paste_escapes.h"

#include "text/messages/explain_text.h"
#include "torchlog/paste/paste_known.h"
#include "util/buf.h"
#include "util/utf8.h"

/*
 * Whoever logs JSON, or the repr() of a text, writes "\n" for the end of a line; so does PyTorch in reasons of breaks.
 */
static bool is_escaped(struct str line)
{
    static const struct str words[] = {STR_INIT("(most recent call last):\\n"), STR_INIT("\\n  File "),
                                       STR_INIT("\\nfrom user code:\\n"), STR_INIT("\\n  Explanation: ")};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_has(line, words[i]))
            return explain_reasons_find(line) < 0 && paste_look_at_line(line) != ANCHOR_GOOD;
    return false;
}

/* A line of a log in JSON, of which some text has several lines. */
static bool is_json(struct str line)
{
    line = str_trim(line);
    return str_starts(line, STR("{\"")) && str_ends(line, STR("}")) && str_has(line, STR("\\n"));
}

/* What is in the next pair of quotation marks, as it is written; moves behind it. */
static bool take_string(struct str *rest, struct str *out)
{
    ptrdiff_t open = str_chr(*rest, '"');
    size_t n = 0;

    if (open < 0)
        return false;
    *rest = str_skip(*rest, (size_t)open + 1);
    while (n < rest->n && rest->p[n] != '"')
        n += rest->p[n] == '\\' ? 2 : 1;
    *out = str_take(*rest, n);
    *rest = str_skip(*rest, n + 1);
    return true;
}

/* The text up to the next end of a line that is written out, with its escapes undone; moves behind it. */
static struct str take_unescaped(struct arena *a, struct str *rest)
{
    struct buf out = {0};
    struct str line;

    while (rest->n) {
        char c = rest->p[0], next = rest->n > 1 ? rest->p[1] : '\0';
        bool escape = c == '\\' && next && strchr("nrtu\"'\\/", next);
        unsigned code;

        *rest = str_skip(*rest, escape ? 2 : 1);
        if (escape && next == 'n')
            break;
        if (escape && next == 'u' && str_hex4(*rest, &code)) {
            *rest = str_skip(*rest, 4);
            utf8_put(&out, code == 0 || (code >= 0xd800 && code < 0xe000) ? 0xfffd : code);
        } else if (!escape || next != 'r') {
            buf_char(&out, !escape ? c : next == 't' ? '\t' : next);
        }
    }
    line = out.n ? arena_str(a, buf_view(&out)) : STR("");
    buf_free(&out);
    return line;
}

static size_t count_escapes(const struct paste_text *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++) {
        struct str rest = t->v[i];

        if (!is_json(rest) && !is_escaped(rest))
            continue;
        for (ptrdiff_t at; (at = str_find(rest, STR("\\n"))) >= 0; n++)
            rest = str_skip(rest, (size_t)at + 2);
    }
    return n;
}

static void add_unescaped(struct arena *a, struct paste_text *out, struct str text, uint32_t number)
{
    do {
        out->v[out->n] = take_unescaped(a, &text);
        out->numbers[out->n++] = number;
    } while (text.n);
}

/* Of JSON the texts of several lines. */
static void add_json(struct arena *a, struct paste_text *out, struct str line, uint32_t number)
{
    struct str text;

    while (take_string(&line, &text))
        if (str_has(text, STR("\\n")))
            add_unescaped(a, out, text, number);
}

bool paste_unescape(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    size_t more = count_escapes(from);

    if (more == 0)
        return false;
    more += from->n;
    *out = (struct paste_text){ARENA_ARRAY(a, struct str, more), ARENA_ARRAY(a, uint32_t, more), 0};
    for (size_t i = 0; i < from->n; i++) {
        if (is_json(from->v[i])) {
            add_json(a, out, from->v[i], from->numbers[i]);
        } else if (is_escaped(from->v[i])) {
            add_unescaped(a, out, from->v[i], from->numbers[i]);
        } else {
            out->v[out->n] = from->v[i];
            out->numbers[out->n++] = from->numbers[i];
        }
    }
    return true;
}
