/* The whole reader on any bytes: lines, records, kinds, model; and every payload read back. */
#include "fuzz.h"

/* What is read back is what was read. */
static void check_payload(const struct input *in, const struct artifact *a)
{
    struct payload_source from = input_payloads(in);
    struct buf text = {0};
    struct digest d;

    if (!(a->payload.flags & PAYLOAD_PRESENT))
        return;
    fuzz_check(payload_read(&from, &a->payload, UINT64_MAX, &text) == 0, "a payload can be read back");
    fuzz_check(text.n == a->payload.text_bytes, "a payload read back is as long as it was");
    d = digest_of(text.p ? buf_view(&text) : STR(""));
    if (a->payload.flags & PAYLOAD_CHECKED)
        fuzz_check(digest_eq(&d, &a->payload.digest) == !(a->payload.flags & PAYLOAD_BAD),
                   "a payload read back has its digest");
    buf_free(&text);
}

static void check_run(const struct run *r)
{
    const struct input *in = r->inputs.v[0];
    const struct compile *c;
    size_t artifacts = 0;

    for (size_t i = 0; i < in->artifacts.n; i++)
        check_payload(in, in->artifacts.v[i]);
    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));)
        artifacts += c->artifacts.n;
    fuzz_check(artifacts == in->artifacts.n, "every artifact belongs to one compile");
}

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

    check_run(full);
    check_summary(full, summary);
    run_free(full);
    run_free(summary);
    return 0;
}
