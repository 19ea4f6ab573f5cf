#include "output/report/report.h"

#include "output/report/report_json.h"
#include "analysis/code/gpu_kernels.h"
#include "analysis/time/cache_keys.h"
#include "view/page.h"

/* The approximate size of a link to a payload's file, and of the tags around a block of payloads. */
enum { LINK_BYTES = 300, BLOCK_BYTES = 80 };

/* report.json while it is written, next to the page. */
struct facts {
    bool begun;
    struct outfile out;
    struct sink sink;
    struct view view; /* has its own scratch arena */
    const struct about *about;
    struct task task;
};

struct reporting {
    struct arena *arena; /* for the result */
    struct pool *pool;
    struct facts facts;
    struct run run; /* the reported run; messages may be added while it is written */
    struct view view;
    struct placements placements;
    struct blocks blocks;
    struct outfile page; /* holds the page's text as it was when it was last measured; empty if it was not */
    struct manifest manifest;
    const struct report_options *options;
    struct html_options html;
    struct report_result *result;
};

/*
 * Records an error and where it occurred: a file in the output directory, or with an empty name the directory itself.
 */
static int failed(struct reporting *r, int rc, struct str name)
{
    if (rc)
        r->result->failed =
            name.n ? arena_printf(r->arena, "%s/%.*s", r->options->dir, STR_ARG(name)) : str_of(r->options->dir);
    return rc;
}

/* --- report.json -------------------------------------------------------------------------------------------------- */

static const struct str facts_name = STR_INIT("report.json"), page_name = STR_INIT("index.html");

static void write_facts(void *arg)
{
    struct facts *f = arg;

    report_json_write(&f->sink, &f->view, f->about);
}

/* Until end_facts(), placements and messages must not change, because another thread reads them. */
static int begin_facts(struct reporting *r)
{
    struct facts *f = &r->facts;
    int rc;

    if (f->begun)
        return 0;
    rc = failed(r, manifest_create(&r->manifest, facts_name, &f->out), facts_name);
    if (rc)
        return rc;
    f->begun = true;
    f->sink = sink_to_outfile(&f->out);
    f->view = r->view;
    f->view.scratch = arena_new();
    f->about = &r->options->html.about;
    f->task = (struct task){.run = write_facts, .arg = f};
    pool_submit_leaf(r->pool, &f->task);
    return 0;
}

static void end_facts(struct reporting *r)
{
    struct facts *f = &r->facts;

    pool_wait(r->pool, &f->task);
    arena_free(f->view.scratch);
    f->begun = false;
}

/* The file names payloads that have left the page since, or the page failed. */
static void drop_facts(struct reporting *r)
{
    if (!r->facts.begun)
        return;
    end_facts(r);
    outfile_abort(&r->facts.out);
}

static int complete_facts(struct reporting *r)
{
    end_facts(r);
    return failed(r, manifest_complete(&r->manifest, facts_name, &r->facts.out), facts_name);
}

/* --- the page ----------------------------------------------------------------------------------------------------- */

/* Returns the number of bytes. */
static uint64_t write_text(struct reporting *r)
{
    struct sink out = sink_to_outfile(&r->page);

    outfile_restart(&r->page);
    html_write_text(&out, &r->view, &r->html);
    return out.bytes;
}

/* The text is written again if links to files, or messages, were added after it was measured. */
static int write_page(struct reporting *r)
{
    struct sink out = sink_to_outfile(&r->page);
    int rc;

    if (r->options->artifacts != ARTIFACTS_NONE || r->page.size == 0)
        write_text(r);
    rc = html_write_end(&out, &r->view, &r->html, &r->blocks);
    r->result->html_bytes = r->page.size;
    return failed(r, rc, page_name);
}

static void note_lost_of(struct reporting *r, const struct input *in)
{
    struct messages lost;

    messages_init(&lost, r->arena, in->path);
    for (size_t i = 0; i < in->artifacts.n; i++)
        if (r->placements.inputs[in->index][i].lost)
            message_add(&lost, MSG_PAYLOAD_LOST, in->artifacts.v[i]->line, "%.*s", STR_ARG(in->artifacts.v[i]->name));
    messages_finish(&lost);
    vec_each(const struct message, m, &lost.list) vec_push(r->arena, &r->run.messages, *m);
}

static void note_lost(struct reporting *r)
{
    for (size_t i = 0; i < r->run.inputs.n; i++)
        note_lost_of(r, r->run.inputs.v[i]);
}

static void count_placements(struct reporting *r)
{
    const struct run *run = r->view.run;

    r->result->inlined = r->result->left_out = r->result->left_out_same = 0;
    for (size_t i = 0; i < run->inputs.n; i++)
        for (size_t k = 0; k < run->inputs.v[i]->artifacts.n; k++) {
            const struct artifact *a = run->inputs.v[i]->artifacts.v[k];

            if ((a->payload.flags & (PAYLOAD_PRESENT | PAYLOAD_UNREADABLE)) != PAYLOAD_PRESENT)
                continue;
            if (r->placements.inputs[i][k].stored == STORED_INLINE)
                r->result->inlined++;
            else if (rank_same_as(&r->view.answers->ranks, a->compile))
                r->result->left_out_same++;
            else
                r->result->left_out++;
        }
}

