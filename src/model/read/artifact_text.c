#include "model/read/artifact_text.h"

static bool read_at_most(const struct artifact *a, enum payload_budget budget, uint64_t left, struct buf *out)
{
    struct payload_source from = input_payloads(a->input);

    return !payload_is_scattered(&a->payload) && payload_read_rest(&from, &a->payload, budget, left, out) == 0;
}

bool artifact_read(const struct artifact *a, enum payload_budget budget, struct buf *out)
{
    return read_at_most(a, budget, UINT64_MAX, out);
}

struct str artifact_reader_next(struct artifact_reader *r, const struct artifact *a)
{
    uint64_t left = payload_budget_all(r->budget) - r->used;
    struct str text;

    r->text.n = 0;
    /* The length of the text does not show it: a redacted text has another length. */
    r->cut = !payload_fits(&a->payload, r->budget) || a->payload.text_bytes > left;
    if (left == 0 || !read_at_most(a, r->budget, left, &r->text))
        return (struct str){0};
    text = buf_view(&r->text);
    r->used += text.n < left ? text.n : left;
    return r->cut ? str_take(text, (size_t)(str_rchr(text, '\n') + 1)) : text;
}
