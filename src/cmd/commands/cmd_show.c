#include "cmd/commands/cmd.h"
#include "cmd/complain.h"
#include "cmd/session.h"
#include "cmd/terminal/pager.h"

#include "output/text/show_grep.h"
#include "output/text/show_place.h"

#include <string.h>

/* The id after PATH: "0/1", "[0/1]", "!0/3/0", with or without an attempt. */
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
            return usage("--rank must be a number");
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

/* "train.py:31" */
static bool parse_place(struct str word, struct show_place *p)
{
    size_t colon = word.n;
    uint64_t line;

    while (colon > 0 && word.p[colon - 1] != ':')
        colon--;
    if (colon < 2)
        return false;
    p->file = str_take(word, colon - 1);
    if (!str_u64(str_skip(word, colon), &line) || line == 0 || line > INT32_MAX)
        return false;
    p->line = (int64_t)line;
    return true;
}

/* What was asked for, and whether it was found. */
struct asked {
    struct show_query q;
    struct show_place place; /* set if place.line is not 0 */
    regex_t pattern;         /* with --grep */
    bool has_pattern;
};

static int parse_asked(const struct options *o, struct asked *x)
{
    char why[200];
    int rc = parse_query(o, &x->q);

    if (rc)
        return rc;
    x->place.rank = x->q.rank;
    x->q.failed = o->failed;
    if (o->failed && x->q.what.n && !str_eq(x->q.what, STR("guards")))
        return usage("--failed only works with guards");
    if (o->grep && x->q.what.n)
        return usage("--grep works with an ID, or without arguments");
    if (!x->q.has_id && x->q.what.n)
        parse_place(x->q.what, &x->place);
    if (!o->grep)
        return EXIT_DONE;
    rc = regcomp(&x->pattern, o->grep, REG_EXTENDED | REG_NOSUB);
    if (rc) {
        regerror(rc, &x->pattern, why, sizeof why);
        complain("--grep %s: %s; it must be a regular expression, as for grep -E", o->grep, why);
        return EXIT_USAGE;
    }
    x->has_pattern = true;
    return EXIT_DONE;
}

static int write_asked(const struct session *s, struct text *t, struct asked *x)
{
    int found;

    if (x->has_pattern)
        return show_grep_write(t, &s->answers, &x->q, &x->pattern);
    if (x->place.line)
        return show_place_write(t, &s->answers, &x->place);
    found = show_write(t, &s->answers, &x->q);
    if (found == 0 && !x->q.failed && show_completed(&s->answers, &x->q).n) {
        x->q.what = show_completed(&s->answers, &x->q);
        found = show_write(t, &s->answers, &x->q);
    }
    return found;
}

static int complain_nothing(const struct session *s, const struct asked *x)
{
    const struct options *o = s->options;

    if (x->has_pattern)
        complain("%s: no payload contains %s", o->args[0], o->grep);
    else if (x->place.line)
        complain(
            "%s: nothing is known about %.*s:%lld. Line numbers are those of the traced program; show --grep searches "
            "graphs and code",
            o->args[0], STR_ARG(x->place.file), (long long)x->place.line);
    else if (x->q.failed)
        complain("%s: no guard is known to have failed", o->args[0]);
    else
        complain("%s: %.*s. pt2trace show %s lists compiles; with an ID after it, the artifacts of that compile",
                 o->args[0], STR_ARG(show_instead(s->arena, &s->answers, &x->q)), o->args[0]);
    return EXIT_IO;
}

static int show(struct session *s, struct asked *x)
{
    struct text t = session_text(s);
    int found = write_asked(s, &t, x), rc = EXIT_DONE;

    if (pager_show(s->options->text_fd, buf_view(&t.buf)))
        buf_free(&t.buf);
    else
        rc = session_print(s, &t);
    if (found < 0 && rc == EXIT_DONE) {
        complain("%s: %s", s->options->args[0], strerror(-found));
        rc = EXIT_IO;
    } else if (found == 0 && rc == EXIT_DONE) {
        rc = complain_nothing(s, x);
    }
    return rc;
}

int cmd_show(const struct options *o)
{
    struct trace_options trace = {.check_digests = o->verify};
    struct asked x = {0};
    struct session s;
    int rc = parse_asked(o, &x);

    if (rc)
        return rc;
    pager_prepare(o->text_fd);
    rc = session_begin(&s, o, o->args, 1, &trace);
    if (rc == EXIT_DONE)
        rc = show(&s, &x);
    if (rc == EXIT_DONE)
        rc = session_write_map(&s);
    if (x.has_pattern)
        regfree(&x.pattern);
    session_end(&s);
    return rc;
}
