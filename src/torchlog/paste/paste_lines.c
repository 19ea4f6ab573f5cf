#include "torchlog/paste/paste_lines.h"

#include "text/messages/explain_text.h"
#include "text/python/exception_line.h"
#include "text/python/traceback.h"
#include "torchlog/crash/crash_begin.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/paste/paste_known.h"
#include "util/buf.h"
#include "util/utf8.h"

void paste_split(struct arena *a, struct str text, struct paste_text *out)
{
    struct str rest = text, line;
    size_t n = 0;

    while (str_next_line(&rest, &line))
        n++;
    *out = (struct paste_text){ARENA_ARRAY(a, struct str, n ? n : 1), ARENA_ARRAY(a, uint32_t, n ? n : 1), 0};
    for (rest = text; str_next_line(&rest, &line); out->n++) {
        out->v[out->n] = str_drop(line, line.n && line.p[line.n - 1] == '\r');
        out->numbers[out->n] = (uint32_t)out->n + 1;
    }
}

struct str paste_join(struct arena *a, const struct paste_text *t)
{
    struct buf out = {0};
    struct str text;

    for (size_t i = 0; i < t->n; i++) {
        buf_str(&out, t->v[i]);
        buf_char(&out, '\n');
    }
    text = out.n ? arena_str(a, buf_view(&out)) : STR("");
    buf_free(&out);
    return text;
}

struct paste_text paste_copy(struct arena *a, const struct paste_text *from)
{
    struct paste_text t = {ARENA_ARRAY(a, struct str, from->n + 1), ARENA_ARRAY(a, uint32_t, from->n + 1), from->n};

    memcpy(t.v, from->v, from->n * sizeof *t.v);
    memcpy(t.numbers, from->numbers, from->n * sizeof *t.numbers);
    return t;
}

/* --- where lines were cut ---------------------------------------------------------------------------------------- */

enum { NARROWEST = 40, WIDEST = 400 };

/* Whoever wraps words leaves a line of one word as it is. */
static bool has_words(struct str line)
{
    return !traceback_is_carets(str_trim(line)) && str_chr(str_trim(line), ' ') >= 0;
}

/* Columns of the longest line of words, where lines are so short that a window may have cut them; else 0. */
static size_t widest(const struct paste_text *t)
{
    size_t most = 0;

    for (size_t i = 0; i < t->n; i++) {
        size_t columns = !has_words(t->v[i])      ? 0
                         : t->v[i].n > WIDEST * 4 ? WIDEST + 1
                         : t->v[i].n > most       ? utf8_columns(t->v[i])
                                                  : 0;

        most = columns > most ? columns : most;
    }
    return most >= NARROWEST && most <= WIDEST ? most : 0;
}

static size_t first_word(struct str line)
{
    size_t n = 0;

    while (n < line.n && line.p[n] != ' ')
        n++;
    return n;
}

/* How the pieces of a line go together: cut at a column, or between words. */
enum joint { JOINT_NONE, JOINT_HARD, JOINT_SOFT };

