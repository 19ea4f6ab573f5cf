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

/* Every line of the text is counted once. A text that was mended before it was read has other lines. */
static void check_lines(const struct input *in, size_t lines)
{
    if (in->messages.counts[MSG_MENDED])
        lines = in->log_lines;
    fuzz_check(in->log_lines == lines, "no line is lost");
    fuzz_check(in->log_lines_understood <= lines, "no more is understood than there is");
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