/* If the estimate is far from the limit, the page need not be measured. */
static bool surely_fits(const struct reporting *r)
{
    return r->blocks.left_out == 0 && r->blocks.bytes + 2 * r->html.detail_bytes < r->html.max_bytes;
}

static uint64_t page_bytes(struct reporting *r)
{
    struct report_result *n = r->result;
    uint64_t bytes = write_text(r);

    bytes += html_end_bytes(&r->view, &r->html) + r->blocks.bytes + r->blocks.count * BLOCK_BYTES;

    count_placements(r);
    if (r->options->artifacts != ARTIFACTS_NONE)
        bytes += (n->left_out + n->left_out_same + (r->options->artifacts == ARTIFACTS_ALL ? n->inlined : 0)) *
                 LINK_BYTES;
    return bytes;
}

/* At least a quarter less, because each step means measuring the whole page. */
static uint64_t less_detail(uint64_t bytes, uint64_t over)
{
    uint64_t step = over > bytes / 4 ? over : bytes / 4 + 1;

    return bytes > step ? bytes - step : 0;
}

/*
 * If the page is too large, leaves out, in this order: details of what an earlier rank did in the same way, payloads
 * (the least useful first), and details of the other compiles.
 */
static void fit_page(struct reporting *r)
{
    bool done = surely_fits(r);
    uint64_t bytes, over;

    while (!done && (bytes = page_bytes(r)) > r->html.max_bytes) {
        drop_facts(r);
        over = bytes - r->html.max_bytes;
        done = r->blocks.count == 0 && r->html.detail_bytes == 0 && r->html.same_bytes == 0;
        if (r->html.same_bytes)
            r->html.same_bytes = 0;
        else if (r->blocks.count)
            blocks_drop(&r->blocks, r->view.run, &r->placements, over);
        else
            r->html.detail_bytes = less_detail(r->html.detail_bytes, over);
    }
    count_placements(r);
}

/* Writes payloads as files: those that did not fit in the page, or all. Called once it is known what fits. */
static int write_artifacts(struct reporting *r)
{
    struct str name = {0};
    int rc = artifact_files_write(&r->view, &r->placements, r->options->artifacts, r->arena, &r->manifest, &name);

    if (rc)
        return failed(r, rc, name);
    note_lost(r);
    return 0;
}

/*
 * Nearly always everything fits, so report.json is begun before that is known if a thread is free, unless the payloads
 * alone would fill the page.
 */
static int write_files(struct reporting *r)
{
    bool files = r->options->artifacts != ARTIFACTS_NONE;
    int rc = 0;

    if (!files) {
        note_lost(r);
        if (r->blocks.left_out == 0 && pool_threads(r->pool) > 1)
            rc = begin_facts(r);
    }
    if (rc)
        return rc;
    fit_page(r);
    if (files)
        rc = write_artifacts(r);
    if (rc == 0)
        rc = begin_facts(r);
    if (rc == 0)
        rc = write_page(r);
    if (rc == 0)
        rc = complete_facts(r);
    drop_facts(r);
    return rc;
}

/* The page is completed last: if it exists, everything else does, too. */
static int write_report(struct reporting *r)
{
    int rc = blocks_make(&r->blocks, r->arena, r->view.answers, &r->placements, r->options->html.max_bytes, r->pool);

    if (rc == 0)
        rc = failed(r, manifest_create(&r->manifest, page_name, &r->page), page_name);
    if (rc)
        return rc;
    rc = write_files(r);
    if (rc == 0)
        return failed(r, manifest_complete(&r->manifest, page_name, &r->page), page_name);
    outfile_abort(&r->page);
    return rc;
}

int report_write(struct arena *arena, const struct answers *answers, const struct report_options *options,
                 struct pool *pool, struct report_result *result)
{
    struct reporting r = {.options = options, .html = options->html, .result = result, .arena = arena, .pool = pool};
    struct key_store keys;
    int rc;

    *result = (struct report_result){0};
    r.run = *answers->run;
    r.run.messages.v = NULL;
    r.run.messages.n = r.run.messages.cap = 0;
    vec_each(const struct message, m, &answers->run->messages) vec_push(arena, &r.run.messages, *m);
    kernel_store_fill(options->kernels, answers->run, pool);
    key_store_init(&keys);
    r.view = (struct view){
        .answers = answers, .run = &r.run, .placements = &r.placements, .kernels = options->kernels, .keys = &keys,
        .scratch = arena_new()};
    r.view.generated = page_generated_files(arena, &r.run);
    r.view.twins = page_twins(arena, &r.run);
    if (gpu_is_known(answers->run, &answers->gpu))
        gpu_measured(answers, options->kernels, arena); /* both files need it: done before two threads ask for it */
    r.html.pool = pool;
    r.html.same_bytes = answers->ranks.compared ? options->html.max_bytes / SAME_SHARE : 0;
    r.html.detail_bytes = html_detail_budget(answers, &r.html);
    rc = failed(&r, manifest_begin(&r.manifest, options->dir, options->replace, arena), STR(""));
    if (rc == 0) {
        rc = write_report(&r);
        blocks_free(&r.blocks);
    }
    if (rc == 0)
        rc = failed(&r, manifest_finish(&r.manifest), STR(""));
    else
        manifest_abort(&r.manifest);
    arena_free(r.view.scratch);
    key_store_free(&keys);
    return rc;
}
