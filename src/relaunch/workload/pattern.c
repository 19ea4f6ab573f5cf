#include "relaunch/workload/pattern.h"

#include "util/buf.h"

#include <stdio.h>

bool pattern_compile(struct str pattern, regex_t *out, char *why, size_t size)
{
    struct buf text = {0};
    char error[200];
    int rc;

    buf_printf(&text, STR_FMT "%c", STR_ARG(pattern), 0);
    rc = regcomp(out, text.p, REG_EXTENDED);
    buf_free(&text);
    if (rc) {
        regerror(rc, out, error, sizeof error);
        snprintf(why, size, "`%.*s` is not an extended regular expression: %s", STR_ARG(str_take(pattern, 200)), error);
    }
    return rc == 0;
}

struct str pattern_error(struct arena *a, struct str pattern)
{
    char why[512] = "";
    regex_t regex;

    if (pattern_compile(pattern, &regex, why, sizeof why))
        regfree(&regex);
    return arena_str(a, str_of(why));
}
