#include "torchlog/paste/paste_writers.h"

#include "torchlog/crash/crash_begin.h"
#include "torchlog/paste/paste_known.h"

/* --- like lines of several workers, of which Ray prints one ------------------------------------------------------- */

static const struct str fold = STR_INIT("[repeated "), fold_end = STR_INIT("x across cluster]"),
                        advice = STR_INIT("(Ray deduplicates logs");

/* Where "[repeated 14x across cluster]" begins, and *rest behind it; -1 if there is none. */
static ptrdiff_t find_fold(struct str line, struct str *rest)
{
    size_t from = 0;

    for (ptrdiff_t at; (at = str_find(str_skip(line, from), fold)) >= 0; from += (size_t)at + fold.n) {
        uint64_t times;

        *rest = str_skip(line, from + (size_t)at + fold.n);
        if (str_take_u64(rest, &times) && str_consume(rest, fold_end))
            return (ptrdiff_t)from + at;
    }
    return -1;
}

/* The first one of a run is followed by how to switch them off. */
static struct str without_advice(struct str rest)
{
    rest = str_trim(rest);
    if (str_starts(rest, advice))
        str_split(&rest, ')');
    return str_trim(rest);
}

static size_t count_folds(const struct paste_text *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++) {
        struct str rest = t->v[i];

        while (find_fold(rest, &rest) >= 0)
            n++;
    }
    return n;
}

static void put(struct paste_text *out, struct str line, uint32_t number)
{
    out->v[out->n] = line;
    out->numbers[out->n++] = number;
}

bool paste_unfold(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    size_t folds = count_folds(from), most = from->n + folds;

    if (folds == 0)
        return false;
    *out = (struct paste_text){ARENA_ARRAY(a, struct str, most), ARENA_ARRAY(a, uint32_t, most), 0};
    for (size_t i = 0; i < from->n; i++) {
        struct str line = from->v[i], rest;

        for (bool first = true; first || line.n; first = false) {
            ptrdiff_t at = find_fold(line, &rest);

            put(out, at < 0 ? line : str_take(line, (size_t)at), from->numbers[i]);
            line = at < 0 ? (struct str){0} : without_advice(rest);
        }
    }
    return true;
}

/* --- one writer --------------------------------------------------------------------------------------------------- */

static struct str colorless(struct arena *a, struct str line)
{
    struct buf out = {0};

    if (!ansi_present(line))
        return line;
    ansi_strip(&out, line);
    line = out.n ? arena_str(a, buf_view(&out)) : STR("");
    buf_free(&out);
    return line;
}

bool paste_uncolor(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    size_t first = 0;

    while (first < from->n && !ansi_present(from->v[first]))
        first++;
    if (first == from->n)
        return false;
    *out = paste_copy(a, from);
    for (size_t i = first; i < out->n; i++)
        out->v[i] = colorless(a, out->v[i]);
    return true;
}

/* "trainer-1  | ", "2026-01-02T03:04:05Z stderr F ": what a launcher or a container puts there, and names no rank. */
static bool take_nobody(struct str line, struct str *key, struct str *rest)
{
    struct launcher launcher;

    if (!launcher_take(line, &launcher, rest) || launcher_names_rank(launcher.key) ||
        str_has(launcher.key, STR("rank=")))
        return false;
    *key = launcher.key;
    return true;
}

/*
 * Where lines have a time alone, what looks like a name behind one is the line's own: "[gw3] linux -- Python 3.10.16"
 * of pytest-xdist.
 */
static bool take_first(struct str line, struct str first, struct str *key, struct str *rest)
{
    if (!take_nobody(line, key, rest))
        return false;
    if (first.n == 0 && key->n && key->p > line.p) {
        *rest = str_range(key->p, line.p + line.n);
        *key = first;
    }
    return str_eq(*key, first);
}

/* All lines are of one writer, and no line is one of a log, before which a launcher is known by itself. */
static bool is_of_one_writer(const struct paste_text *t, struct str *first)
{
    struct str key, rest;
    size_t lines = 0;

    for (size_t i = 0; i < t->n; i++) {
        struct str line = t->v[i];

        if (str_trim(t->v[i]).n == 0)
            continue;
        if ((lines == 0 && !take_nobody(line, first, &rest)) || !take_first(line, *first, &key, &rest) ||
            paste_is_of_log(str_take(t->v[i], PASTE_LOOKED_AT)))
            return false;
        lines++;
    }
    return lines > 0;
}

/* Nobody begins a sentence so: "2026-01-02T03:04:05.1234567Z ", "trainer-1  | ". */
static bool take_certain(struct str line, struct str *key, struct str *rest)
{
    if (line.n < 3 || !(str_is_digit(line.p[0]) || str_has(str_take(line, PASTE_PREFIX_MAX), STR(" | "))) ||
        !take_nobody(line, key, rest))
        return false;
    if (str_ends(*key, STR("|")))
        return true;
    if (key->n && key->p > line.p) { /* a time, and what looks like a name behind it is the line's own */
        *rest = str_range(key->p, line.p + line.n);
        *key = STR("");
    }
    return key->n == 0 && line.n > 10 && line.p[4] == '-' && line.p[10] == 'T';
}

