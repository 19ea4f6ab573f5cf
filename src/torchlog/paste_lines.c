#include "torchlog/paste_lines.h"

#include "input/glog.h"
#include "input/launcher.h"
#include "text/break_ids.h"
#include "text/exception_line.h"
#include "text/explain_text.h"
#include "torchlog/crash_begin.h"
#include "torchlog/crash_lines.h"
#include "torchlog/shown_traceback.h"
#include "util/buf.h"
#include "util/utf8.h"

static const struct str call_begin = STR_INIT("File \"");
static const struct str header = STR_INIT("Traceback (most recent call last):");

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

static struct paste_text copy_of(struct arena *a, const struct paste_text *from)
{
    struct paste_text t = {ARENA_ARRAY(a, struct str, from->n + 1), ARENA_ARRAY(a, uint32_t, from->n + 1), from->n};

    memcpy(t.v, from->v, from->n * sizeof *t.v);
    memcpy(t.numbers, from->numbers, from->n * sizeof *t.numbers);
    return t;
}

/* --- lines that read in one way only ------------------------------------------------------------------------------ */

enum { LOOKED_AT = 4096, BRACKETS_TRIED = 8, PREFIX_MAX = 250, NARROWEST = 40, WIDEST = 400 };

static size_t blanks_of(struct str s)
{
    size_t n = 0;

    while (n < s.n && s.p[n] == ' ')
        n++;
    return n;
}

/* Whether a line is nothing but blanks, up to an offset. */
static bool only_blanks(struct str line, size_t end)
{
    return blanks_of(str_take(line, end)) == end;
}

/* `", line 3` behind the name of the file. */
static bool is_whole_call(struct str call)
{
    struct str rest = str_skip(call, call_begin.n);
    ptrdiff_t at = str_find(rest, STR("\", line "));
    uint64_t number;

    rest = str_skip(rest, at < 0 ? rest.n : (size_t)at + 8);
    return at > 0 && str_take_u64(&rest, &number);
}

/* "[18:01:22] ": no two seconds have the same, so that it names no writer. */
static bool is_clock(struct str key)
{
    return key.n >= 10 && key.p[0] == '[' && key.p[3] == ':' && key.p[6] == ':';
}

static bool take_launcher(struct str line, struct launcher *out, struct str *rest)
{
    return launcher_take(line, out, rest) && !is_clock(out->key);
}

/* Where the text of a line begins, behind what a launcher and PyTorch's own prefix take. */
static size_t own_prefix(struct str line)
{
    struct launcher launcher;
    struct str rest = line, more;
    struct glog g;

    while (take_launcher(rest, &launcher, &more) && more.n < rest.n)
        rest = more;
    if (!glog_parse(rest, &g))
        return line.n - rest.n;
    rest = g.text;
    while (str_starts(rest, STR("[")) && str_chr(str_take(rest, 60), ']') > 0) {
        rest = str_skip(rest, (size_t)str_chr(rest, ']') + 1);
        str_consume(&rest, STR(" "));
    }
    return line.n - rest.n;
}

enum anchor { ANCHOR_NONE, ANCHOR_GOOD, ANCHOR_BAD };

/* Whether nothing but a known prefix and blanks stand before the offset; pytest puts an E before lines. */
static enum anchor look_at_begin(struct str line, ptrdiff_t at)
{
    size_t prefix = own_prefix(line), blanks = blanks_of(str_skip(line, prefix));

    if ((size_t)at == prefix + blanks)
        return ANCHOR_GOOD;
    return line.p[0] == 'E' && only_blanks(str_skip(line, 1), (size_t)at - 1) ? ANCHOR_GOOD : ANCHOR_BAD;
}

/* A line of a stack, which is indented. torchrun puts something before it; so does whoever quotes one in a sentence. */
static enum anchor look_at_call(struct str line, ptrdiff_t at)
{
    if (!is_whole_call(str_skip(line, (size_t)at)) || (size_t)at == own_prefix(line))
        return ANCHOR_BAD;
    return look_at_begin(line, at);
}

/* "[2024-02-13 19:34:50,591] [0/0] torch._dynamo.guards: [DEBUG] text", which no other prefix hides. */
static ptrdiff_t find_bracketed(struct str line)
{
    ptrdiff_t at = str_find(line, STR("torch."));
    struct str before = str_take(line, at < 0 ? 0 : (size_t)at);
    ptrdiff_t open;
    struct glog g;

    for (int tries = 0; tries < BRACKETS_TRIED && (open = str_rchr(before, '[')) >= 0; tries++, before.n = (size_t)open)
        if (glog_parse(str_skip(line, (size_t)open), &g))
            return open;
    return -1;
}

