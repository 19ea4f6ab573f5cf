#include "cmd/session.h"

#include "output/summary.h"

int cmd_summary(const struct options *o)
{
    struct trace_options trace = {.check_digests = o->verify};
    struct session s;
    int rc = session_begin(&s, o, o->args, (size_t)o->args_n, &trace);

    if (rc == EXIT_DONE) {
        struct text t = session_text(&s);

        if (!o->quiet)
            summary_write(&t, &s.answers);
        rc = session_print(&s, &t);
    }
    if (rc == EXIT_DONE)
        rc = session_write_map(&s);
    if (rc == EXIT_DONE)
        rc = session_status(&s);
    session_end(&s);
    return rc;
}
