#include "output/report.h"

#include "output/report_json.h"

/* Style, script and the frame of the page. */
enum { FRAME_BYTES = 40 * 1024, SMALLEST_PAYLOADS = 64 * 1024 };

struct reporting {
    struct view view;
    struct placements placements;
    struct blocks blocks;
    struct manifest manifest;
    const struct report_options *options;
    struct report_result *result;
};

static int write_html(struct reporting *r)
{
    struct outfile out;
    struct sink sink;
    int rc = manifest_create(&r->manifest, STR("index.html"), &out);

    if (rc)
        return rc;
    sink = sink_to_outfile(&out);
    rc = html_write(&sink, &r->view, &r->options->html, &r->blocks);
    r->result->html_bytes = sink.bytes;
    if (rc) {
        outfile_abort(&out);
        return rc;
    }
    return outfile_commit(&out);
}

static int write_json(struct reporting *r)
{
    struct outfile out;
    struct sink sink;
    int rc = manifest_create(&r->manifest, STR("report.json"), &out);

    if (rc)
        return rc;
    sink = sink_to_outfile(&out);
    report_json_write(&sink, &r->view, r->options->html.command, r->options->html.command_n);
    return outfile_commit(&out);
}

static struct str path_in(const struct reporting *r, struct arena *arena, struct str name)
{
    return arena_printf(arena, "%s/%.*s", r->options->dir, STR_ARG(name));
}

static int write_files(struct reporting *r, struct arena *arena)
{
    struct str failed = {0};
    int rc = artifact_files_write(&r->view, &r->placements, r->options->artifacts, arena, &r->manifest, &failed);

    r->result->failed = path_in(r, arena, failed);
    if (rc == 0) {
        r->result->failed = path_in(r, arena, STR("index.html"));
        rc = write_html(r);
    }
    if (rc == 0) {
        r->result->failed = path_in(r, arena, STR("report.json"));
        rc = write_json(r);
    }
    return rc;
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

int report_write(struct arena *arena, const struct answers *answers, const struct report_options *options,
                 struct pool *pool, struct report_result *result)
{
    struct reporting r = {.options = options, .result = result};
    int rc;

    *result = (struct report_result){.failed = str_of(options->dir)};
    r.view =
        (struct view){.answers = answers, .run = answers->run, .placements = &r.placements, .scratch = arena_new()};
    rc = manifest_begin(&r.manifest, options->dir, arena);
    if (rc == 0) {
        result->failed = arena_printf(arena, "a temporary file in %s", temp_file_dir());
        rc = blocks_make(&r.blocks, arena, answers->run, &r.placements,
                         payload_budget(answers->run, options->html.max_bytes), pool);
        if (rc == 0) {
            count_placements(&r);
            rc = write_files(&r, arena);
        }
        blocks_free(&r.blocks);
    }
    if (rc == 0) {
        result->failed = path_in(&r, arena, STR(MANIFEST_NAME));
        rc = manifest_finish(&r.manifest);
    } else {
        manifest_abort(&r.manifest);
    }
    arena_free(r.view.scratch);
    return rc;
}
