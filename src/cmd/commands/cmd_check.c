#include "cmd/commands/cmd.h"
#include "cmd/complain.h"
#include "cmd/confine.h"
#include "cmd/facts.h"

#include "gate/gate_formats.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POLICY_BYTES_MAX = 1 << 20 };

/* --- limits ------------------------------------------------------------------------------------------------------- */

static int usage(const char *what, const char *value)
{
    complain("%s%s%s; see pt2trace check --help", what, value ? ": " : "", value ? value : "");
    return EXIT_USAGE;
}

static bool count_option(const char *value, int64_t *out)
{
    return !value || (str_i64(str_of(value), out) && *out >= 0);
}

/* The limits from options, in addition to those in a file. */
static int policy_of_options(const struct check_options *o, struct arena *a, struct policy *p)
{
    if (!count_option(o->graph_breaks, &p->limits.graph_breaks))
        return usage("--max-graph-breaks must be 0 or more", o->graph_breaks);
    if (!count_option(o->recompiles, &p->limits.recompiles))
        return usage("--max-recompiles must be 0 or more", o->recompiles);
    if (o->compile_time && !policy_time(str_of(o->compile_time), &p->limits.compile_us))
        return usage("--max-compile-time must be a time such as 90s, 1.5s, 15min or 2h", o->compile_time);
    if (o->fail_on && !policy_severity(str_of(o->fail_on), &p->fail_on))
        return usage("--fail-on must be critical, high, medium, low or info", o->fail_on);
    p->no_errors |= o->no_errors;
    p->no_recompile_limit |= o->no_recompile_limit;
    p->cache_hits |= o->cache_hits;
    for (int i = 0; i < o->fullgraph.n; i++)
        policy_function(p, a, str_of(o->fullgraph.v[i]))->fullgraph = true;
    for (int i = 0; i < o->own_paths.n; i++)
        vec_push(a, &p->own_paths, str_of(o->own_paths.v[i]));
    for (int i = 0; i < o->allow.n; i++)
        if (!policy_allow(p, a, str_of(o->allow.v[i])))
            return usage("--allow needs an id, a file or a line", o->allow.v[i]);
    return EXIT_DONE;
}

/* A gate without any limits still rejects what nobody wants. */
static void use_defaults(struct policy *p, bool baseline)
{
    if (policy_asks(p))
        return;
    p->no_errors = p->no_recompile_limit = true;
    p->fail_on = baseline ? FINDING_MEDIUM : FINDING_CRITICAL;
    if (baseline)
        p->limits = (struct limits){0, 0, NO_LIMIT};
}

static int read_whole(const char *path, size_t max, struct buf *out)
{
    int rc = read_file(path, max, out);

    if (rc)
        complain("%s: %s", path, strerror(-rc));
    return rc ? EXIT_IO : EXIT_DONE;
}

static int read_policy(const struct options *o, struct arena *a, struct policy *p)
{
    const char *path = o->check.policy;
    struct buf text = {0};
    struct str why;
    int rc = EXIT_DONE;

    *p = policy_empty();
    if (path && (rc = read_whole(path, POLICY_BYTES_MAX, &text)) == EXIT_DONE &&
        !policy_read(p, a, buf_view(&text), &why)) {
        complain("%s: %.*s", path, STR_ARG(why));
        rc = EXIT_USAGE;
    }
    buf_free(&text);
    if (rc == EXIT_DONE)
        rc = policy_of_options(&o->check, a, p);
    if (rc == EXIT_DONE)
        use_defaults(p, o->check.baseline != NULL);
    return rc;
}

/* --- output ------------------------------------------------------------------------------------------------------- */

/* GitHub shows what is appended to this file as the summary of the job. */
static int write_step_summary(const struct gate_report *r)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    struct str text;
    int fd, rc;

    if (!path || !*path)
        return EXIT_DONE;
    text = gate_markdown(r);
    fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    rc = fd < 0 ? -errno : write_all(fd, text.p, text.n);
    if (fd >= 0)
        close(fd);
    if (rc)
        complain("%s: %s", path, strerror(-rc));
    return rc ? EXIT_IO : EXIT_DONE;
}

static int print(const struct options *o, const struct session *s, const struct gate_report *r)
{
    const struct gate_format *f = gate_format_find(str_of(o->format));
    struct text t = session_text(s);
    int rc;

    if (f->write) {
        rc = facts_write(o->output, f->write(r));
        return rc == EXIT_DONE && strcmp(f->name, "github") == 0 ? write_step_summary(r) : rc;
    }
    gate_text(&t, r);
    rc = o->quiet && r->gate->list.n == 0 ? EXIT_DONE : facts_write(o->output, buf_view(&t.buf));
    buf_free(&t.buf);
    return rc;
}

static int check(const struct options *o, struct session *s, struct policy *policy, const struct snapshot *now,
                 const struct snapshot *baseline)
{
    struct source_tree tree;
    struct gate gate;
    struct gate_report r = {.arena = s->arena, .gate = &gate, .tree = &tree, .has_baseline = baseline != NULL};
    int rc;

    source_tree_init(&tree, s->arena, o->source_root ? o->source_root : ".");
    gate_check(s->arena, policy, now, baseline, &gate);
    rc = print(o, s, &r);
    return rc == EXIT_DONE && gate.list.n ? EXIT_FOUND : rc;
}

int cmd_check(const struct options *given)
{
    struct options o = *given;
    struct arena *a = arena_new();
    struct snapshot now = {0}, baseline = {0};
    struct session s = {0};
    struct policy policy;
    int rc;

    o.format = o.format ? o.format : "text";
    if (!gate_format_find(str_of(o.format))) {
        arena_free(a);
        return usage("--format must be text, github, gitlab, junit, sarif or json", o.format);
    }
    rc = read_policy(&o, a, &policy);
    if (rc == EXIT_DONE)
        confine(&o);
    if (rc == EXIT_DONE && o.check.baseline)
        rc = facts_of_report(o.check.baseline, a, &baseline);
    if (rc == EXIT_DONE) {
        rc = facts_begin(&o, o.args[0], &s, &now);
        if (rc == EXIT_DONE)
            rc = check(&o, &s, &policy, &now, o.check.baseline ? &baseline : NULL);
        if (rc == EXIT_DONE && s.run)
            rc = session_status(&s);
        session_end(&s);
    }
    snapshot_free(&now);
    snapshot_free(&baseline);
    arena_free(a);
    return rc;
}
