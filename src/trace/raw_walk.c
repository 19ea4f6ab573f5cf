#include "trace/raw_walk.h"

#include "input/launcher.h"
#include "trace/assemble.h"

struct walk {
    struct input in; /* a copy: writers' names are noted again, and messages are dropped */
    struct assembler assembler;
    struct batch *batch;
    uint64_t at;
    int error;
    void (*take)(void *object, const struct raw_walked *);
    void *object;
};

static size_t read_again(void *object, void *p, size_t n)
{
    struct walk *w = object;
    ssize_t k = source_read_at(&w->in.source, p, n, w->at);

    if (k < 0)
        w->error = (int)k;
    w->at += k > 0 ? (uint64_t)k : 0;
    return k > 0 ? (size_t)k : 0;
}

/* The prefix of the record's first line is no longer in memory. */
static struct str place_of(const struct walk *w, const struct raw_record *r, char *head, size_t size)
{
    ssize_t k = source_read_at(&w->in.source, head, size, r->span.offset);
    struct str line = {head, k > 0 ? (size_t)k : 0}, rest;
    struct launcher launcher;
    struct glog glog;

    if (!launcher_split(line, w->in.known_prefix, &launcher, &rest) || !glog_parse(rest, &glog))
        return (struct str){0};
    return glog.file;
}

static void take_batch(struct walk *w)
{
    enum { HEAD_BYTES = 1024 };
    char head[HEAD_BYTES];

    batch_decode(w->batch);
    for (size_t i = 0; i < w->batch->n; i++) {
        struct raw_record *r = &w->batch->records[i];

        w->take(w->object, &(struct raw_walked){.record = r,
                                                .json = {w->batch->bytes.p + r->json_at, r->json_n},
                                                .place = place_of(w, r, head, sizeof head),
                                                .payloads = input_payloads(&w->in)});
    }
    batch_clear(w->batch);
}

int raw_walk(const struct input *in, void (*take)(void *object, const struct raw_walked *), void *object)
{
    static const struct trace_options options = {.check_digests = true};
    struct walk w = {.in = *in, .batch = batch_new(true), .take = take, .object = object};
    struct line_reader lines;
    struct line line;

    w.in.arena = arena_new();
    w.in.stream_keys.v = NULL;
    w.in.stream_keys.n = w.in.stream_keys.cap = 0;
    messages_init(&w.in.messages, w.in.arena, in->path);
    assembler_init(&w.assembler, &w.in, &options, w.batch);
    lines_begin_with(&lines, read_again, &w);
    while (lines_next(&lines, &line)) {
        assembler_line(&w.assembler, &line);
        if (w.batch->n)
            take_batch(&w);
    }
    assembler_finish(&w.assembler);
    take_batch(&w);
    lines_end(&lines);
    batch_free(w.batch);
    arena_free(w.in.arena);
    return w.error;
}