/* `  File "/x.py", line 3, in`, and the function stands on the next line; or "in f" does. */
static bool lacks_function(struct str line, struct str next)
{
    line = str_trim(line);
    if (str_ends(line, STR(",")) && str_consume(&next, STR("in ")))
        return crash_is_call(line);
    return crash_is_call(line) && str_ends(line, STR(", in")) && first_word(next) == next.n;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether a similar line, of which only the numbers differ, stands near it without being cut. */
static bool is_printed(const struct paste_text *t, size_t i, size_t width)
{
    enum { NEAR = 60 };
    size_t first = i > NEAR ? i - NEAR : 0;

    for (size_t k = first; k < t->n && k < i + NEAR; k++)
        if (k != i && t->v[k].n == t->v[i].n && (k == 0 || utf8_columns(t->v[k - 1]) < width) &&
            crash_has_lead(t->v[k], t->v[i]))
            return true;
    return false;
}

/*
 * Whether a line that is as wide as the window is a message and the next a line that the program printed: the last
 * number of the one and the first word of the other are no word.
 */
static bool is_apart(const struct paste_text *t, size_t i, size_t width)
{
    struct str line = t->v[i], next = t->v[i + 1];

    return (str_is_digit(line.p[line.n - 1]) && is_letter(next.p[0]) && is_letter(next.p[1])) ||
           is_printed(t, i + 1, width);
}

/* Columns of the windows that most people have: a message of exactly so many is cut more likely than not. */
static bool is_window(size_t columns)
{
    static const uint8_t windows[] = {80, 100, 120, 132, 140, 160};

    for (size_t i = 0; i < sizeof windows; i++)
        if (columns == windows[i])
            return true;
    return false;
}

static bool names_exception(struct str line)
{
    return exception_line_begins(line) != EXCEPTION_NONE || exception_line_find(line) >= 0 ||
           str_has(line, STR(": Assertion `"));
}

static bool is_code_of_call(const struct paste_text *t, size_t i)
{
    return i > 0 && log_line_indent(t->v[i]) >= 2 && crash_is_call(str_trim(t->v[i - 1]));
}

/* A row of a table of Markdown: columns make rows as wide as each other. */
static bool is_row(struct str line)
{
    line = str_trim(line);
    return str_starts(line, STR("|")) && str_ends(line, STR("|"));
}

/* Whether the whole is one line that was cut: all pieces but the last fill the width. */
static bool is_one_line(const struct paste_text *t, size_t width)
{
    size_t n = t->n;

    while (n && str_trim(t->v[n - 1]).n == 0)
        n--;
    if (n < 2 || width == 0 || (n == 2 && !is_window(width)))
        return false;
    for (size_t i = 0; i < n; i++)
        if ((i + 1 < n && utf8_columns(t->v[i]) != width) || is_row(t->v[i]) ||
            (i && (paste_begins_line(t->v[i]) || crash_has_lead(t->v[i], t->v[i - 1]))))
            return false;
    return true;
}

/*
 * How sure it is that a line is cut: it fills the width, and the next one is no line of its own. Behind code or a line
 * with a prefix there is none that begins at the left with anything; behind a call there never is.
 */
static size_t cut_at(const struct paste_text *t, size_t i, size_t width, enum joint *how)
{
    struct str line = t->v[i], next = i + 1 < t->n ? t->v[i + 1] : STR("");
    size_t columns;
    bool logged;

    *how = JOINT_NONE;
    if (width == 0 || line.n * 2 < width || next.n == 0 || is_row(line))
        return 0;
    if (log_line_indent(next) >= 2 || paste_begins_line(next))
        return 0;
    columns = utf8_columns(line);
    logged = paste_is_logged(line);
    if (columns == width && !(logged && next.n > 1 && is_apart(t, i, width)))
        *how = JOINT_HARD;
    else if (columns < width && next.p[0] != ' ' && columns + 1 + first_word(next) > width &&
             (logged || lacks_function(line, next)))
        *how = JOINT_SOFT;
    if (*how == JOINT_NONE)
        return 0;
    if (crash_is_call(str_trim(line)) || (is_window(width) && (is_code_of_call(t, i) || names_exception(line))))
        return 2;
    return log_line_indent(line) >= 2 || logged;
}

struct paste_count paste_look(const struct paste_text *t)
{
    struct paste_count count = {.width = widest(t)};
    enum joint how;

    for (size_t i = 0; i < t->n; i++) {
        enum anchor x = paste_look_at_line(t->v[i]);

        count.good += x == ANCHOR_GOOD;
        count.bad += x == ANCHOR_BAD;
        count.cut += cut_at(t, i, count.width, &how);
    }
    count.cut += is_one_line(t, count.width) ? 2 : 0;
    return count;
}

/* --- lines that were cut ------------------------------------------------------------------------------------------ */

enum { PIECES_MAX = 12, CUTS_LOOKED_AT = 500, WORD = 30 };

/* What is wanted of a line that was cut. */
struct wanted {
    bool (*is_whole)(struct str text, struct str sentence);
    struct str sentence;
};

/*
 * Whether the line and those behind it make what is wanted, which it is not alone: directly, or with a blank between.
 */
static enum joint joint_of(const struct paste_text *t, size_t i, struct str begin, const struct wanted *w)
{
    struct buf hard = {0}, soft = {0};
    enum joint found = JOINT_NONE;

    if (w->is_whole(begin, w->sentence))
        return found;
    buf_str(&hard, begin);
    buf_str(&soft, str_trim(begin));
    for (size_t k = i + 1; !found && k < t->n && k < i + PIECES_MAX && !paste_begins_line(t->v[k]); k++) {
        buf_str(&hard, str_take(t->v[k], PASTE_LOOKED_AT));
        buf_char(&soft, ' ');
        buf_str(&soft, str_trim(str_take(t->v[k], PASTE_LOOKED_AT)));
        if (w->is_whole(buf_view(&hard), w->sentence))
            found = JOINT_HARD;
        else if (w->is_whole(buf_view(&soft), w->sentence))
            found = JOINT_SOFT;
    }
    buf_free(&hard);
    buf_free(&soft);
    return found;
}

static bool is_sentence(struct str text, struct str wanted)
{
    return str_starts(text, wanted);
}

static bool is_call(struct str text, struct str wanted)
{
    (void)wanted;
    return paste_is_whole_call(text);
}

/* What a line that looks cut says of the cuts. */
static enum joint joint_at(const struct paste_text *t, size_t i)
{
    struct str line = str_take(t->v[i], PASTE_LOOKED_AT);
    ptrdiff_t at = str_find(line, paste_call_begin);
    const struct str *sentence = at < 0 ? paste_sentence_in(line, &at) : NULL;

    if (at < 0 && paste_has_gpu_assert(line))
        return joint_of(t, i, line, &(struct wanted){paste_is_gpu_assert, STR("")});
    if (at < 0 && (at = explain_reasons_find(line)) >= 0)
        return joint_of(t, i, str_skip(line, (size_t)at), &(struct wanted){paste_is_reason_list, STR("")});
    if (at < 0)
        return JOINT_NONE;
    return joint_of(t, i, str_skip(line, (size_t)at),
                    &(struct wanted){sentence ? is_sentence : is_call, sentence ? *sentence : STR("")});
}

/* The columns of the widest line that was cut so, and how many were. */
struct cuts {
    size_t width, seen;
};

static void count_cut(struct cuts *c, struct str line)
{
    size_t columns = utf8_columns(line);

    c->seen++;
    c->width = columns > c->width ? columns : c->width;
}

/*
 * The width at which lines were cut, and how; 0 when nothing shows it. What a line and the next ones make together
 * proves a cut; that a line is as wide as the widest may be chance, and that one a person's sentence.
 */
static size_t width_of(const struct paste_text *t, enum joint *how)
{
    struct cuts proven[3] = {0}, likely[3] = {0};
    size_t looked = 0, most = widest(t), width;

    for (size_t i = 0; i < t->n && looked < CUTS_LOOKED_AT; i++) {
        bool cut = paste_look_at_line(t->v[i]) == ANCHOR_BAD;
        enum joint j = cut ? joint_at(t, i) : JOINT_NONE;

        looked += cut;
        if (j)
            count_cut(&proven[j], t->v[i]);
        else
            cut_at(t, i, most, &j);
        if (j)
            count_cut(&likely[j], t->v[i]);
    }
    *how = likely[JOINT_SOFT].seen > 1 || likely[JOINT_SOFT].seen > likely[JOINT_HARD].seen ||
                   (proven[JOINT_SOFT].seen && !proven[JOINT_HARD].seen)
               ? JOINT_SOFT
               : JOINT_HARD;
    width = *how == JOINT_HARD && proven[*how].seen ? proven[*how].width : likely[*how].width;
    /* A line of words ends before the width, one as much before as its next word is long. */
    if (*how == JOINT_SOFT && width && most > width && most < width + WORD)
        width = most;
    return width >= NARROWEST && width <= WIDEST ? width : 0;
}

/*
 * Whether the next line is the rest of this one: cut at the very column, or, by a program that wraps words, where the
 * next word found no room. `piece` is what stands on the last line of the original, `logged` whether the first has a
 * prefix.
 */
static bool goes_on(struct str piece, struct str next, size_t width, enum joint how, bool logged)
{
    size_t columns = utf8_columns(piece);

    /* All lines of a message have its prefix: what has none is no line of its own. */
    if (next.n && how == JOINT_HARD && columns == width &&
        (logged ? !paste_is_logged(next) : traceback_is_carets(str_trim(next)) && traceback_is_carets(str_trim(piece))))
        return true;
    if (paste_begins_line(next) || next.n == 0 || str_ends(piece, STR("` failed."))) /* an assertion ends so */
        return false;
    if (how == JOINT_HARD)
        return columns == width;
    return columns <= width && next.p[0] != ' ' && columns + 1 + first_word(next) > width;
}

static size_t count_padded(const struct paste_text *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        n += str_ends(str_take(t->v[i], PASTE_LOOKED_AT), STR("  "));
    return n;
}

/* The width to which a terminal filled its lines with blanks: nearly all lines are as wide; 0 if it did not. */
static size_t padded_width(const struct paste_text *t)
{
    enum { PADDED_MIN = 8, OTHERS = 8 };
    size_t width = 0, padded = 0, others = 0;

    if (count_padded(t) < PADDED_MIN) /* most texts, whose columns need not be counted */
        return 0;
    for (size_t i = 0; i < t->n; i++) {
        struct str line = str_take(t->v[i], PASTE_LOOKED_AT);
        size_t columns = utf8_columns(line);

        if (!width && str_ends(line, STR("  ")))
            width = columns;
        padded += columns == width && str_ends(line, STR("  "));
        others += columns != width && line.n > 0;
    }
    return padded >= PADDED_MIN && others * OTHERS <= padded ? width : 0;
}

/* A single blank may be a part of a line that was cut there. */
bool paste_unpad(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    size_t width = padded_width(from);

    if (!width)
        return false;
    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++)
        if (str_ends(out->v[i], STR("  ")))
            out->v[i] = str_drop_any(out->v[i], " ");
    return true;
}