/* "[E515 18:36:47.341808597 ProcessGroupNCCL.cpp:632]" */
static ptrdiff_t find_c10(struct str line)
{
    ptrdiff_t at = str_find(line, STR("ProcessGroupNCCL.cpp:"));

    return at < 0 ? -1 : str_rchr(str_take(line, (size_t)at), '[');
}

/* Long sentences that stand in most texts: where one is not whole, lines were cut. */
static const struct str sentences[] = {
    STR_INIT("Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace (please do this especially if you're reporting a "
             "bug to PyTorch). For even more developer context, set TORCH_LOGS=\"+dynamo\""),
    STR_INIT("Set TORCH_LOGS=\"+dynamo\" and TORCHDYNAMO_VERBOSE=1 for more information"),
    STR_INIT("You can suppress this exception and fall back to eager by setting:"),
    STR_INIT("The above exception was the direct cause of the following exception:"),
    STR_INIT("During handling of the above exception, another exception occurred:"),
    STR_INIT("To log all recompilation reasons, use TORCH_LOGS="),
    STR_INIT("To diagnose recompilation issues, see http"),
    STR_INIT("from user code:"),
    STR_INIT("TorchDynamo compilation metrics:"),
};

enum { SENTENCE_BEGIN = 24 };

/* The sentence that a line begins, wherever in it; *at is where. */
static const struct str *sentence_in(struct str line, ptrdiff_t *at)
{
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if ((*at = str_find(line, str_take(sentences[i], SENTENCE_BEGIN))) >= 0)
            return &sentences[i];
    return NULL;
}

/* explain()'s reasons, up to the end of the last; pprint breaks lines within. */
static bool is_reason_list(struct str text, struct str wanted)
{
    struct str line = str_trim(text);

    (void)wanted;
    return str_ends(line, STR(")")) || str_ends(line, STR("]")) || str_ends(line, STR(",")) || str_ends(line, STR("'"));
}

/* Where PyTorch's own prefix begins, of any form; -1 when the line has none. */
static ptrdiff_t find_logged(struct str line)
{
    ptrdiff_t at = glog_find(str_take(line, PREFIX_MAX), 0);

    if (at < 0)
        at = find_bracketed(line);
    return at < 0 ? find_c10(line) : at;
}

/* A sentence that is not whole shows a cut, also behind a prefix. */
static enum anchor look_at_line(struct str line)
{
    const struct str *sentence;
    ptrdiff_t at, sentence_at;

    line = str_take(line, LOOKED_AT);
    if (ansi_present(line))
        return ANCHOR_NONE;
    if ((sentence = sentence_in(line, &sentence_at)) && !str_starts(str_skip(line, (size_t)sentence_at), *sentence))
        return ANCHOR_BAD;
    if ((at = find_logged(line)) >= 0)
        return own_prefix(str_take(line, (size_t)at)) == (size_t)at ? ANCHOR_GOOD : ANCHOR_BAD;
    if ((at = str_find(line, call_begin)) >= 0)
        return look_at_call(line, at);
    if ((at = explain_reasons_find(line)) >= 0)
        return is_reason_list(str_skip(line, (size_t)at), STR("")) ? ANCHOR_GOOD : ANCHOR_BAD;
    return sentence ? look_at_begin(line, sentence_at) : ANCHOR_NONE;
}

static bool is_logged(struct str line)
{
    return find_logged(str_take(line, LOOKED_AT)) >= 0;
}

/* Begins a line of its own, so that it is no rest of the line before. */
static bool begins_line(struct str line)
{
    struct str bare = str_trim(line);
    ptrdiff_t at;

    if (sentence_in(str_take(bare, SENTENCE_BEGIN), &at))
        return true;
    return bare.n == 0 || str_starts(bare, header) || str_starts(bare, call_begin) || is_logged(line) ||
           exception_line_begins(bare) != EXCEPTION_NONE || crash_is_message(bare) || crash_is_trailer(bare) ||
           crash_is_link(bare) || bare.p[0] == '^' || bare.p[0] == '~' || boxed_is_part(bare);
}

