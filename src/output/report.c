#include "output/report.h"

#include "output/kept.h"
#include "output/report_json.h"
#include "view/cache_keys.h"
#include "view/kernels.h"

/* What a link to a payload's file, and the tags around a block of payloads take in the page. */
enum { LINK_BYTES = 300, BLOCK_BYTES = 80 };

struct reporting {
    struct arena *arena; /* of the result */
    struct run run;      /* what is reported on, with what comes to light while it is written */
    struct view view;
    struct placements placements;
    struct blocks blocks;
    struct kept text;    /* of the page, as it was when it was measured last */
    size_t text_messages; /* how many messages the run had then */
    struct manifest manifest;
    const struct report_options *options;
    struct html_options html;
    struct report_result *result;
};

/* What went wrong, and to what: a file in the output directory, or with an empty name the directory itself. */
static int failed(struct reporting *r, int rc, struct str name)
{
    if (rc)
        r->result->failed =
            name.n ? arena_printf(r->arena, "%s/%.*s", r->options->dir, STR_ARG(name)) : str_of(r->options->dir);
    return rc;
}

/* Links to files came after measuring, and so may messages have. */
static bool text_is_kept(struct reporting *r)
{
    return r->options->artifacts == ARTIFACTS_NONE && r->run.messages.n == r->text_messages && kept_is_whole(&r->text);
}

static int write_page(struct reporting *r, struct sink *out)
{
    int rc = 0;

    if (text_is_kept(r))
        rc = kept_write(&r->text, out);
    else
        html_write_text(out, &r->view, &r->html);
    return rc ? rc : html_write_end(out, &r->view, &r->html, &r->blocks);
}

static int write_facts(struct reporting *r, struct sink *out)
{
    report_json_write(out, &r->view, &r->options->html.about);
    return 0;
}

/* One file of the report, of what `write` writes; *bytes becomes its size. */
static int write_file(struct reporting *r, struct str name, int (*write)(struct reporting *r, struct sink *out),
                      uint64_t *bytes)
{
    struct outfile out;
    struct sink sink;
    int rc = manifest_create(&r->manifest, name, &out);

    if (rc)
        return rc;
    sink = sink_to_outfile(&out);
    rc = write(r, &sink);
    *bytes = sink.bytes;
    if (rc) {
        outfile_abort(&out);
        return rc;
    }
    return manifest_complete(&r->manifest, name, &out);
}

static void note_lost(struct reporting *r, const struct input *in)
{
    struct messages lost;

    messages_init(&lost, r->arena, in->path);
    for (size_t i = 0; i < in->artifacts.n; i++)
        if (r->placements.inputs[in->index][i].lost)
            message_add(&lost, MSG_PAYLOAD_LOST, in->artifacts.v[i]->line, "%.*s", STR_ARG(in->artifacts.v[i]->name));
    messages_finish(&lost);
    vec_each(const struct message, m, &lost.list) vec_push(r->arena, &r->run.messages, *m);
}

/* The page comes last: where it is, the rest is too. */
static int write_files(struct reporting *r)
{
    const struct str json = STR("report.json"), html = STR("index.html");
    struct str name = {0};
    uint64_t json_bytes;
    int rc = artifact_files_write(&r->view, &r->placements, r->options->artifacts, r->arena, &r->manifest, &name);

    if (rc)
        return failed(r, rc, name);
    for (size_t i = 0; i < r->run.inputs.n; i++)
        note_lost(r, r->run.inputs.v[i]);
    rc = failed(r, write_file(r, json, write_facts, &json_bytes), json);
    return rc ? rc : failed(r, write_file(r, html, write_page, &r->result->html_bytes), html);
}

