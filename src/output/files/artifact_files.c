#include "output/files/artifact_files.h"

#include "util/map.h"

struct artifact_writer {
    const struct view *v;
    struct placements *placements;
    enum artifacts_wanted wanted;
    struct arena *arena;
    struct manifest *manifest;
    struct map taken;   /* relative paths in use */
    struct map numbers; /* relative path without a number -> the last number used */
    struct str *failed;
};

static const char *extension(const struct artifact *a)
{
    static const char *const extensions[] = {
        [LANG_TEXT] = "txt", [LANG_FX] = "py",     [LANG_PYTHON] = "py",
        [LANG_CPP] = "cpp",  [LANG_JSON] = "json", [LANG_BYTECODE] = "txt",
    };

    return extensions[a->info ? a->info->language : LANG_TEXT];
}

static bool take_path(struct artifact_writer *w, struct str path)
{
    void **slot = map_at(&w->taken, path);
    bool is_new = *slot == NULL;

    *slot = w;
    return is_new;
}

/* "artifacts/0_1/name.py", or "name-2.py" if that exists; another artifact may be called "name-2". */
static struct str path_for(struct artifact_writer *w, const struct artifact *a)
{
    struct str anchor = str_skip(page_anchor(w->arena, a->compile), 2), path;
    struct str name = manifest_safe_name(w->arena, a->name);
    struct str base = arena_printf(w->arena, "artifacts/%.*s/%.*s", STR_ARG(anchor), STR_ARG(name));
    uint64_t *n = map_number_at(&w->numbers, arena_printf(w->arena, "%.*s.%s", STR_ARG(base), extension(a)));

    do {
        ++*n;
        path = *n == 1 ? arena_printf(w->arena, "%.*s.%s", STR_ARG(base), extension(a))
                      : arena_printf(w->arena, "%.*s-%u.%s", STR_ARG(base), (unsigned)*n, extension(a));
    } while (!take_path(w, path));
    return path;
}

/*
 * Sets *written; false if the payload cannot be read back because its file was cut off meanwhile. That is no error,
 * but the payload is lost.
 */
static int write_file(struct artifact_writer *w, struct str path, const struct artifact *a, bool *written)
{
    struct payload_source from = input_payloads(a->input);
    struct outfile out;
    struct sink sink;
    int rc = manifest_create(w->manifest, path, &out);

    *written = false;
    if (rc == 0) {
        sink = sink_to_outfile(&out);
        *written = payload_write(&from, &a->payload, &sink) == 0;
        if (*written)
            rc = manifest_complete(w->manifest, path, &out);
        else
            outfile_abort(&out);
    }
    if (rc)
        *w->failed = path;
    return rc;
}

static bool is_wanted(const struct artifact_writer *w, const struct artifact *a)
{
    if ((a->payload.flags & (PAYLOAD_PRESENT | PAYLOAD_UNREADABLE)) != PAYLOAD_PRESENT)
        return false;
    return w->wanted == ARTIFACTS_ALL || view_placement(w->v, a)->stored == STORED_DROPPED;
}

static int write_artifact(struct artifact_writer *w, const struct artifact *a)
{
    struct placement *p = &w->placements->inputs[a->input->index][a->number];
    struct str path;
    bool written;
    int rc;

    if (!is_wanted(w, a))
        return 0;
    path = path_for(w, a);
    rc = write_file(w, path, a, &written);
    p->lost |= rc == 0 && !written;
    if (rc || !written)
        return rc;
    p->file = path;
    if (p->stored == STORED_DROPPED)
        p->stored = STORED_FILE;
    return 0;
}

/* The timeline in PyTorch's own format: an array of Chrome trace events, which Perfetto opens. */
static void write_events(const struct process *p, struct outfile *out)
{
    struct payload_source from = input_payloads(p->input);
    struct sink sink = sink_to_outfile(out);
    bool first = true;

    sink_str(&sink, STR("["));
    vec_each(const struct event, e, &p->events) for (int end = 0; end < 2; end++)
    {
        struct payload payload = event_payload(e, end ? e->end : e->begin);

        if (!(payload.flags & PAYLOAD_PRESENT))
            continue;
        sink_str(&sink, first ? STR("\n") : STR(",\n"));
        payload_write(&from, &payload, &sink);
        first = false;
    }
    sink_str(&sink, STR("\n]\n"));
}

static int write_timeline(struct artifact_writer *w, const struct process *p)
{
    struct str path = p->index ? arena_printf(w->arena, "artifacts/chromium_events-p%u.json", p->index)
                               : STR("artifacts/chromium_events.json");
    struct outfile out;
    int rc;

    if (p->events.n == 0)
        return 0;
    rc = manifest_create(w->manifest, path, &out);
    if (rc == 0) {
        write_events(p, &out);
        rc = manifest_complete(w->manifest, path, &out);
    }
    if (rc)
        *w->failed = path;
    return rc;
}

int artifact_files_write(const struct view *v, struct placements *placements, enum artifacts_wanted wanted,
                         struct arena *arena, struct manifest *manifest, struct str *failed)
{
    struct artifact_writer w = {
        .v = v, .placements = placements, .wanted = wanted, .arena = arena, .manifest = manifest, .failed = failed};
    int rc = 0;

    if (wanted == ARTIFACTS_NONE)
        return 0;
    map_init(&w.taken, arena);
    map_init(&w.numbers, arena);
    for (size_t i = 0; rc == 0 && i < v->run->inputs.n; i++)
        for (size_t k = 0; rc == 0 && k < v->run->inputs.v[i]->artifacts.n; k++)
            rc = write_artifact(&w, v->run->inputs.v[i]->artifacts.v[k]);
    for (size_t i = 0; rc == 0 && wanted == ARTIFACTS_ALL && i < v->run->processes.n; i++)
        rc = write_timeline(&w, v->run->processes.v[i]);
    return rc;
}
