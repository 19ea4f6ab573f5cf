/* musl's regexec lacks REG_STARTEND, so it gets a copy of that part of the text, which ends at the first NUL byte. */
#include <stdlib.h>
#include <string.h>

#undef regexec

int port_regexec(const regex_t *regex, const char *text, size_t n, regmatch_t found[], int flags)
{
    regoff_t from = found[0].rm_so;
    char *part;
    int rc;

    if (!(flags & REG_STARTEND))
        return regexec(regex, text, n, found, flags);
    part = strndup(text + from, (size_t)(found[0].rm_eo - from));
    if (!part)
        return REG_ESPACE;
    rc = regexec(regex, part, n, found, flags & ~REG_STARTEND);
    free(part);
    for (size_t i = 0; rc == 0 && i < n; i++)
        if (found[i].rm_so >= 0) {
            found[i].rm_so += from;
            found[i].rm_eo += from;
        }
    return rc;
}
