#include "torchlog/paste/paste_prefix.h"

#include "input/logger.h"
#include "text/messages/time_line.h"
#include "text/python/exception_line.h"
#include "torchlog/apply/log_kinds.h"
#include "torchlog/crash/crash_begin.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/crash/shown_traceback.h"
#include "torchlog/paste/paste_known.h"

/* --- numbers of a viewer ------------------------------------------------------------------------------------------ */

/* "  12  ", "12: ", "12 | ", "[12] ", "12\t": the number; *end is behind it and what belongs to it. */
static bool take_number(struct str line, uint64_t *number, size_t *end)
{
    struct str rest = str_skip(line, log_line_indent(line));
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

/* "   1  x", "1 | x": a launcher, which writes ranks, puts a colon or brackets there. */
static bool is_margin(struct str number)
{
    struct str bare = str_trim(number);

    return str_ends(bare, STR("|")) || (str_starts(number, STR(" ")) && bare.n && str_is_digit(bare.p[bare.n - 1]));
}

/* All lines are numbered, one after the other. Small numbers before few lines may be ranks. */
static bool is_numbered(const struct paste_text *t)
{
    enum { LINES_MANY = 4, RANKS_MAX = 64 };
    size_t rising = 0, lines = 0, margins = 0;
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
        margins += is_margin(str_take(t->v[i], end));
        before = number;
    }
    if (lines < LINES_MANY)
        return lines > 1 && rising + (first > 1) == lines && (first > RANKS_MAX || (first == 1 && margins == lines));
    return rising * 10 >= lines * 8;
}

bool paste_unnumber(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    uint64_t number;
    size_t end;

    if (!is_numbered(from))
        return false;
    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++)
        if (take_number(out->v[i], &number, &end))
            out->v[i] = str_skip(out->v[i], end);
    return true;
}

/* --- prefixes ----------------------------------------------------------------------------------------------------- */

enum { FORMS_MAX = 16 };

static size_t digits_of(struct str s)
{
    size_t n = 0;

    while (n < s.n && str_is_digit(s.p[n]))
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
        if (str_is_digit(prefix.p[k]) && str_is_digit(line.p[i])) {
            k += digits_of(str_skip(prefix, k));
            i += digits_of(str_skip(line, i));
        } else if (prefix.p[k] == line.p[i]) {
            k++;
            i++;
        } else if (prefix.p[k] == ' ' && str_is_digit(line.p[i])) {
            k++;
        } else if (line.p[i] == ' ' && str_is_digit(prefix.p[k])) {
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

    line = str_take(line, PASTE_LOOKED_AT);
    if ((at = paste_find_logged(line)) < 0 && (at = str_find(line, paste_call_begin)) >= 0)
        at -= at >= 2 && line.p[at - 1] == ' ' && line.p[at - 2] == ' ' ? 2 : 0;
    else if (at < 0)
        at = str_find(line, paste_header);
    if (at < 0)
        at = paste_find_dump(line);
    if (at < 0)
        (void)paste_sentence_in(line, &at);
    if (at <= 0 || at > PASTE_PREFIX_MAX)
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
    return f->before.n || !paste_take_launcher(all, &launcher, &rest) || str_trim(rest).n;
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
            add_form(forms, &n, prefix, paste_is_logged(str_take(from->v[i], PASTE_LOOKED_AT)));
    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++)
        for (size_t k = 0; k < n; k++) {
            struct str line = cut(a, out->v[i], &forms[k]);

            if (line.p == out->v[i].p && line.n == out->v[i].n)
                continue;
            logged |= paste_is_logged(str_take(line, PASTE_LOOKED_AT));
            out->v[i] = line;
            changed++;
            break;
        }
    return changed >= 2 || logged;
}

/* --- what a viewer puts before all lines -------------------------------------------------------------------------- */

enum { TOKENS_MAX = 10 };

/* The words of a prefix, and the separator behind each. */
struct tokens {
    struct str word[TOKENS_MAX];
    size_t end[TOKENS_MAX]; /* where the word ends */
    size_t n;
};

static struct tokens tokens_of(struct str line)
{
    struct tokens t = {0};
    size_t i = 0;

