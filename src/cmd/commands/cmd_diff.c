#include "cmd/commands/cmd.h"
#include "cmd/complain.h"
#include "cmd/facts.h"

#include "gate/diff.h"
#include "gate/diff_fail_on.h"
#include "gate/diff_formats.h"

#include <stdlib.h>
#include <string.h>

enum { SIDES = 2 };

static int usage(const char *what, const char *value)
{
    complain("%s%s%s; see pt2trace diff --help", what, value ? ": " : "", value ? value : "");
    return EXIT_USAGE;
}

/* "0,1" for --ranks and --epochs; `first` is the first valid number. */
static bool read_pair(const char *text, int64_t first, int64_t out[SIDES])
{
    struct str rest = str_of(text ? text : ""), word;
    uint64_t n[SIDES];

    for (int i = 0; i < SIDES; i++) {
        word = i == 0 ? str_split(&rest, ',') : rest;
        if (!str_u64(word, &n[i]) || n[i] < (uint64_t)first || n[i] > UINT32_MAX)
            return false;
        out[i] = (int64_t)n[i] - first;
    }
    return true;
}

static int read_parts(const struct options *o, struct run_part parts[SIDES])
{
    int64_t ranks[SIDES] = {-1, -1}, epochs[SIDES] = {-1, -1};

    if (o->ranks && !read_pair(o->ranks, 0, ranks))
        return usage("--ranks must be two numbers, such as 0,1", o->ranks);
    if (o->epochs && !read_pair(o->epochs, 1, epochs))
        return usage("--epochs must be two numbers, 1 or more, such as 1,2", o->epochs);
    for (int i = 0; i < SIDES; i++)
        parts[i] = (struct run_part){ranks[i], epochs[i]};
    return EXIT_DONE;
}

static int check_options(const struct options *o)
{
    static const char *const formats[] = {"text", "markdown", "json", "html"};
    bool known = !o->format;

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        known |= o->format && strcmp(o->format, formats[i]) == 0;
    if (!known)
        return usage("--format must be text, markdown, json or html", o->format);
    for (int i = 0; i < o->diff_fail_on.n; i++)
        if (!diff_can_fail_on(str_of(o->diff_fail_on.v[i])))
            return usage("--fail-on must be any, breaks, recompiles, errors, graphs, time or findings",
                         o->diff_fail_on.v[i]);
    if (o->args_n == 1 && (o->ranks || o->epochs))
        return EXIT_DONE;
    return o->args_n == SIDES ? EXIT_DONE : usage("diff needs two PATHs, or one with --ranks or --epochs", NULL);
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

static struct str name_of(struct arena *a, const char *path, const struct run_part *part)
{
    struct str name = arena_str(a, str_of(path));

    if (part->rank >= 0)
        name = arena_printf(a, "%.*s, rank %lld", STR_ARG(name), (long long)part->rank);
    if (part->epoch >= 0)
        name = arena_printf(a, "%.*s, epoch %lld", STR_ARG(name), (long long)part->epoch + 1);
    return name;
}

static const char *path_of(const struct options *o, int side)
{
    return o->args[o->args_n == 1 ? 0 : side];
}

static int compare(const struct options *o, struct session *sessions, const struct snapshot *facts,
                   const struct run_part *parts)
{
    struct diff_side sides[SIDES];
    json_t *diff;
    int rc;

    for (int i = 0; i < SIDES; i++)
        sides[i] = (struct diff_side){name_of(sessions[0].arena, path_of(o, i), &parts[i]), &facts[i], sessions[i].run};
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
    struct run_part parts[SIDES];
    int rc = check_options(o);

    rc = rc ? rc : read_parts(o, parts);
    for (int i = 0; rc == EXIT_DONE && i < SIDES; i++)
        rc = facts_of_part(o, path_of(o, i), &parts[i], &sessions[i], &facts[i]);
    if (rc == EXIT_DONE)
        rc = compare(o, sessions, facts, parts);
    for (int i = 0; i < SIDES; i++) {
        session_end(&sessions[i]);
        snapshot_free(&facts[i]);
    }
    return rc;
}
