/* Cutting bytes into lines: nothing is lost, and offsets lead back to the text. */
#include "fuzz.h"

#include "input/lines.h"

#include <unistd.h>

static void check_line(const struct line *line, uint64_t at, uint64_t number, const uint8_t *data, size_t size)
{
    fuzz_check(line->offset == at && line->number == number, "lines follow one another");
    fuzz_check(line->stored == line->text.n + line->newline && at + line->stored <= size,
               "a line takes its bytes and the newline");
    fuzz_check(line->text.n == 0 || memcmp(line->text.p, data + at, line->text.n) == 0, "the text is what is stored");
    fuzz_check(str_chr(line->text, '\n') < 0, "no newline in a line");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char name[64];
    int fd = fuzz_file(data, size, name, sizeof name);
    struct line_reader r;
    struct source s;
    struct line line;
    uint64_t at = 0, number = 0;

    fuzz_check(source_open(&s, name, true) == 0, "the file can be opened");
    lines_begin(&r, &s);
    while (lines_next(&r, &line)) {
        if (!s.gzip)
            check_line(&line, at, ++number, data, size);
        at += line.stored;
    }
    fuzz_check(s.gzip || at == size, "all bytes are in lines");
    lines_end(&r);
    source_end_reading(&s);
    source_close(&s);
    close(fd);
    return 0;
}