    line = str_take(line, PASTE_PREFIX_MAX);
    while (t.n < TOKENS_MAX && i < line.n) {
        size_t begin = i;

        while (i < line.n && line.p[i] != ' ' && line.p[i] != '\t')
            i++;
        t.word[t.n] = str_range(line.p + begin, line.p + i);
        t.end[t.n++] = i++;
    }
    return t;
}

/* "03:04:05.123", "2026-01-02", "2026-01-02T03:04:05Z": other digits in each line. */
static bool is_time(struct str word)
{
    size_t digits = 0;
    bool parted = false;

    for (size_t i = 0; i < word.n; i++) {
        digits += str_is_digit(word.p[i]);
        parted |= i > 0 && i + 2 < word.n && (word.p[i] == ':' || word.p[i] == '-') && str_is_digit(word.p[i - 1]) &&
                  str_is_digit(word.p[i + 1]) && str_is_digit(word.p[i + 2]);
        if (!str_is_digit(word.p[i]) && !strchr("-:.,TZ+[]", word.p[i]))
            return false;
    }
    return parted && digits >= 4;
}

/* Two processes differ in a number: only times may. */
static size_t common_tokens(const struct tokens *a, size_t n, const struct tokens *b)
{
    size_t k = 0;

    while (k < n && k < b->n && (str_eq(a->word[k], b->word[k]) || (is_time(a->word[k]) && is_time(b->word[k]))))
        k++;
    return k;
}

/* A path, the name of an exception or of PyTorch's logger is of the line. */
static bool is_line_words(struct str word)
{
    return str_has_any_line(word, STR("/\n\\\n\"\nWarning\nError\ntorch\n>\n("));
}

/* "python[123]:", "|", "[stdout]", "-" end what a viewer puts. */
static bool ends_tag(struct str word)
{
    return word.n && (strchr(":|]", word.p[word.n - 1]) || str_eq(word, STR("-")));
}

/* How many of the common words are the viewer's: up to the last time, and a tag behind it. */
static size_t timed_tokens(const struct tokens *t, size_t common)
{
    size_t n = 0, k;

    for (k = 0; k < common; k++)
        if (is_time(t->word[k]))
            n = k + 1;
    for (k = n; n && k < common && !is_line_words(t->word[k]); k++) /* the name of a level may be padded */
        if (ends_tag(t->word[k]))
            n = k + 1;
    return n;
}

/*
 * A name before each line, without a time: a bar or the indentation behind it shows that it is no word of the lines. Of
 * the end of a traceback only the exception is not indented.
 */
static bool is_named(const struct paste_text *t, size_t begin, size_t end, const struct tokens *first, size_t common)
{
    enum { NAMES_MAX = 3, LINES_MIN = 2, DEEPER = 2 };
    size_t least = SIZE_MAX, plain = 0, indented = 0;
    bool calls = false;

    if (common == 0 || common > NAMES_MAX || !str_has_any_line(first->word[0], STR("-\n/\n.")))
        return false;
    for (size_t k = 0; k < common; k++)
        if (is_line_words(first->word[k]))
            return false;
    if (str_eq(first->word[common - 1], STR("|")))
        return true;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = begin; i < end; i++) {
            struct tokens tokens = tokens_of(t->v[i]);
            struct str rest = tokens.n < common ? STR("") : str_skip(t->v[i], tokens.end[common - 1] + 1);
            size_t indent = log_line_indent(rest);

            if (str_trim(rest).n == 0)
                continue;
            plain += pass && indent < least + DEEPER;
            indented += pass && indent >= least + DEEPER;
            calls |= pass && indent == least + CALL_INDENT && str_starts(str_skip(rest, indent), paste_call_begin);
            least = indent < least ? indent : least;
        }
    return (plain >= LINES_MIN || (plain && calls)) && indented >= LINES_MIN;
}

