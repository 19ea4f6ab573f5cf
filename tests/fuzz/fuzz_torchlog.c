/*
 * Console text on any bytes: lines, messages, log_kinds[], model; every text read back, and the page, report.json and
 * the summary that come of it.
 */
#include "fuzz.h"

static size_t count_lines(const uint8_t *data, size_t size)
{
    size_t n = size && data[size - 1] != '\n';

    for (size_t i = 0; i < size; i++)
        n += data[i] == '\n';
    return n;
}

/* Of the text as it was read: repairs add lines, such as the header of a traceback. */
static size_t lines_read(const struct input *in)
{
    char block[4096];
    size_t lines = 1;
    ssize_t n;

    for (uint64_t at = 0; (n = source_read_at(&in->source, block, sizeof block, at)) > 0; at += (uint64_t)n)
        for (ssize_t i = 0; i < n; i++)
            lines += block[i] == '\n';
    return lines;
}

/* Every line of the text is counted once. A text that was mended before it was read has other lines. */
static void check_lines(const struct input *in, size_t lines)
{
    if (in->messages.counts[MSG_MENDED])
        lines = in->log_lines;
    fuzz_check(in->log_lines == lines, "no line is lost");
    fuzz_check(in->log_lines_understood <= lines, "no more is understood than there is");
    if (in->messages.counts[MSG_MENDED])
        lines = lines_read(in);
    for (size_t i = 0; i < in->artifacts.n; i++)
        fuzz_check(in->artifacts.v[i]->payload.lines <= lines, "no text has more lines than the file");
    fuzz_check(in->totals.records <= lines, "a message takes a line");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct run *r = fuzz_read_log(data, size);

    check_lines(r->inputs.v[0], count_lines(data, size));
    fuzz_check_artifacts(r);
    fuzz_check_outputs(r);
    run_free(r);
    return 0;
}
