/* The prefix of a record: parsed, found inside other text. */
#include "fuzz.h"

#include "input/glog.h"

#include <stdlib.h>

static bool is_within(struct str part, struct str whole)
{
    return part.n == 0 || (part.p >= whole.p && part.p + part.n <= whole.p + whole.n);
}

static void check_parsed(struct str line, const struct glog *g)
{
    fuzz_check(g->month >= 1 && g->month <= 12 && g->day >= 1 && g->day <= 31, "the date is one");
    fuzz_check(g->time_us >= 0 && g->time_us < 86401 * 1000000ll, "the time is within a day, with a leap second");
    fuzz_check(is_within(g->file, line) && is_within(g->text, line), "views are of the line");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str s = {(const char *)data, size};
    struct glog g;
    ptrdiff_t at;

    if (glog_parse(s, &g))
        check_parsed(s, &g);
    for (size_t from = 0; from < size && (at = glog_find(s, from)) >= 0; from = (size_t)at + 1) {
        fuzz_check((size_t)at >= from && (size_t)at < size, "a prefix is found where it was looked for");
        fuzz_check(glog_parse(str_skip(s, (size_t)at), &g), "what is found is a prefix");
        check_parsed(s, &g);
    }
    return 0;
}
