#include "torchlog/paste/paste_folds.h"

static const struct str begin = STR_INIT("[repeated "), end = STR_INIT("x across cluster]"),
                        advice = STR_INIT("(Ray deduplicates logs");

/* Where "[repeated 14x across cluster]" begins, and *rest behind it; -1 if there is none. */
static ptrdiff_t find_fold(struct str line, struct str *rest)
{
    size_t from = 0;

    for (ptrdiff_t at; (at = str_find(str_skip(line, from), begin)) >= 0; from += (size_t)at + begin.n) {
        uint64_t times;

        *rest = str_skip(line, from + (size_t)at + begin.n);
        if (str_take_u64(rest, &times) && str_consume(rest, end))
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