bool paste_unwrap(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    enum joint how;
    size_t width = width_of(from, &how);

    if (!width)
        return false;
    *out = paste_copy(a, from);
    out->n = 0;
    for (size_t i = 0; i < from->n; i++) {
        bool logged = paste_is_logged(from->v[i]);
        struct buf line = {0};
        size_t last = i;

        buf_str(&line, from->v[i]);
        while (last + 1 < from->n && last - i < 10000 &&
               goes_on(from->v[last], from->v[last + 1], width, how, logged)) {
            last++;
            if (how == JOINT_SOFT)
                buf_char(&line, ' ');
            buf_str(&line, from->v[last]);
        }
        out->v[out->n] = last > i ? arena_str(a, buf_view(&line)) : from->v[i];
        out->numbers[out->n++] = from->numbers[i];
        buf_free(&line);
        i = last;
    }
    return out->n < from->n;
}

/* `", line 3, in <modu` and `le>`; `rest` is behind the path. */
static bool is_cut_module(struct str rest, struct str next)
{
    static const struct str name = STR_INIT("<module>");
    ptrdiff_t at = str_find(rest, STR(", in <"));
    struct str begin = str_skip(rest, at < 0 ? rest.n : (size_t)at + 5);

    return begin.n && begin.n < name.n && str_starts(name, begin) && str_eq(str_trim(next), str_skip(name, begin.n));
}