/*
 * The lines that one writer's are among, which are what a person copied: *begin to *end. What stands above and below is
 * the person's, and what is between is of whoever ran the writer. Again none may be of a log.
 */
static bool find_copied(const struct paste_text *t, struct str *first, size_t *begin, size_t *end)
{
    enum { LINES_MIN = 3, LINES_MAX = 2000, OTHERS = 8 };
    size_t lines = 0, others = 0, between = 0;
    struct str key, rest;

    if (t->n > LINES_MAX) /* a log that was saved, with nothing of a person's */
        return false;
    for (size_t i = 0; i < t->n; i++) {
        struct str line = t->v[i];

        if (str_trim(line).n == 0)
            continue;
        if (!take_certain(line, &key, &rest) || (lines && !str_eq(key, *first))) {
            others += lines > 0;
            continue;
        }
        if (paste_is_of_log(str_take(line, PASTE_LOOKED_AT)))
            return false;
        if (lines++ == 0) {
            *first = key;
            *begin = i;
        }
        between = others;
        *end = i + 1;
    }
    return lines >= LINES_MIN && between * OTHERS <= lines;
}

/* "Attaching to trainer-1": docker's own line, which would be the first of the message below it. */
static bool names_writer(struct str line, struct str key)
{
    struct str name = str_ends(key, STR("|")) ? str_trim(str_drop(key, 1)) : STR("");

    return name.n && str_has(line, name);
}

bool paste_unlaunch(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    struct str first = {0}, key, rest;
    size_t begin = 0, end = from->n;
    bool all = is_of_one_writer(from, &first);

    if (!all && !find_copied(from, &first, &begin, &end))
        return false;
    *out = paste_copy(a, from);
    if (begin > 0 && names_writer(from->v[begin - 1], first))
        out->v[begin - 1] = STR("");
    for (size_t i = begin; i < end; i++) {
        struct str line = from->v[i];

        if (all ? take_first(line, first, &key, &rest) : take_certain(line, &key, &rest) && str_eq(key, first))
            out->v[i] = rest;
    }
    return true;
}

/* --- lines that were wrapped behind the name of their writer ------------------------------------------------------ */

/* "[rank7]: " before a line, "(VllmWorker rank=4 pid=842) "; the text may be quoted. */
static bool names_rank(struct str line)
{
    struct launcher launcher;
    struct str rest;

    str_consume(&line, STR("> "));
    return launcher_take(str_take(line, PASTE_LOOKED_AT), &launcher, &rest) &&
           (launcher_names_rank(launcher.key) || str_has(launcher.key, STR("pid=")));
}

/* A sentence goes on, which did not fit: with a small letter, or behind a sign that ends none. */
static bool reads_on(struct str line, struct str next, size_t widest)
{
    enum { WIDTH_MIN = 60, RAGGED = 12 };
    static const struct str open[] = {STR_INIT(","), STR_INIT("("), STR_INIT("["), STR_INIT("{"), STR_INIT("=")};
    struct str end = str_trim(line), begin = str_trim(next), rest = begin;

    if (line.n < WIDTH_MIN || line.n + str_split(&rest, ' ').n + RAGGED < widest || begin.n != next.n ||
        paste_is_of_log(str_take(next, PASTE_LOOKED_AT)) || crash_is_certain(next))
        return false;
    if (STR_ENDS_ANY(end, open))
        return true;
    return begin.n && begin.p[0] >= 'a' && begin.p[0] <= 'z' && !str_ends(end, STR(".")) && !str_ends(end, STR(":"));
}

bool paste_join_writers(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    enum { LINES_MAX = 2000, LINES_MIN = 3 };
    size_t named = 0, others = 0, joined = 0, widest = 0;
    bool open = false;

    for (size_t i = 0; i < from->n && from->n <= LINES_MAX; i++) {
        bool head = names_rank(from->v[i]);

        named += head;
        widest = head && from->v[i].n > widest ? from->v[i].n : widest;
        others += str_trim(from->v[i]).n && !head;
    }
    if (named < LINES_MIN || others == 0 || others > named)
        return false;
    *out = paste_copy(a, from);
    out->n = 0;
    for (size_t i = 0; i < from->n; i++) {
        bool head = names_rank(from->v[i]);

        if (open && !head && reads_on(from->v[i - 1], from->v[i], widest)) {
            out->v[out->n - 1] = arena_printf(a, "%.*s %.*s", STR_ARG(out->v[out->n - 1]), STR_ARG(from->v[i]));
            joined++;
            continue;
        }
        open = head;
        out->v[out->n] = from->v[i];
        out->numbers[out->n++] = from->numbers[i];
    }
    return joined > 0;
}