/* How many words before the lines from begin to end are a viewer's; 0 for none. A few lines may lack them. */
static size_t shared_tokens(const struct paste_text *t, size_t begin, size_t end, struct tokens *first)
{
    enum { LINES_MIN = 4, LINES_OF_ODD = 8, LINES_OF_PASTE = 2000 };
    size_t common = 0, lines = 0, odd = 0, n;
    bool elided = false;

    *first = (struct tokens){0};
    for (size_t i = begin; i < end; i++) {
        struct tokens tokens;
        size_t shared;

        if (str_trim(t->v[i]).n == 0)
            continue;
        tokens = tokens_of(t->v[i]);
        if (lines == 0) {
            *first = tokens;
            common = tokens.n;
        }
        shared = common_tokens(first, common, &tokens);
        if (!shared && end - begin > LINES_OF_PASTE) /* nobody puts a line between those of a log that was saved */
            return 0;
        if (!shared && crash_is_elision(str_trim(t->v[i]))) {
            elided = true;
            continue;
        }
        lines++;
        if (shared)
            common = shared;
        else if (++odd > LINES_OF_ODD && odd * LINES_OF_ODD > lines) /* a long text need not be read to its end */
            return 0;
    }
    if (lines < LINES_MIN || odd * LINES_OF_ODD > lines)
        return 0;
    while (common > 0 && first->word[common - 1].n == 0) /* the lines' own indentation */
        common--;
    n = timed_tokens(first, common);
    return n || odd || elided || !is_named(t, begin, end, first, common) ? n : common;
}

/* PyTorch's own lines keep their prefix, and a name of a process stays, too. */
static bool may_lose(struct str line, size_t n)
{
    struct tokens tokens = tokens_of(line);
    struct str prefix = tokens.n < n ? line : str_take(line, tokens.end[n - 1] + 1);
    size_t begin, end;

    find_writer(prefix, &begin, &end);
    return end == begin && !paste_is_of_log(str_take(line, PASTE_LOOKED_AT));
}

/* The line has the words, and goes on without a blank: "WARNING:shop:ValueError". So a logger wrote them, no viewer. */
static bool is_glued(struct str line, const struct tokens *words, size_t n)
{
    struct str prefix = n ? str_range(words->word[0].p, words->word[n - 1].p + words->word[n - 1].n) : STR("");

    return n && line.n > prefix.n && str_starts(line, prefix) && line.p[prefix.n] != ' ' && line.p[prefix.n] != '\t';
}

/*
 * What a viewer of logs puts before every line ("test / linux<tab>Run tests<tab>2026-01-02T03:04:05.1234567Z ",
 * "trainer-0 main "), whatever stands in the lines. The first line and the last may be the viewer's own.
 */
bool paste_unshared(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    size_t end = from->n, begin = 0, n;
    struct tokens first;

    while (end > 0 && str_trim(from->v[end - 1]).n == 0)
        end--;
    n = shared_tokens(from, 0, end, &first);
    if (end > 2) {
        struct tokens of[3];
        size_t others[] = {shared_tokens(from, 0, end - 1, &of[0]), shared_tokens(from, 1, end, &of[1]),
                           shared_tokens(from, 1, end - 1, &of[2])};

        for (size_t i = 0, last = end; i < sizeof others / sizeof *others; i++)
            if (others[i] > n && !is_glued(from->v[0], &of[i], others[i]) &&
                !is_glued(from->v[last - 1], &of[i], others[i])) {
                n = others[i];
                first = of[i];
                begin = i > 0;
                end = i == 1 ? last : last - 1;
            }
    }
    for (size_t i = begin; i < end && n; i++)
        if (str_trim(from->v[i]).n && !may_lose(from->v[i], n))
            return false;
    if (n == 0)
        return false;
    *out = paste_copy(a, from);
    for (size_t i = begin; i < end; i++) {
        struct tokens t = tokens_of(out->v[i]);

        if (common_tokens(&first, n, &t) == n)
            out->v[i] = str_skip(out->v[i], t.end[n - 1] + 1);
    }
    return true;
}

/* Calls are indented by themselves: a text of nothing but calls is not moved. */
bool paste_outdent(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    size_t least = SIZE_MAX;

    for (size_t i = 0; i < from->n && least; i++) {
        size_t indent = log_line_indent(from->v[i]);

        if (str_trim(from->v[i]).n == 0)
            continue;
        least = indent < least ? indent : least;
        if (str_starts(str_skip(from->v[i], least), paste_call_begin))
            least = least > 2 ? least - 2 : 0;
    }
    if (least == 0 || least == SIZE_MAX)
        return false;
    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++)
        out->v[i] = str_skip(out->v[i], log_line_indent(out->v[i]) < least ? out->v[i].n : least);
    return true;
}