/* Whoever wraps words leaves a line of one word as it is. */
static bool has_words(struct str line)
{
    return !crash_is_marks(str_trim(line)) && str_chr(str_trim(line), ' ') >= 0;
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

/* Whether a line of that form, of which only the numbers differ, stands near by where nothing is cut. */
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

    return (line.p[line.n - 1] >= '0' && line.p[line.n - 1] <= '9' && is_letter(next.p[0]) && is_letter(next.p[1])) ||
           is_printed(t, i + 1, width);
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
    if (width == 0 || line.n * 2 < width || next.n == 0 || blanks_of(next) >= 2 || begins_line(next))
        return 0;
    columns = utf8_columns(line);
    logged = is_logged(line);
    if (columns == width && !(logged && next.n > 1 && is_apart(t, i, width)))
        *how = JOINT_HARD;
    else if (columns < width && next.p[0] != ' ' && columns + 1 + first_word(next) > width &&
             (logged || lacks_function(line, next)))
        *how = JOINT_SOFT;
    if (*how == JOINT_NONE)
        return 0;
    return crash_is_call(str_trim(line)) ? 2 : blanks_of(line) >= 2 || logged;
}

struct paste_count paste_look(const struct paste_text *t)
{
    struct paste_count count = {.width = widest(t)};
    enum joint how;

    for (size_t i = 0; i < t->n; i++) {
        enum anchor x = look_at_line(t->v[i]);

        count.good += x == ANCHOR_GOOD;
        count.bad += x == ANCHOR_BAD;
        count.cut += cut_at(t, i, count.width, &how);
    }
    return count;
}

/* --- lines that were cut ------------------------------------------------------------------------------------------ */

enum { PIECES_MAX = 12, CUTS_LOOKED_AT = 500, WORD = 30 };

/* What is wanted of a line that was cut. */
struct wanted {
    bool (*is_whole)(struct str text, struct str sentence);
    struct str sentence;
};

/* Whether the line and those behind it make what is wanted: directly, or with a blank between. */
static enum joint joint_of(const struct paste_text *t, size_t i, struct str begin, const struct wanted *w)
{
    struct buf hard = {0}, soft = {0};
    enum joint found = JOINT_NONE;

    buf_str(&hard, begin);
    buf_str(&soft, str_trim(begin));
    for (size_t k = i + 1; !found && k < t->n && k < i + PIECES_MAX && !begins_line(t->v[k]); k++) {
        buf_str(&hard, str_take(t->v[k], LOOKED_AT));
        buf_char(&soft, ' ');
        buf_str(&soft, str_trim(str_take(t->v[k], LOOKED_AT)));
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
    return is_whole_call(text);
}

/* What a line that looks cut says of the cuts. */
static enum joint joint_at(const struct paste_text *t, size_t i)
{
    struct str line = str_take(t->v[i], LOOKED_AT);
    ptrdiff_t at = str_find(line, call_begin);
    const struct str *sentence = at < 0 ? sentence_in(line, &at) : NULL;

    if (at < 0 && (at = explain_reasons_find(line)) >= 0)
        return joint_of(t, i, str_skip(line, (size_t)at), &(struct wanted){is_reason_list, STR("")});
    if (at < 0)
        return JOINT_NONE;
    return joint_of(t, i, str_skip(line, (size_t)at),
                    &(struct wanted){sentence ? is_sentence : is_call, sentence ? *sentence : STR("")});
}

/* The width at which lines were cut, and how; 0 when nothing shows it. */
static size_t width_of(const struct paste_text *t, enum joint *how)
{
    size_t width[3] = {0}, seen[3] = {0}, looked = 0, most = widest(t);

    for (size_t i = 0; i < t->n && looked < CUTS_LOOKED_AT; i++) {
        bool cut = look_at_line(t->v[i]) == ANCHOR_BAD;
        enum joint j = cut ? joint_at(t, i) : JOINT_NONE;
        size_t columns;

        looked += cut;
        if (!j)
            cut_at(t, i, most, &j);
        columns = j ? utf8_columns(t->v[i]) : 0;

        seen[j] += j != JOINT_NONE;
        if (j && columns > width[j])
            width[j] = columns;
    }
    *how = seen[JOINT_SOFT] > 1 || seen[JOINT_SOFT] > seen[JOINT_HARD] ? JOINT_SOFT : JOINT_HARD;
    /* A line of words ends before the width, one as much before as its next word is long. */
    if (*how == JOINT_SOFT && width[JOINT_SOFT] && most > width[JOINT_SOFT] && most < width[JOINT_SOFT] + WORD)
        width[JOINT_SOFT] = most;
    return width[*how] >= NARROWEST && width[*how] <= WIDEST ? width[*how] : 0;
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
        (logged ? !is_logged(next) : crash_is_marks(str_trim(next)) && crash_is_marks(str_trim(piece))))
        return true;
    if (begins_line(next) || next.n == 0)
        return false;
    if (how == JOINT_HARD)
        return columns == width;
    return columns <= width && next.p[0] != ' ' && columns + 1 + first_word(next) > width;
}

