#include "output/report.h"

#include "output/report_json.h"

/* Style, script and the frame of the page. */
enum { FRAME_BYTES = 40 * 1024, SMALLEST_PAYLOADS = 64 * 1024 };

struct reporting {
    struct arena *arena; /* of the result */
    struct view view;
    struct placements placements;
    struct blocks blocks;
    struct manifest manifest;
    const struct report_options *options;
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

static int write_html(struct reporting *r, struct str name)
{
    struct outfile out;
    struct sink sink;
    int rc = manifest_create(&r->manifest, name, &out);

    if (rc)
        return rc;
    sink = sink_to_outfile(&out);
    rc = html_write(&sink, &r->view, &r->options->html, &r->blocks);
    r->result->html_bytes = sink.bytes;
    if (rc) {
        outfile_abort(&out);
        return rc;
    }
    return manifest_complete(&r->manifest, name, &out);
}

static int write_json(struct reporting *r, struct str name)
{
    struct outfile out;
    struct sink sink;
    int rc = manifest_create(&r->manifest, name, &out);

    if (rc)
        return rc;
    sink = sink_to_outfile(&out);
    report_json_write(&sink, &r->view, r->options->html.command, r->options->html.command_n);
    return manifest_complete(&r->manifest, name, &out);
}

/* The page comes last: where it is, the rest is too. */
static int write_files(struct reporting *r)
{
    const struct str json = STR("report.json"), html = STR("index.html");
    struct str name = {0};
    int rc = artifact_files_write(&r->view, &r->placements, r->options->artifacts, r->arena, &r->manifest, &name);

    if (rc)
        return failed(r, rc, name);
    rc = failed(r, write_json(r, json), json);
    return rc ? rc : failed(r, write_html(r, html), html);
}

static uint64_t payload_budget(const struct run *run, uint64_t max_bytes)
{
    uint64_t others = html_body_budget(run, max_bytes) + FRAME_BYTES;

    return max_bytes > others + SMALLEST_PAYLOADS ? max_bytes - others : max_bytes ? SMALLEST_PAYLOADS : 0;
}

static void count_placements(struct reporting *r)
{
    const struct run *run = r->view.run;

    for (size_t i = 0; i < run->inputs.n; i++)
        for (size_t k = 0; k < run->inputs.v[i]->artifacts.n; k++) {
            if (!(run->inputs.v[i]->artifacts.v[k]->payload.flags & PAYLOAD_PRESENT))
                continue;
            if (r->placements.inputs[i][k].stored == STORED_INLINE)
                r->result->inlined++;
            else
                r->result->left_out++;
        }
}

static int write_report(struct reporting *r, struct pool *pool)
{
    const struct run *run = r->view.run;
    int rc =
        blocks_make(&r->blocks, r->arena, run, &r->placements, payload_budget(run, r->options->html.max_bytes), pool);

    if (rc) {
        r->result->failed = arena_printf(r->arena, "a temporary file in %s (TMPDIR)", temp_file_dir());
        return rc;
    }
    count_placements(r);
    return write_files(r);
}

int report_write(struct arena *arena, const struct answers *answers, const struct report_options *options,
                 struct pool *pool, struct report_result *result)
{
    struct reporting r = {.options = options, .result = result, .arena = arena};
    int rc;

    *result = (struct report_result){0};
    r.view =
        (struct view){.answers = answers, .run = answers->run, .placements = &r.placements, .scratch = arena_new()};
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