/* "> accessing tensor output": pytest has many blanks behind the sign, and a debugger a path. */
static bool is_quoted_message(struct str line)
{
    return str_consume(&line, STR("> ")) && line.n && !strchr(" /<>\t", line.p[0]) &&
           !(str_is_digit(line.p[0]) || str_has(line, STR("py(")));
}

bool paste_unquote_some(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool any = false;

    for (size_t i = 0; i < from->n; i++) {
        size_t end = i;
        bool first = i == 0 || str_trim(from->v[i - 1]).n == 0;

        while (first && end < from->n && is_quoted_message(from->v[end]))
            end++;
        if (end == i || (end < from->n && str_trim(from->v[end]).n))
            continue;
        *out = any ? *out : paste_copy(a, from);
        any = true;
        for (; i < end; i++)
            out->v[i] = str_skip(out->v[i], 2);
    }
    return any;
}

enum { CODE_OF_MARKDOWN = 4 };

/* The first line of what a program or pytest prints. */
static bool is_head_of_output(struct str line)
{
    return str_starts(line, STR("Traceback (most recent call last)")) || str_starts(line, STR("==== ")) ||
           str_starts(line, STR("=========")) || str_starts(line, STR("_________")) || pytest_begins(line) ||
           paste_is_of_log(str_take(line, PASTE_LOOKED_AT));
}

/* How many lines from line i on are indented, with empty lines between them; *indent is the least. */
static size_t block_at(const struct paste_text *t, size_t i, size_t *indent, bool *has_head)
{
    size_t n = 0, lines = 0;

    *indent = SIZE_MAX;
    *has_head = false;
    for (size_t k = i; k < t->n; k++) {
        size_t blanks = log_line_indent(t->v[k]);

        if (str_trim(t->v[k]).n == 0)
            continue;
        if (blanks < CODE_OF_MARKDOWN)
            break;
        *indent = blanks < *indent ? blanks : *indent;
        n = k + 1 - i;
        lines++;
    }
    for (size_t k = i; k < i + n && lines > 1; k++)
        *has_head |= log_line_indent(t->v[k]) == *indent && is_head_of_output(str_skip(t->v[k], *indent));
    return n;
}

bool paste_outdent_block(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool any = false;

    for (size_t i = 0; i < from->n; i++) /* within a traceback, indented lines are the message's */
        if (str_starts(from->v[i], STR("Traceback (most recent call last)")))
            return false;
    for (size_t i = 0; i < from->n; i++) {
        bool first = i == 0 || str_trim(from->v[i - 1]).n == 0, has_head;
        size_t indent, n = first ? block_at(from, i, &indent, &has_head) : 0;

        if (n == 0 || !has_head)
            continue;
        *out = any ? *out : paste_copy(a, from);
        any = true;
        for (size_t k = i; k < i + n; k++)
            out->v[k] = str_skip(out->v[k], log_line_indent(out->v[k]) < indent ? out->v[k].n : indent);
        i += n - 1;
    }
    return any;
}

/*
 * How far the lines below a header are indented as a whole: a logger wrote the header behind its level, "ERROR:    ",
 * and aligned what follows. 0 where calls and exception stand as Python prints them.
 */
static size_t hanging_indent(const struct paste_text *t, size_t header)
{
    size_t above = log_line_indent(t->v[header]), call = 0;

    for (size_t i = header + 1; i < t->n; i++) {
        struct str bare = str_trim(t->v[i]);
        size_t indent = log_line_indent(t->v[i]);

        if (bare.n == 0)
            continue;
        if (call == 0 && !crash_is_call(bare))
            return 0;
        call = call ? call : indent;
        if (indent <= above)
            return 0;
        if (indent < call && exception_line_begins(bare) != EXCEPTION_NONE)
            return call - indent <= CODE_OF_MARKDOWN ? indent : 0;
        if (indent < call && !crash_is_elision_in_stack(bare))
            return 0;
    }
    return 0;
}

