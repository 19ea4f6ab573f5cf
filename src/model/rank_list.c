#include "model/rank_list.h"

#include "util/buf.h"

#include <stdlib.h>

/* The index after the run of consecutive ranks that begins at `from`. */
static size_t stretch_end(const int *ranks, size_t n, size_t from)
{
    size_t end = from + 1;

    while (end < n && ranks[end] == ranks[end - 1] + 1)
        end++;
    return end;
}

static void print_stretch(struct buf *out, const int *ranks, size_t n)
{
    buf_printf(out, "%d", ranks[0]);
    if (n > 1)
        buf_printf(out, "%s%d", n == 2 ? ", " : "-", ranks[n - 1]);
}

struct str rank_list_words(struct arena *a, const int *ranks, size_t n)
{
    struct buf out = {0};
    struct str words;
    size_t stretches = 0;

    if (n == 0)
        return STR("");
    buf_str(&out, n == 1 ? STR("rank ") : STR("ranks "));
    for (size_t i = 0, end; i < n; i = end) {
        end = stretch_end(ranks, n, i);
        if (stretches++ == RANK_STRETCHES_MAX) {
            buf_printf(&out, " and %zu more", n - i);
            break;
        }
        if (i)
            buf_str(&out, STR(", "));
        print_stretch(&out, ranks + i, end - i);
    }
    words = arena_str(a, buf_view(&out));
    buf_free(&out);
    return words;
}

static int by_number(const void *pa, const void *pb)
{
    int a = *(const int *)pa, b = *(const int *)pb;

    return (a > b) - (a < b);
}

size_t rank_list_sort(int *ranks, size_t n)
{
    size_t kept = 0;

    if (n)
        qsort(ranks, n, sizeof *ranks, by_number);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || ranks[i] != ranks[kept - 1])
            ranks[kept++] = ranks[i];
    return kept;
}
