#include "cmd/complain.h"

#include "util/buf.h"
#include "util/utf8.h"

#include <stdarg.h>
#include <stdio.h>

void complain(const char *fmt, ...)
{
    struct buf b = {0};
    va_list ap;

    buf_str(&b, STR("pt2trace: "));
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    /* The text may contain file names from someone's archive: no escape sequence may reach the terminal. */
    utf8_make_harmless(b.p, b.n, false);
    buf_char(&b, '\n');
    fwrite(b.p, 1, b.n, stderr);
    buf_free(&b);
}
