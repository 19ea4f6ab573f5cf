#include "cmd/session.h"

#include "output/show.h"
#include "util/digest.h"

#include <string.h>

/* What stands behind PATH: "0/1", "[0/1]", "!0/3/0", with an attempt or without. */
static bool parse_id(const char *word, struct show_query *q)
{
    struct str s = str_of(word);
    int attempt;

    q->has_id = compile_id_take(&s, &q->id, &attempt) && s.n == 0;
    return q->has_id;
}

static int usage(const char *what)
{
    complain("%s; see pt2trace show --help", what);
    return EXIT_USAGE;
}

static int parse_query(const struct options *o, struct show_query *q)
{
    uint64_t rank;

    *q = (struct show_query){.rank = RANK_UNKNOWN};
    if (o->rank) {
        if (!str_u64(str_of(o->rank), &rank) || rank > INT32_MAX)
            return usage("--rank wants a number");
        q->rank = (int)rank;
    }
    if (o->args_n > 3)
        return usage("too many arguments");
    if (o->args_n == 1)
        return EXIT_DONE;
    if (!parse_id(o->args[1], q))
        q->what = str_of(o->args[1]);
    if (o->args_n == 3) {
        if (!q->has_id)
            return usage("ID must look like 0/1 or !0/1/2");
        q->what = str_of(o->args[2]);
    }
    return EXIT_DONE;
}

int cmd_show(const struct options *o)
{
    struct trace_options trace = {.check_digests = o->verify};
    struct show_query q;
    struct session s;
    int rc = parse_query(o, &q);

    if (rc)
        return rc;
    rc = session_begin(&s, o, o->args, 1, &trace);
    if (rc == EXIT_DONE) {
        struct text t = session_text(&s);
        int found = show_write(&t, &s.answers, &q);

        rc = session_print(&s, &t);
        if (found < 0 && rc == EXIT_DONE) {
            complain("%s: %s", o->args[0], strerror(-found));
            rc = EXIT_IO;
        } else if (found == 0 && rc == EXIT_DONE) {
            complain("%s: %.*s. pt2trace show %s lists the compiles, with an ID behind it what one has", o->args[0],
                     STR_ARG(show_instead(s.arena, &s.answers, &q)), o->args[0]);
            rc = EXIT_IO;
        }
    }
    if (rc == EXIT_DONE)
        rc = session_write_map(&s);
    session_end(&s);
    return rc;
}