bool paste_unwrap(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    enum joint how;
    size_t width = width_of(from, &how);

    if (!width)
        return false;
    *out = copy_of(a, from);
    out->n = 0;
    for (size_t i = 0; i < from->n; i++) {
        bool logged = is_logged(from->v[i]);
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

/* --- numbers of a viewer ------------------------------------------------------------------------------------------ */

/* "  12  ", "12: ", "12 | ", "[12] ", "12\t": the number; *end is behind it and what belongs to it. */
static bool take_number(struct str line, uint64_t *number, size_t *end)
{
    struct str rest = str_skip(line, blanks_of(line));
    bool bracket = str_consume(&rest, STR("["));

    if (!str_take_u64(&rest, number) || (bracket && !str_consume(&rest, STR("]"))))
        return false;
    if (!bracket)
        (void)(str_consume(&rest, STR(":")) || str_consume(&rest, STR(" |")) || str_consume(&rest, STR("|")) ||
               str_consume(&rest, STR(".")));
    if (rest.n && !str_consume(&rest, STR(" ")))
        (void)str_consume(&rest, STR("\t"));
    *end = line.n - rest.n;
    return true;
}

/* All lines are numbered, one after the other. Small numbers before few lines may be ranks. */
static bool is_numbered(const struct paste_text *t)
{
    enum { LINES_MANY = 4, RANKS_MAX = 64 };
    size_t rising = 0, lines = 0;
    uint64_t before = 0, first = 0, number;

    for (size_t i = 0; i < t->n; i++) {
        size_t end;

        if (str_trim(t->v[i]).n == 0)
            continue;
        lines++;
        if (!take_number(t->v[i], &number, &end))
            continue;
        first = first ? first : number;
        rising += number == before + 1;
        before = number;
    }
    if (lines < LINES_MANY)
        return lines > 1 && rising + 1 == lines && first > RANKS_MAX;
    return rising * 10 >= lines * 8;
}

bool paste_unnumber(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    uint64_t number;
    size_t end;

    if (!is_numbered(from))
        return false;
    *out = copy_of(a, from);
    for (size_t i = 0; i < out->n; i++)
        if (take_number(out->v[i], &number, &end))
            out->v[i] = str_skip(out->v[i], end);
    return true;
}

/* --- prefixes ----------------------------------------------------------------------------------------------------- */

enum { FORMS_MAX = 16 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t digits_of(struct str s)
{
    size_t n = 0;

    while (n < s.n && is_digit(s.p[n]))
        n++;
    return n;
}

/*
 * How much of a line is this prefix, other numbers and more or fewer blanks before them aside: 0 when it does not begin
 * with it. Blanks at the end are missing where nothing stands behind.
 */
static size_t prefix_length(struct str line, struct str prefix)
{
    size_t i = 0, k = 0;

    while (k < prefix.n) {
        if (i == line.n)
            return str_trim(str_skip(prefix, k)).n == 0 ? i : 0;
        if (is_digit(prefix.p[k]) && is_digit(line.p[i])) {
            k += digits_of(str_skip(prefix, k));
            i += digits_of(str_skip(line, i));
        } else if (prefix.p[k] == line.p[i]) {
            k++;
            i++;
        } else if (prefix.p[k] == ' ' && is_digit(line.p[i])) {
            k++;
        } else if (line.p[i] == ' ' && is_digit(prefix.p[k])) {
            i++;
        } else {
            return 0;
        }
    }
    return i;
}

/* Without the mark of pytest, "E   ", which is of the line. */
static size_t before_mark(struct str prefix)
{
    ptrdiff_t at = str_starts(prefix, STR("E   ")) ? -1 : str_find(prefix, STR(" E   "));

    return str_starts(prefix, STR("E   ")) ? 0 : at < 0 ? prefix.n : (size_t)at + 1;
}

/* What stands before the part of a line that reads in one way only; false when nothing does. */
static bool prefix_of(struct str line, struct str *out)
{
    ptrdiff_t at;

    line = str_take(line, LOOKED_AT);
    if ((at = find_logged(line)) < 0 && (at = str_find(line, call_begin)) >= 0)
        at -= at >= 2 && line.p[at - 1] == ' ' && line.p[at - 2] == ' ' ? 2 : 0;
    else if (at < 0)
        at = str_find(line, header);
    if (at < 0)
        (void)sentence_in(line, &at);
    if (at <= 0 || at > PREFIX_MAX)
        return false;
    *out = str_take(line, before_mark(str_take(line, (size_t)at)));
    return out->n > 0;
}

/* The part of a prefix that names a process, "[rank0]: " or "(worker pid=7) ", is kept: *begin and *end. */
static void find_writer(struct str prefix, size_t *begin, size_t *end)
{
    *begin = *end = 0;
    for (size_t i = 0; i < prefix.n; i++) {
        struct launcher launcher;
        struct str rest, here = str_skip(prefix, i);

        if (here.p[0] != '[' && here.p[0] != '(')
            continue;
        if (!launcher_take(here, &launcher, &rest) || !launcher_names_process(launcher.key))
            continue;
        *begin = i;
        *end = prefix.n - rest.n;
        return;
    }
}

/* What is before and behind the name of the process. */
struct form {
    struct str before, behind;
    size_t lines; /* that have it, among those that read in one way only */
};

/* Known ones are no damage: a launcher's, a container's; pytest's; bars of a group of exceptions. */
static bool is_foreign(const struct form *f, bool logged)
{
    struct launcher launcher;
    struct str all = f->before.n ? f->before : f->behind, rest, bare = str_trim(all);

    if (bare.n == 0) /* nobody indents a message of a log; calls are indented */
        return logged && all.n;
    if (str_eq(bare, STR("|")) || str_eq(bare, STR("E")) || str_eq(bare, STR("+")))
        return false;
    return f->before.n || !take_launcher(all, &launcher, &rest) || str_trim(rest).n;
}

static void add_form(struct form *forms, size_t *n, struct str prefix, bool logged)
{
    struct form f = {0};
    size_t begin, end;

    find_writer(prefix, &begin, &end);
    f.before = str_take(prefix, begin);
    f.behind = str_skip(prefix, end);
    for (size_t i = 0; i < *n; i++)
        if (prefix_length(f.before, forms[i].before) == f.before.n &&
            prefix_length(f.behind, forms[i].behind) == f.behind.n) {
            forms[i].lines++;
            return;
        }
    if (*n < FORMS_MAX && is_foreign(&f, logged)) {
        f.lines = 1;
        forms[(*n)++] = f;
    }
}

static struct str cut(struct arena *a, struct str line, const struct form *f)
{
    size_t before = f->before.n ? prefix_length(line, f->before) : 0, behind, key = 0;
    struct launcher launcher;
    struct str rest = str_skip(line, before), after;

    if (f->before.n && !before)
        return line;
    if (launcher_take(rest, &launcher, &after) && launcher_names_process(launcher.key))
        key = rest.n - after.n;
    behind = f->behind.n ? prefix_length(str_skip(rest, key), f->behind) : 0;
    if (f->behind.n && !behind)
        return line;
    return key && behind
               ? arena_printf(a, "%.*s%.*s", STR_ARG(str_take(rest, key)), STR_ARG(str_skip(rest, key + behind)))
               : str_skip(rest, key ? 0 : behind);
}

bool paste_unprefix(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    struct form forms[FORMS_MAX];
    struct str prefix;
    size_t n = 0, changed = 0;
    bool logged = false; /* one line of PyTorch's log is enough */

    for (size_t i = 0; i < from->n; i++)
        if (!ansi_present(from->v[i]) && prefix_of(from->v[i], &prefix))
            add_form(forms, &n, prefix, is_logged(str_take(from->v[i], LOOKED_AT)));
    *out = copy_of(a, from);
    for (size_t i = 0; i < out->n; i++)
        for (size_t k = 0; k < n; k++) {
            struct str line = cut(a, out->v[i], &forms[k]);

            if (line.p == out->v[i].p && line.n == out->v[i].n)
                continue;
            logged |= is_logged(str_take(line, LOOKED_AT));
            out->v[i] = line;
            changed++;
            break;
        }
    return changed >= 2 || logged;
}

/* --- what belongs together ---------------------------------------------------------------------------------------- */

/* Nothing stands behind the prefix of PyTorch. */
static bool is_prefix_alone(struct str line)
{
    struct str bare = str_take(line, LOOKED_AT);

    return is_logged(bare) && str_trim(str_skip(bare, own_prefix(bare))).n == 0;
}

/* A page broke the lines behind their prefix: then no prefix has anything behind it. */
static bool is_broken_behind_prefix(const struct paste_text *t)
{
    bool alone = false;

    for (size_t i = 0; i < t->n; i++) {
        if (!is_logged(str_take(t->v[i], LOOKED_AT)))
            continue;
        if (!is_prefix_alone(t->v[i]))
            return false;
        alone = true;
    }
    return alone;
}

bool paste_rejoin(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    if (!is_broken_behind_prefix(from))
        return false;
    *out = copy_of(a, from);
    out->n = 0;
    for (size_t i = 0; i < from->n; i++) {
        size_t next = i + 1;

        out->v[out->n] = from->v[i];
        out->numbers[out->n] = from->numbers[i];
        while (is_prefix_alone(from->v[i]) && next < from->n && str_trim(from->v[next]).n == 0)
            next++;
        if (is_prefix_alone(from->v[i]) && next < from->n && !is_prefix_alone(from->v[next])) {
            out->v[out->n] = arena_printf(a, "%.*s %.*s", STR_ARG(str_trim(from->v[i])), STR_ARG(from->v[next]));
            i = next;
        }
        out->n++;
    }
    return true;
}

/* "Attempted to call function marked as skipped", wherever in the line it begins: a type of the registry. */
static ptrdiff_t find_break_type(struct str line)
{
    for (size_t at = 0; at < line.n; at++)
        if ((at == 0 || line.p[at - 1] == ' ') && break_id_of(str_skip(line, at)).n)
            return (ptrdiff_t)at;
    return -1;
}

/* Of a logged break, or of one that explain() found, the words above tell what it is. */
static bool has_named_breaks(const struct paste_text *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (str_has(t->v[i], STR("Break Reason")) || str_has(t->v[i], STR("Break reasons")) ||
            str_has(t->v[i], STR("reason=")))
            return true;
    return false;
}

/* Whether the line, or one directly above it, names the exception. */
static bool is_named(const struct paste_text *t, size_t i)
{
    enum { ABOVE = 3 };

    for (size_t k = i >= ABOVE ? i - ABOVE : 0; k <= i; k++)
        if (is_logged(str_take(t->v[k], LOOKED_AT)) || exception_line_find(t->v[k]) >= 0)
            return true;
    return false;
}

/* A program printed the message of an exception alone: its type, and what explains it below. */
bool paste_name_break(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool changed = false;

    if (has_named_breaks(from))
        return false;
    *out = copy_of(a, from);
    for (size_t i = 0; i + 1 < out->n; i++) {
        struct str line = str_trim(str_take(out->v[i], LOOKED_AT));
        ptrdiff_t at;

        if (!str_starts(str_trim(out->v[i + 1]), STR("Explanation: ")) || is_named(out, i) ||
            (at = find_break_type(line)) < 0)
            continue;
        out->v[i] = arena_printf(a, "torch._dynamo.exc.Unsupported: %.*s", STR_ARG(str_skip(line, (size_t)at)));
        changed = true;
    }
    return changed;
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

bool paste_indent(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    size_t changed = 0;

    *out = copy_of(a, from);
    for (size_t i = 0; i < out->n; i++) {
        if (!crash_is_call(out->v[i]))
            continue;
        out->v[i] = indented(a, out->v[i], 2);
        changed++;
        if (i + 1 < out->n && is_code(out, i + 1)) {
            out->v[i + 1] = indented(a, out->v[i + 1], 4);
            i++;
        }
        while (i + 1 < out->n && crash_is_marks(str_trim(out->v[i + 1]))) {
            out->v[i + 1] = indented(a, out->v[i + 1], 4);
            i++;
        }
    }
    return changed > 0;
}
