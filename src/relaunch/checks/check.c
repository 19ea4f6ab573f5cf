#include "relaunch/checks/check.h"

#include "relaunch/checks/check_agreed.h"

#include "util/mem.h"
#include "util/system/file.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_MAX = 256 << 20 };

static struct str name_of(struct arena *a, const struct check *c)
{
    if (c->kind == CHECK_EXIT)
        return arena_printf(a, "exit %lld", (long long)c->status);
    return arena_printf(a, "%s %.*s", check_kind_name(c->kind), STR_ARG(c->text));
}

static void add_row(struct arena *a, const struct check *c, enum check_outcome outcome, struct str detail,
                    struct trial *t)
{
    vec_push(a, &t->checks, ((struct trial_check){name_of(a, c), outcome, detail}));
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

static struct str end_words(struct arena *a, const struct trial *t)
{
    if (t->status >= 0)
        return arena_printf(a, "it ended with status %lld", (long long)t->status);
    if (str_eq(t->end, STR(TRIAL_SIGNALED)))
        return arena_printf(a, "it was ended by signal %lld", (long long)t->signal);
    return arena_printf(a, "it did not end by itself (%.*s)", STR_ARG(t->end));
}

void check_end(struct arena *a, const struct workload *w, struct trial *t)
{
    bool asked = false, failed = false;

    t->checks.n = 0;
    vec_each(const struct check, c, &w->checks)
    {
        bool good = c->kind == CHECK_EXIT && t->status == c->status;

        if (c->kind != CHECK_EXIT)
            continue;
        asked = true;
        failed |= !good;
        add_row(a, c, good ? CHECK_SAME : CHECK_DIFFERENT, good ? STR("") : end_words(a, t), t);
    }
    t->failed = asked ? failed : t->status != 0;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

static struct str number_words(struct arena *a, double number)
{
    return isfinite(number) ? arena_printf(a, "%.4g", number) : STR("infinite");
}

static struct str difference_words(struct arena *a, const struct check_result *r)
{
    struct str abs = number_words(a, r->max_abs), rel = number_words(a, r->max_rel);

    return arena_printf(a, "max abs difference %.*s, max rel %.*s", STR_ARG(abs), STR_ARG(rel));
}

/* Both values, and where they were found. */
static struct str place_words(struct arena *a, const struct check_result *r, struct str then)
{
    struct str where = r->where[0] ? arena_printf(a, " (%s)", r->where) : STR("");
    const char *why = r->why, *between = r->why[0] ? ": " : "";

    if (!r->then[0] && !r->now[0])
        return arena_printf(a, "%s%.*s", why, STR_ARG(where));
    return arena_printf(a, "%s%s%s here, %s in %.*s%.*s", why, between, r->now[0] ? r->now : "nothing",
                        r->then[0] ? r->then : "nothing", STR_ARG(then), STR_ARG(where));
}

struct str check_words(struct arena *a, const struct check_result *r, struct str then)
{
    struct str place, difference;

    if (r->outcome == CHECK_NOT_COMPARED)
        return arena_str(a, str_of(r->why));
    difference = r->max_abs > 0 ? difference_words(a, r) : STR("");
    if (r->outcome == CHECK_SAME)
        return difference.n ? difference
                            : arena_printf(a, "%llu value%s", (unsigned long long)r->values, r->values == 1 ? "" : "s");
    place = place_words(a, r, then);
    return arena_printf(a, "%.*s%s%.*s", STR_ARG(place), difference.n ? "; " : "", STR_ARG(difference));
}

/* --- the first run ------------------------------------------------------------------------------------------------ */

/* Ranks in numerical order, whatever the order in which they wrote: "attempt_0/12/stdout.log" */
static int by_rank(const struct dirent **a, const struct dirent **b)
{
    return strverscmp((*a)->d_name, (*b)->d_name);
}

static int is_name(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int append_files(const char *dir, int depth, struct buf *out)
{
    struct dirent **names = NULL;
    int n = scandir(dir, &names, is_name, by_rank), rc = 0;

    for (int i = 0; i < n; i++) {
        char *path = xasprintf("%s/%s", dir, names[i]->d_name);

        if (depth > 0 && rc == 0)
            rc = append_files(path, depth - 1, out);
        else if (rc == 0 && strcmp(names[i]->d_name, "stdout.log") == 0)
            rc = read_file(path, OUTPUT_MAX, out);
        free(path);
        free(names[i]);
    }
    free(names);
    return rc;
}

/* The launcher's output, followed by each rank's. */
static int read_output(const struct check_side *side, struct buf *out, char *why, size_t size)
{
    int error = side->ranks_only ? 0 : read_file(side->output, OUTPUT_MAX, out);

    if (!error && side->ranks)
        error = append_files(side->ranks, 2, out);
    if (!error && out->n > OUTPUT_MAX)
        error = -EFBIG;
    if (error)
        snprintf(why, size, "the output cannot be read: %s",
                 error == -EFBIG ? "it is larger than 256 MiB" : strerror(-error));
    return error;
}

/* A check that will find nothing to compare is reported at once, not by every later trial. */
static void warn_output(struct arena *a, const struct check *c, const struct check_side *side, struct trial *t)
{
    struct buf text = {0};
    char why[200] = "";

    if (read_output(side, &text, why, sizeof why) == 0 && check_match_count(c->text, buf_view(&text)) == 0)
        snprintf(why, sizeof why, "the expression matches nothing in the output");
    if (why[0])
        add_row(a, c, CHECK_NOT_COMPARED, arena_str(a, str_of(why)), t);
    buf_free(&text);
}

static void warn(struct arena *a, const struct workload *w, const struct check_side *side, struct trial *t)
{
    for (size_t i = 0; i < w->checks.n; i++) {
        const struct check *c = &w->checks.v[i];

        if (c->kind == CHECK_OUTPUT)
            warn_output(a, c, side, t);
        else if (c->kind == CHECK_FILE && side->files.list.v[i].kept.n == 0)
            add_row(a, c, CHECK_NOT_COMPARED, side->files.list.v[i].why_not, t);
    }
}

/* --- two runs ----------------------------------------------------------------------------------------------------- */

static void compare_output(const struct check *c, const struct check_side *then, const struct check_side *now,
                           struct check_result *r)
{
    struct buf was = {0}, is = {0};

    if (read_output(then, &was, r->why, sizeof r->why) || read_output(now, &is, r->why, sizeof r->why))
        r->outcome = CHECK_NOT_COMPARED;
    else
        check_matches(c, buf_view(&was), buf_view(&is), r);
    buf_free(&was);
    buf_free(&is);
}

void check_results(struct arena *a, const struct workload *w, const struct check_side *then,
                   const struct check_side *now, const struct check_python *python, struct trial *t)
{
    if (!then) {
        warn(a, w, now, t);
        return;
    }
    for (size_t i = 0; i < w->checks.n; i++) {
        const struct check *c = &w->checks.v[i];
        struct check_result r = {0};

        if (c->kind == CHECK_OUTPUT)
            compare_output(c, then, now, &r);
        else if (c->kind == CHECK_FILE)
            check_file_compare(a, c, &then->files.list.v[i], &now->files.list.v[i], python, &r);
        if (c->kind != CHECK_EXIT)
            add_row(a, c, r.outcome, check_words(a, &r, then->name), t);
    }
}

void check_whole_output(struct arena *a, const struct check_history *h, size_t first, size_t second, size_t now,
                        struct check_result *r)
{
    const size_t sides[] = {first, second, now};
    struct buf texts[3] = {0};

    *r = (struct check_result){0};
    for (int i = 0; i < 3 && r->outcome == CHECK_SAME; i++)
        if (read_output(&h->sides.v[sides[i]], &texts[i], r->why, sizeof r->why))
            r->outcome = CHECK_NOT_COMPARED;
    if (r->outcome == CHECK_SAME)
        check_agreed(a, buf_view(&texts[0]), buf_view(&texts[1]), buf_view(&texts[2]), r);
    for (int i = 0; i < 3; i++)
        buf_free(&texts[i]);
}

/* --- all trials --------------------------------------------------------------------------------------------------- */

static void compare_trial(struct arena *a, const struct check_history *h, size_t i, struct trial *t)
{
    const struct check_side *then = &h->sides.v[h->reference], *now = &h->sides.v[i];

    check_end(a, h->workload, t);
    if (now->output && i != h->reference)
        check_results(a, h->workload, then, now, &h->python, t);
}

void check_trial(struct arena *a, struct check_history *h, const struct check_side *side, struct trial *trials)
{
    size_t last = h->sides.n;
    bool first = last == 0;

    vec_push(a, &h->sides, *side);
    if (!side->output) {
        trials[last].failed = trials[last].status != 0;
        return;
    }
    check_end(a, h->workload, &trials[last]);
    if (first)
        check_results(a, h->workload, NULL, side, &h->python, &trials[last]);
    if (!side->eager || h->sides.v[h->reference].eager || trials[last].failed) {
        if (!first)
            compare_trial(a, h, last, &trials[last]);
        return;
    }
    h->reference = last;
    for (size_t i = 0; i < last; i++)
        compare_trial(a, h, i, &trials[i]);
}
