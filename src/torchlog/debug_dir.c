#include "torchlog/debug_dir.h"

#include "trace/record.h"

/* The digest shows whether a trace has the same text. */
static struct payload measure(struct source *s)
{
    struct payload p = {.flags = PAYLOAD_PRESENT | PAYLOAD_WHOLE | PAYLOAD_DIGEST};
    struct digest_state digest;
    char block[64 * 1024], last = '\n';
    size_t n;

    digest_begin(&digest);
    while ((n = source_read(s, block, sizeof block)) > 0) {
        digest_add(&digest, (struct str){block, n});
        for (size_t i = 0; i < n; i++)
            p.lines += block[i] == '\n';
        last = block[n - 1];
        p.stored += n;
    }
    p.lines += last != '\n';
    p.text_bytes = p.stored;
    p.digest = digest_end(&digest);
    return p;
}

static void count_kind(struct input *in)
{
    struct kind_count *k = ARENA_NEW(in->arena, struct kind_count);

    k->count = 1;
    *map_at(&in->kinds, arena_printf(in->arena, "torch_compile_debug:%.*s", STR_ARG(in->file.name))) = k;
}

void debug_dir_read(struct input *in, const struct trace_options *options, struct pool *pool)
{
    struct reading reading;
    struct record rec = {.reading = &reading, .line = 1, .id = COMPILE_ID_NONE, .attempt = -1, .rank = in->name_rank};

    reading_init(&reading, in, options, pool);
    rec.payload = measure(&in->source);
    source_end_reading(&in->source);
    rec.span.length = rec.payload.stored;
    rec.kind_name = record_intern(&rec, STR("file"));
    rec.name = record_intern(&rec, in->file.name);
    rec.state = reading_process(&reading, 0, &in->file.began, 1);
    rec.process = rec.state->process;
    rec.compile = rec.process->unattributed;
    rec.process->records = in->totals.records = 1;
    count_kind(in);
    in->totals.payloads = 1;
    in->totals.payload_bytes = rec.payload.text_bytes;
    record_add_artifact(&rec, record_intern(&rec, in->file.graph));
    reading_free(&reading);
    trace_report_source(in);
}