static void count_placements(struct reporting *r)
{
    const struct run *run = r->view.run;

    r->result->inlined = r->result->left_out = 0;
    for (size_t i = 0; i < run->inputs.n; i++)
        for (size_t k = 0; k < run->inputs.v[i]->artifacts.n; k++) {
            if ((run->inputs.v[i]->artifacts.v[k]->payload.flags & (PAYLOAD_PRESENT | PAYLOAD_UNREADABLE)) !=
                PAYLOAD_PRESENT)
                continue;
            if (r->placements.inputs[i][k].stored == STORED_INLINE)
                r->result->inlined++;
            else
                r->result->left_out++;
        }
}

/* Far from the limit the page need not be measured: what is not a payload is estimated well enough. */
static bool surely_fits(const struct reporting *r)
{
    return r->blocks.left_out == 0 && r->blocks.bytes + 2 * r->html.detail_bytes < r->html.max_bytes;
}

static uint64_t page_bytes(struct reporting *r)
{
    struct report_result *n = r->result;
    struct sink sink = kept_sink(&r->text);
    uint64_t bytes;

    kept_restart(&r->text);
    html_write_text(&sink, &r->view, &r->html);
    r->text_messages = r->run.messages.n;
    bytes = sink.bytes + html_end_bytes(&r->view, &r->html) + r->blocks.bytes + r->blocks.count * BLOCK_BYTES;

    count_placements(r);
    if (r->options->artifacts != ARTIFACTS_NONE)
        bytes += (n->left_out + (r->options->artifacts == ARTIFACTS_ALL ? n->inlined : 0)) * LINK_BYTES;
    return bytes;
}

/* At least a quarter less, as each step costs a look at the whole page. */
static uint64_t less_detail(uint64_t bytes, uint64_t over)
{
    uint64_t step = over > bytes / 4 ? over : bytes / 4 + 1;

    return bytes > step ? bytes - step : 0;
}

/* First the payloads, least telling first, stay out of a page that is too large, then the details of compiles. */
static void fit_page(struct reporting *r)
{
    bool done = surely_fits(r);
    uint64_t bytes, over;

    while (!done && (bytes = page_bytes(r)) > r->html.max_bytes) {
        over = bytes - r->html.max_bytes;
        done = r->blocks.count == 0 && r->html.detail_bytes == 0;
        if (r->blocks.count)
            blocks_drop(&r->blocks, r->view.run, &r->placements, over);
        else
            r->html.detail_bytes = less_detail(r->html.detail_bytes, over);
    }
    count_placements(r);
}

static int write_report(struct reporting *r, struct pool *pool)
{
    int rc = blocks_make(&r->blocks, r->arena, r->view.run, &r->placements, r->options->html.max_bytes, pool);

    if (rc == 0) {
        kept_begin(&r->text);
        fit_page(r);
        rc = write_files(r);
        kept_end(&r->text);
    }
    return rc;
}

int report_write(struct arena *arena, const struct answers *answers, const struct report_options *options,
                 struct pool *pool, struct report_result *result)
{
    struct reporting r = {.options = options, .html = options->html, .result = result, .arena = arena};
    struct kernel_store kernels;
    struct key_store keys;
    int rc;

    *result = (struct report_result){0};
    r.run = *answers->run;
    r.run.messages.v = NULL;
    r.run.messages.n = r.run.messages.cap = 0;
    vec_each(const struct message, m, &answers->run->messages) vec_push(arena, &r.run.messages, *m);
    kernel_store_init(&kernels, arena);
    key_store_init(&keys, arena);
    r.view = (struct view){
        .answers = answers, .run = &r.run, .placements = &r.placements, .kernels = &kernels, .keys = &keys,
        .scratch = arena_new()};
    r.html.detail_bytes = html_detail_budget(answers->run, options->html.max_bytes);
    rc = failed(&r, manifest_begin(&r.manifest, options->dir, arena), STR(""));
    if (rc == 0) {
        rc = write_report(&r, pool);
        blocks_free(&r.blocks);
    }
    if (rc == 0)
        rc = failed(&r, manifest_finish(&r.manifest), STR(""));
    else
        manifest_abort(&r.manifest);
    arena_free(r.view.scratch);
    return rc;
}
