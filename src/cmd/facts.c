#include "cmd/facts.h"

#include "cmd/complain.h"
#include "cmd/confine.h"
#include "output/report/report_json.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const size_t report_bytes_max = (size_t)4 << 30;

int facts_of_report(const char *path, struct arena *a, struct snapshot *out)
{
    struct buf text = {0};
    struct str why;
    int rc = read_file(path, report_bytes_max, &text);

    if (rc)
        complain("%s: %s", path, strerror(-rc));
    else if (!snapshot_read(out, a, buf_view(&text), &why))
        complain("%s: %.*s", path, STR_ARG(why));
    buf_free(&text);
    return out->root ? EXIT_DONE : EXIT_IO;
}

int facts_of_session(struct session *s, struct snapshot *out)
{
    struct view v = {.answers = &s->answers, .run = s->run, .scratch = arena_new()};
    struct about about = session_about(s);
    struct buf text = {0};
    struct sink sink = sink_to_buf(&text);
    struct str why;
    bool ok;

    report_json_write(&sink, &v, &about);
    ok = snapshot_read(out, s->arena, buf_view(&text), &why);
    if (!ok)
        complain("the report of the records: %.*s", STR_ARG(why));
    buf_free(&text);
    arena_free(v.scratch);
    return ok ? EXIT_DONE : EXIT_IO;
}

int facts_begin(const struct options *o, const char *path, struct session *s, struct snapshot *out)
{
    struct trace_options trace = {.check_digests = false};
    int rc;

    *out = (struct snapshot){0};
    confine(o);
    if (snapshot_is_report(path)) {
        *s = (struct session){.options = o, .arena = arena_new()};
        return facts_of_report(path, s->arena, out);
    }
    rc = session_begin_gate(s, o, path, &trace);
    return rc == EXIT_DONE ? facts_of_session(s, out) : rc;
}

int facts_of_part(const struct options *o, const char *path, struct run_part *part, struct session *s,
                  struct snapshot *out)
{
    int rc;

    if (part->rank < 0 && part->epoch < 0)
        return facts_begin(o, path, s, out);
    *out = (struct snapshot){0};
    *s = (struct session){0};
    confine(o);
    if (snapshot_is_report(path)) {
        complain("%s: a report.json cannot be split into ranks and epochs; pass the trace", path);
        return EXIT_USAGE;
    }
    rc = session_begin_part(s, o, path, part);
    return rc == EXIT_DONE ? facts_of_session(s, out) : rc;
}

int facts_write(const char *path, struct str text)
{
    bool standard = strcmp(path, "-") == 0;
    struct outfile out;
    int rc = standard ? write_all(STDOUT_FILENO, text.p, text.n) : outfile_open(&out, path);

    if (!standard && rc == 0) {
        outfile_write(&out, text);
        rc = outfile_commit(&out);
    }
    if (rc == 0 || rc == -EPIPE)
        return EXIT_DONE;
    complain("%s: %s", standard ? "standard output" : path, strerror(-rc));
    return EXIT_IO;
}