bool paste_outdent_hanging(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool any = false;

    for (size_t i = 0; i < from->n; i++) {
        size_t indent = str_ends(str_trim(from->v[i]), paste_header) ? hanging_indent(from, i) : 0;

        if (indent == 0)
            continue;
        *out = any ? *out : paste_copy(a, from);
        any = true;
        for (size_t k = i + 1; k < out->n; k++, i++) {
            bool blank = str_trim(out->v[k]).n == 0;

            if (!blank && log_line_indent(out->v[k]) < indent)
                break;
            out->v[k] = blank ? STR("") : str_skip(out->v[k], indent);
        }
    }
    return any;
}

/* --- bars of progress --------------------------------------------------------------------------------------------- */

bool paste_unbar(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool any = false;

    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++) {
        size_t bar = crash_bar_length(str_take(out->v[i], PASTE_LOOKED_AT));

        if (bar == 0 || paste_look_at_line(str_skip(out->v[i], bar)) != ANCHOR_GOOD)
            continue;
        out->v[i] = str_skip(out->v[i], bar);
        any = true;
    }
    return any;
}

/* --- heads of other loggers --------------------------------------------------------------------------------------- */

/* Of a line of PyTorch's log. On Windows, too. */
static bool has_torch(struct str place)
{
    return str_has(place, STR("torch/")) || str_has(place, STR("torch\\"));
}

/* The times that vLLM prints are read behind its own prefix, which says whose they are. */
static bool is_of_times(struct str line)
{
    return time_line_find(line) >= 0 || time_line_aside_find(line) >= 0;
}

/* Of a line that another logger wrote, where a message of PyTorch's begins; 0 if it is none, or begins the line. */
static size_t logged_at(struct str line)
{
    struct str rest = str_take(line, PASTE_LOOKED_AT);
    size_t n = rest.n;
    ptrdiff_t name;
    char level;

    if ((rest.n > 1 && str_is_digit(rest.p[1]) && strchr("VIWEC", rest.p[0])) || !logger_take(&rest, &level))
        return 0;
    name = str_find(rest, STR(": "));
    if (name > 0 && !str_is_digit(rest.p[0]) && exception_line_begins(rest) == EXCEPTION_NONE &&
        !log_kind_may_begin(rest) && str_chr(str_take(rest, (size_t)name), ' ') < 0)
        rest = str_skip(rest, (size_t)name + 2);
    if (!log_kind_may_begin(rest) || has_torch(str_take(line, n - rest.n)) || is_of_times(line) ||
        paste_is_of_log(str_take(line, PASTE_LOOKED_AT)))
        return 0;
    return n - rest.n;
}

/* How many bytes of the line are one of the leads, whatever the digits of its time are. */
static size_t lead_of(struct str line, const struct str *leads, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (crash_has_lead(line, leads[i]))
            return leads[i].n;
        if (line.n < leads[i].n && crash_has_lead(line, str_trim(leads[i]))) /* of an empty line */
            return line.n;
    }
    return 0;
}

/* What a logger put before every line, of which one is certain to be PyTorch's or Python's; empty if there is none. */
static struct str lead_of_all(const struct paste_text *t)
{
    struct str lead = {0};
    size_t begin, end;
    bool good = false;

    for (size_t i = 0; i < t->n; i++) {
        struct str rest = str_take(t->v[i], PASTE_LOOKED_AT), all = rest;
        size_t own;
        char level;

        if (str_trim(rest).n == 0)
            continue;
        if (lead.n == 0 && logger_take(&rest, &level))
            lead = str_take(all, all.n - rest.n);
        own = lead.n ? lead_of(all, &lead, 1) : 0;
        if (own == 0 || paste_is_of_log(all))
            return (struct str){0};
        rest = str_skip(all, own);
        good |= crash_is_header(rest) || paste_look_at_line(rest) == ANCHOR_GOOD || log_kind_may_begin(rest);
    }
    find_writer(lead, &begin, &end); /* the name of a process stays */
    return good && begin == end ? lead : (struct str){0};
}

/*
 * A lead is taken off all lines that have it: of a message all have it, or the first alone, and so of a traceback. What
 * stands before every line is one, whatever they say.
 */