/*
 * "  File "/srv/m.py", line 3, in", the same without "in", with which the next line begins, and `  File "/srv/lib/`
 * where the next line has the rest of the path.
 */
static bool is_cut_call(struct str line, struct str next, bool *in_path)
{
    struct str bare = str_trim(line), path;
    ptrdiff_t quote;

    if (!str_consume(&bare, STR("File \"")) || str_trim(next).n == 0)
        return false;
    quote = str_chr(bare, '"');
    path = str_take(next, PASTE_LOOKED_AT);
    *in_path = quote < 0 || is_cut_module(str_skip(bare, (size_t)quote), next);
    if (quote >= 0 && *in_path)
        return true;
    if (quote >= 0)
        return (str_ends(bare, STR(", in")) || (str_ends(bare, STR(",")) && str_starts(next, STR("in ")))) &&
               str_starts(str_skip(bare, (size_t)quote), STR("\", line "));
    quote = str_find(path, STR("\", line "));
    return quote > 0 && str_chr(str_take(path, (size_t)quote), '"') < 0;
}

/* Calls that are cut in two, in a text whose other lines are not: the window's width does not show which. */
bool paste_uncut_calls(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    *out = paste_copy(a, from);
    out->n = 0;
    for (size_t i = 0; i < from->n; i++) {
        struct str line = from->v[i];
        bool in_path;

        out->numbers[out->n] = from->numbers[i];
        while (i + 1 < from->n && is_cut_call(line, from->v[i + 1], &in_path)) {
            struct str next = from->v[++i];

            next = in_path ? next : str_trim(next);
            line = arena_printf(a, "%.*s%s%.*s", STR_ARG(line), in_path ? "" : " ", STR_ARG(next));
        }
        out->v[out->n++] = line;
    }
    return out->n < from->n;
}

