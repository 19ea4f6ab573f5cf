/* The whole reader on any bytes: lines, records, kinds, model; and every payload read back. */
#include "fuzz.h"

/* A summary does not parse the bulk of the records, so it cannot see what is wrong with one of them. */
static void check_summary(const struct run *full, const struct run *summary)
{
    const uint64_t *counts = full->inputs.v[0]->messages.counts;

    if (counts[MSG_LOST_NEWLINE] || counts[MSG_BAD_JSON] || counts[MSG_TRUNCATED])
        return;
    fuzz_check(full->totals.records == summary->totals.records, "a summary counts the same records");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct run *full = fuzz_read(data, size, TRACE_FULL, true), *summary = fuzz_read(data, size, TRACE_SUMMARY, true);

    fuzz_check_artifacts(full);
    check_summary(full, summary);
    run_free(full);
    run_free(summary);
    return 0;
}