bool paste_unlog(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    enum { LEADS_MAX = 16 };
    struct str leads[LEADS_MAX] = {lead_of_all(from)};
    size_t n = leads[0].n > 0;

    for (size_t i = 0; i < from->n && n < LEADS_MAX; i++) {
        size_t at = logged_at(from->v[i]);

        if (at && lead_of(from->v[i], leads, n) != at)
            leads[n++] = str_take(from->v[i], at);
    }
    if (n == 0)
        return false;
    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++)
        if (!is_of_times(out->v[i]))
            out->v[i] = str_skip(out->v[i], lead_of(out->v[i], leads, n));
    return true;
}

/* --- a head that was cut ------------------------------------------------------------------------------------------ */

/* Parts of a date and of a number. */
static bool is_cut_head(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!str_is_digit(s.p[i]) && !strchr(" :.", s.p[i]))
            return false;
    return true;
}

/*
 * Where "torch/_dynamo/variables/tensor.py:869] " begins. An id behind it is certain; without one, nothing but the rest
 * of the head may stand before it.
 */
static ptrdiff_t place_at(struct str line, size_t at)
{
    struct str place = str_take(line, at), rest = str_skip(line, at + 4);
    ptrdiff_t begin = str_rchr(place, ' ') + 1;
    uint64_t number;

    if (!has_torch(str_skip(place, (size_t)begin)) || !str_take_u64(&rest, &number) || !str_consume(&rest, STR("] ")))
        return -1;
    if (str_consume(&rest, STR("[")) && str_take_u64(&rest, &number) && str_starts(rest, STR("/")))
        return begin;
    return is_cut_head(str_take(line, (size_t)begin)) ? begin : -1;
}

/* Another logger may have put its own place before. */
static ptrdiff_t find_place(struct str line)
{
    enum { PLACES = 3 };
    struct str window = str_take(line, PASTE_PREFIX_MAX);
    size_t at = 0;

    for (int tries = 0; tries < PLACES; tries++) {
        ptrdiff_t next = str_find(str_skip(window, at), STR(".py:")), begin;

        if (next < 0)
            return -1;
        at += (size_t)next;
        begin = place_at(line, at);
        if (begin >= 0)
            return paste_is_logged(str_take(line, PASTE_LOOKED_AT)) ? -1 : begin;
        at += 4;
    }
    return -1;
}

/*
 * The level and the date of the line behind, where it has all that is left of the head: "W0806 ". A message of several
 * lines has the same head before each.
 */
static struct str head_behind(struct str line, ptrdiff_t place, struct str next)
{
    size_t at = (size_t)place, left = at;
    ptrdiff_t found;

    while (left > 0 && (str_is_digit(line.p[left - 1]) || strchr(" :.", line.p[left - 1])))
        left--;
    found = str_find(next, str_range(line.p + left, line.p + at + (size_t)str_chr(str_skip(line, at), ']') + 1));
    return left < at && found > 0 && paste_is_logged(str_take(next, PASTE_LOOKED_AT))
               ? str_take(next, (size_t)found + at - left)
               : (struct str){0};
}

/* The line with a head, which begins what it logs; what stands before the cut one and is no bar is kept. */
static struct str with_head(struct arena *a, struct str line, ptrdiff_t place, struct str next)
{
    struct str head = head_behind(line, place, next);
    struct str before = str_skip(str_take(line, (size_t)place), crash_bar_length(str_take(line, (size_t)place)));

    if (head.n == 0)
        head = STR("W0101 00:00:00.000000 0 ");
    return arena_printf(a, "%.*s%.*s%.*s", STR_ARG(is_cut_head(before) ? STR("") : before), STR_ARG(head),
                        STR_ARG(str_skip(line, (size_t)place)));
}

/* "[0/1] [__recompiles] " begins the line: all of the head but the compile id and the artifact is gone. */
static bool begins_with_artifact(struct str line)
{
    uint64_t number;

    return str_consume(&line, STR("[")) && str_take_u64(&line, &number) && str_consume(&line, STR("/")) &&
           str_take_u64(&line, &number) && str_consume(&line, STR("] [__")) &&
           str_starts(str_skip(line, str_word(line).n), STR("] "));
}