/*
 * Whether words by which a failure is known stand across the end of a line: "[ERROR] RMSE " and "(res-fp64): 0.1". A
 * person's sentence has them within a line.
 */
static bool is_cut_phrase(struct str line, struct str next)
{
    enum { LOOKED_AT = 80 };
    struct buf both = {0};
    bool cut;

    if (line.n < NARROWEST || str_trim(next).n == 0 || paste_begins_line(next))
        return false;
    line = str_skip(line, line.n > LOOKED_AT ? line.n - LOOKED_AT : 0);
    next = str_take(next, LOOKED_AT);
    if (exception_line_has_phrase(line) || exception_line_has_phrase(next))
        return false;
    buf_str(&both, str_trim(line));
    buf_char(&both, ' ');
    buf_str(&both, str_trim(next));
    cut = exception_line_has_phrase(buf_view(&both));
    buf_free(&both);
    return cut;
}

/* The same of lines that do not show the width at which a terminal cut them: there are few, or it filled them. */
bool paste_uncut_phrases(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    *out = paste_copy(a, from);
    out->n = 0;
    for (size_t i = 0; i < from->n; i++) {
        struct str line = from->v[i];

        out->numbers[out->n] = from->numbers[i];
        if (i + 1 < from->n && is_cut_phrase(line, from->v[i + 1])) {
            i++;
            line = arena_printf(a, "%.*s %.*s", STR_ARG(str_drop_any(line, " ")), STR_ARG(str_trim(from->v[i])));
        }
        out->v[out->n++] = line;
    }
    return out->n < from->n;
}

/* --- a message that is wrapped ------------------------------------------------------------------------------------ */

/* "RuntimeError: sell: for argument": an exception whose sentence does not end with its line. */
static bool is_open_head(struct str line)
{
    char last = line.n ? line.p[line.n - 1] : ' ';

    return exception_line_begins(line) != EXCEPTION_NONE && str_has(line, STR(": ")) &&
           (last == ',' || last == '(' || str_is_word_char(last));
}

/* Whether a line may be in the middle of a sentence: nothing that begins another one. */
static bool may_be_within(struct str line)
{
    static const struct str others[] = {STR_INIT(" "),         STR_INIT("\t"),
                                        STR_INIT("- "),        STR_INIT("* "),
                                        STR_INIT("```"),       STR_INIT("#"),
                                        STR_INIT("["),         STR_INIT(">>>"),
                                        STR_INIT("Set TORCH"), STR_INIT("You can suppress"),
                                        STR_INIT("$ ")};

    return line.n && !STR_STARTS_ANY(line, others) && !paste_begins_line(line) &&
           exception_line_begins(line) == EXCEPTION_NONE;
}

