/* Prefixes of launchers and color codes: two lines, the first is the prefix that is known from before. */
#include "fuzz.h"

#include "input/glog.h"
#include "input/launcher.h"

static void check_split(struct str line, struct str known)
{
    struct launcher l, again;
    struct str rest, rest_again;
    struct glog g;

    if (!launcher_split(line, known, &l, &rest)) {
        fuzz_check(rest.p == line.p && rest.n == line.n, "a line that is not split is left whole");
        return;
    }
    fuzz_check(l.prefix.n + rest.n == line.n && rest.p + rest.n == line.p + line.n, "prefix and rest are the line");
    fuzz_check(rest.n && (rest.p[0] == '\t' || glog_parse(rest, &g)), "a payload line or a record follows a prefix");
    fuzz_check(launcher_split(rest, known, &again, &rest_again) && again.prefix.n == 0, "what follows has no prefix");
    fuzz_check(l.key.n <= l.prefix.n, "the key is part of the prefix");
}

static void check_strip(struct str line)
{
    struct buf plain = {0};

    ansi_strip(&plain, line);
    fuzz_check(plain.n <= line.n && (plain.n == 0 || !ansi_present(buf_view(&plain))), "no escape is left");
    buf_free(&plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str line = {(const char *)data, size}, known = str_split(&line, '\n');

    check_split(line, known);
    check_split(known, (struct str){0});
    check_strip(line);
    return 0;
}
