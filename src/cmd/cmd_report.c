#include "cmd/session.h"

#include "output/report_json.h"
#include "output/summary.h"

#include <string.h>

int cmd_report(const struct options *o)
{
    struct trace_options trace = {.depth = TRACE_FULL, .check_digests = !o->no_verify};
    struct session s;
    int rc = session_begin(&s, o, o->args, (size_t)o->args_n, &trace);

    if (rc == EXIT_DONE) {
        struct text t = session_text(&s);
        struct view v = {.answers = &s.answers, .run = s.run, .scratch = arena_new()};
        struct outfile out;
        struct sink sink;

        if (!o->quiet)
            summary_write(&t, &s.answers);
        rc = session_print(&s, &t);
        make_dirs(o->output);
        outfile_open(&out, "report.json");
        sink = sink_to_outfile(&out);
        report_json_write(&sink, &v, o->argv, (size_t)o->argc);
        outfile_commit(&out);
        arena_free(v.scratch);
    }
    if (rc == EXIT_DONE)
        rc = session_status(&s);
    session_end(&s);
    return rc;
}