/* A sentence that ends with its line: what stands below may be of something else. */
static bool ends_sentence(struct str line, struct str next)
{
    char last = line.n ? line.p[line.n - 1] : ' ', first = next.n ? next.p[0] : ' ';

    return last == ':' || last == ';' ||
           ((last == '.' || last == '!' || last == '?') && !(first >= 'a' && first <= 'z') && first != '_');
}

/*
 * How many lines from i on are one sentence that was wrapped between words, as wide as its widest line: the first word
 * of each had no room in the line above. Two lines prove nothing, and where all are as wide, they were cut at a column.
 * A message whose lines all go on with a plain word is read as it is.
 */
static size_t wrapped_lines(const struct paste_text *t, size_t i)
{
    enum { LINES_MAX = 60, WIDEST_OF_WORDS = 120, LINES_MIN = 3 };
    size_t n = 1, width = utf8_columns(t->v[i]), k;
    bool even = true, plain = true;

    if (width > WIDEST_OF_WORDS)
        return 1;
    while (n < LINES_MAX && i + n < t->n && may_be_within(t->v[i + n])) {
        size_t columns = t->v[i + n].n > WIDEST_OF_WORDS * 4 ? WIDEST_OF_WORDS + 1 : utf8_columns(t->v[i + n]);

        if (columns > WIDEST_OF_WORDS)
            break;
        width = columns > width ? columns : width;
        n++;
    }
    for (k = 1; k < n && !ends_sentence(t->v[i + k - 1], t->v[i + k]); k++) {
        size_t above = utf8_columns(t->v[i + k - 1]);

        if (above + 1 + first_word(t->v[i + k]) <= width)
            break;
        even = even && above == width;
        plain = plain && exception_line_continues(t->v[i + k]);
    }
    return k >= LINES_MIN && !even && !plain && width >= NARROWEST ? k : 1;
}

bool paste_unwrap_message(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    *out = paste_copy(a, from);
    out->n = 0;
    for (size_t i = 0; i < from->n; i++) {
        size_t lines = is_open_head(from->v[i]) ? wrapped_lines(from, i) : 1;
        struct buf joined = {0};

        for (size_t k = 0; lines > 1 && k < lines; k++) {
            buf_str(&joined, k ? STR(" ") : STR(""));
            buf_str(&joined, str_trim(from->v[i + k]));
        }
        out->v[out->n] = lines > 1 ? arena_str(a, buf_view(&joined)) : from->v[i];
        out->numbers[out->n++] = from->numbers[i];
        buf_free(&joined);
        i += lines - 1;
    }
    return out->n < from->n;
}

/* --- what belongs together ---------------------------------------------------------------------------------------- */

/* Nothing stands behind the prefix of PyTorch. */
static bool is_prefix_alone(struct str line)
{
    struct str bare = str_take(line, PASTE_LOOKED_AT);

    return paste_is_logged(bare) && str_trim(str_skip(bare, paste_own_prefix(bare))).n == 0;
}

/* A page broke the lines behind their prefix: then no prefix has anything behind it. */
static bool is_broken_behind_prefix(const struct paste_text *t)
{
    bool alone = false;

    for (size_t i = 0; i < t->n; i++) {
        if (!paste_is_logged(str_take(t->v[i], PASTE_LOOKED_AT)))
            continue;
        if (!is_prefix_alone(t->v[i]))
            return false;
        alone = true;
    }
    return alone;
}

/* What PyTorch writes on a line below the first of a message about recompiling. */
static bool is_line_of_record(struct str line)
{
    static const struct str begins[] = {STR_INIT("function: '"), STR_INIT("last reason: "), STR_INIT("reasons: "),
                                        STR_INIT("To log all recompilation reasons"),
                                        STR_INIT("To diagnose recompilation issues"),
                                        STR_INIT("torch._dynamo hit config."),
                                        STR_INIT("triggered by the following guard failure")};

    return STR_STARTS_ANY(str_trim(line), begins);
}