bool paste_rehead(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool any = false;

    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++) {
        ptrdiff_t at = find_place(out->v[i]);

        if (at < 0 && begins_with_artifact(out->v[i])) {
            out->v[i] = arena_printf(a, "V0101 00:00:00.000000 0 torch/_logging/_internal.py:1] %.*s",
                                     STR_ARG(out->v[i]));
            any = true;
        }
        if (at < 0)
            continue;
        out->v[i] = with_head(a, out->v[i], at, i + 1 < out->n ? out->v[i + 1] : STR(""));
        any = true;
    }
    return any;
}

/* --- a date that was cut ------------------------------------------------------------------------------------------ */

/* "torch._dynamo.convert_frame: [WARNING] " before a line, of 2.0 to 2.2 without its date; empty for other lines. */
static struct str undated_prefix(struct str line)
{
    ptrdiff_t at = str_starts(line, STR("torch.")) ? str_find(str_take(line, PASTE_PREFIX_MAX), STR(": [")) : -1, end;
    struct str rest = str_skip(line, at < 0 ? line.n : (size_t)at + 3);

    if (at < 0 || str_chr(str_take(line, (size_t)at), ' ') >= 0)
        return (struct str){0};
    end = str_find(rest, STR("] "));
    rest = str_take(rest, end < 0 ? 0 : (size_t)end);
    if (!str_eq(rest, STR("WARNING")) && !str_eq(rest, STR("ERROR")) && !str_eq(rest, STR("INFO")) &&
        !str_eq(rest, STR("DEBUG")))
        return (struct str){0};
    return str_take(line, (size_t)(rest.p + rest.n + 2 - line.p));
}

/* A message of several lines, a traceback among them: without a date each line would be one by itself. */
bool paste_redate(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    bool any = false;

    for (size_t i = 0; i < from->n; i++) {
        struct str prefix = undated_prefix(from->v[i]);
        bool traceback = false;
        size_t end = i;

        while (prefix.n && end < from->n && str_starts(from->v[end], prefix))
            traceback |= crash_is_header(str_skip(from->v[end++], prefix.n));
        if (!traceback)
            continue;
        *out = any ? *out : paste_copy(a, from);
        any = true;
        for (; i < end; i++)
            out->v[i] = arena_printf(a, "[2000-01-01 00:00:00,000] %.*s", STR_ARG(out->v[i]));
    }
    return any;
}

/* --- two times ---------------------------------------------------------------------------------------------------- */

/* The message whose lines are looked at. */
struct dated_message {
    struct str prefix, second; /* of its first lines, and of those behind the lines that were left out */
    struct glog head;
    bool has_stack;
};

static bool is_same_place(const struct glog *a, const struct glog *b)
{
    return a->line == b->line && a->number == b->number && str_eq(a->file, b->file);
}

/* No message begins within a stack: who left out lines left out the end of one message and the beginning of another. */
static bool goes_on_later(const struct dated_message *m, struct str prefix, const struct glog *g, struct str text)
{
    if (m->second.n)
        return str_eq(m->second, prefix);
    return m->has_stack && is_same_place(&m->head, g) && str_trim(text).n && crash_indent(text) >= 2;
}

bool paste_retime(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    struct dated_message m = {0};
    bool any = false;

    for (size_t i = 0; i < from->n; i++) {
        struct str line = str_take(from->v[i], PASTE_LOOKED_AT), prefix, text;
        ptrdiff_t at = paste_find_logged(line);
        size_t own = at < 0 ? 0 : paste_own_prefix(line);
        struct glog g;

        if (at < 0 || own <= (size_t)at || !glog_parse(str_skip(line, (size_t)at), &g))
            continue;
        prefix = str_range(line.p + at, line.p + own);
        text = str_skip(from->v[i], own);
        if (!str_eq(prefix, m.prefix)) {
            if (goes_on_later(&m, prefix, &g, text)) {
                m.second = prefix;
                *out = any ? *out : paste_copy(a, from);
                out->v[i] = arena_printf(a, "%.*s%.*s%.*s", (int)at, line.p, STR_ARG(m.prefix), STR_ARG(text));
                any = true;
                continue;
            }
            m = (struct dated_message){.prefix = prefix, .head = g};
        }
        m.has_stack |= crash_is_header(str_trim(text));
    }
    return any;
}
