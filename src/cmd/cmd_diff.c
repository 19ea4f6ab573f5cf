#include "cmd/facts.h"

#include "gate/diff.h"
#include "gate/diff_formats.h"
#include "util/mem.h"

#include <stdlib.h>
#include <string.h>

enum { SIDES = 2 };

static int usage(const char *what, const char *value)
{
    complain("%s%s%s; see pt2trace diff --help", what, value ? ": " : "", value ? value : "");
    return EXIT_USAGE;
}

static int check_options(const struct options *o)
{
    static const char *const formats[] = {"text", "markdown", "json", "html"};
    bool known = !o->format;

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        known |= o->format && strcmp(o->format, formats[i]) == 0;
    if (!known)
        return usage("--format wants text, markdown, json or html", o->format);
    for (int i = 0; i < o->diff_fail_on.n; i++)
        if (!diff_can_fail_on(str_of(o->diff_fail_on.v[i])))
            return usage("--fail-on wants any, breaks, recompiles, errors, graphs, time or findings",
                         o->diff_fail_on.v[i]);
    return o->args_n == SIDES ? EXIT_DONE : usage("diff wants two PATHs", NULL);
}

static int print(const struct options *o, const struct session *s, json_t *diff)
{
    struct text t = session_text(s);
    int rc;

    if (o->format && strcmp(o->format, "json") == 0)
        return facts_write(o->output, json_print(s->arena, json_incref(diff)));
    if (o->format && strcmp(o->format, "markdown") == 0)
        return facts_write(o->output, diff_markdown(s->arena, diff));
    if (o->format && strcmp(o->format, "html") == 0)
        return facts_write(o->output, diff_html(s->arena, diff));
    diff_text(&t, diff);
    rc = o->quiet ? EXIT_DONE : facts_write(o->output, buf_view(&t.buf));
    buf_free(&t.buf);
    return rc;
}

static int compare(const struct options *o, struct session *sessions, const struct snapshot *facts)
{
    struct diff_side sides[SIDES];
    json_t *diff;
    int rc;

    for (int i = 0; i < SIDES; i++)
        sides[i] = (struct diff_side){str_of(o->args[i]), &facts[i], sessions[i].run};
    diff = diff_make(sessions[0].arena, &sides[0], &sides[1]);
    rc = print(o, &sessions[0], diff);
    for (int i = 0; rc == EXIT_DONE && i < o->diff_fail_on.n; i++)
        if (diff_has(diff, str_of(o->diff_fail_on.v[i])))
            rc = EXIT_FOUND;
    json_decref(diff);
    return rc;
}

int cmd_diff(const struct options *o)
{
    struct session sessions[SIDES] = {{0}, {0}};
    struct snapshot facts[SIDES] = {{0}, {0}};
    int rc = check_options(o);

    for (int i = 0; rc == EXIT_DONE && i < SIDES; i++)
        rc = facts_begin(o, o->args[i], &sessions[i], &facts[i]);
    if (rc == EXIT_DONE)
        rc = compare(o, sessions, facts);
    for (int i = 0; i < SIDES; i++) {
        session_end(&sessions[i]);
        snapshot_free(&facts[i]);
    }
    return rc;
}