/* The line whose text was broken off behind the prefix of line i, which stands alone; 0 for none. */
static size_t broken_off(const struct paste_text *t, size_t i, bool all)
{
    size_t next = i + 1;

    if (str_trim(t->v[i]).n == 0 || (all && !is_prefix_alone(t->v[i])))
        return 0;
    while (next < t->n && str_trim(t->v[next]).n == 0)
        next++;
    if (next == t->n)
        return 0;
    if (all)
        return is_prefix_alone(t->v[next]) ? 0 : next;
    return is_line_of_record(t->v[next]) && is_prefix_alone(t->v[i]) ? next : 0;
}

bool paste_rejoin(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool all = is_broken_behind_prefix(from), any = false;
    size_t width = all ? 0 : widest(from);

    /* a prefix that fills the width is a line that was cut there, as others are */
    for (size_t i = 0; i + 1 < from->n && !all && !any; i++) {
        any = broken_off(from, i, false) != 0;
        if (any && utf8_columns(from->v[i]) == width)
            return false;
    }
    if (!all && !any)
        return false;
    *out = paste_copy(a, from);
    out->n = 0;
    for (size_t i = 0; i < from->n; i++) {
        size_t next = broken_off(from, i, all);

        out->v[out->n] = from->v[i];
        out->numbers[out->n] = from->numbers[i];
        if (next) {
            out->v[out->n] = arena_printf(a, "%.*s %.*s", STR_ARG(str_trim(from->v[i])), STR_ARG(from->v[next]));
            i = next;
            while (!all && i + 1 < from->n && str_trim(from->v[i + 1]).n == 0) /* between records, too */
                i++;
        }
        out->n++;
    }
    return true;
}

/* A reply quotes what it answers: most lines begin with the mark, and those that quote a quotation with two. */
bool paste_unquote(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    size_t quoted = 0, others = 0;

    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++) {
        bool prompt = str_starts(out->v[i], STR(">>>"));

        quoted += str_starts(out->v[i], STR(">")) && !prompt;
        others += str_trim(out->v[i]).n && (prompt || !str_starts(out->v[i], STR(">")));
    }
    if (quoted < 3 || quoted < 2 * others)
        return false;
    for (size_t i = 0; i < out->n; i++)
        if (str_consume(&out->v[i], STR(">")))
            str_consume(&out->v[i], STR(" "));
    return true;
}

/* --- indentation -------------------------------------------------------------------------------------------------- */

/* Behind a call stands its line of code, and below that marks; anything else that is said has words of its own. */
static bool is_code(const struct paste_text *t, size_t i)
{
    struct str bare = str_trim(t->v[i]);

    return bare.n && !crash_is_call(bare) && !crash_is_header(bare) && !crash_is_link(bare) &&
           !crash_is_message(bare) && !crash_is_trailer(bare) && !crash_is_elision(bare) &&
           exception_line_begins(bare) == EXCEPTION_NONE;
}

static struct str indented(struct arena *a, struct str line, int blanks)
{
    return arena_printf(a, "%*s%.*s", blanks, "", STR_ARG(str_trim(line)));
}

/* A line that begins a call, or ends with one that stands within a sentence. */
static bool has_call(struct str line)
{
    ptrdiff_t at = str_find(line, paste_call_begin);

    return crash_is_call(line) || (at > 0 && paste_is_before_inline_call(str_take(line, (size_t)at)) &&
                                   crash_is_call(str_skip(line, (size_t)at)));
}

bool paste_indent(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    size_t changed = 0;

    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++) {
        if (!has_call(out->v[i]))
            continue;
        if (crash_is_call(out->v[i])) {
            out->v[i] = indented(a, out->v[i], 2);
            changed++;
        }
        if (i + 1 < out->n && is_code(out, i + 1)) {
            out->v[i + 1] = indented(a, out->v[i + 1], 4);
            i++;
        }
        while (i + 1 < out->n && traceback_is_carets(str_trim(out->v[i + 1]))) {
            out->v[i + 1] = indented(a, out->v[i + 1], 4);
            i++;
        }
    }
    return changed > 0;
}
