#include "analysis/find/find.h"

/* A trace with a thousand different errors has a thousand findings of one kind: too many to read. */
enum { PER_ROW_MAX = 100 };

static struct finding *new_finding(struct finder *f, const struct finding_info *info, enum finding_severity severity)
{
    struct finding *x = ARENA_NEW(f->arena, struct finding);

    x->info = info;
    x->severity = severity;
    x->rank = RANK_UNKNOWN;
    x->cost_us = -1;
    x->doc = str_of(info->doc);
    return x;
}

struct finding *finding_add(struct finder *f, const char *id, enum finding_severity severity)
{
    size_t row = finding_row(id);
    struct tally *tally = &f->tallies[row];
    struct finding *x = new_finding(f, finding_info_at(row), severity);

    if (tally->found++ < PER_ROW_MAX) {
        vec_push(f->arena, &f->out->list, x);
        return x;
    }
    x->hidden = true;
    if (tally->found - 1 == PER_ROW_MAX || severity < tally->worst_hidden)
        tally->worst_hidden = severity;
    return x;
}

static void add_hidden(struct finder *f, size_t row)
{
    const struct tally *tally = &f->tallies[row];
    struct finding *x;

    if (tally->found <= PER_ROW_MAX)
        return;
    x = new_finding(f, finding_info_at(row), tally->worst_hidden);
    x->title = arena_printf(f->arena, "%zu more of the same kind", tally->found - PER_ROW_MAX);
    x->fix = STR("The sections of the report, and report.json, list them.");
    vec_push(f->arena, &f->out->list, x);
}

void finding_add_all_hidden(struct finder *f)
{
    for (size_t i = 0; finding_info_at(i); i++)
        add_hidden(f, i);
}

void finding_place(struct finding *x, const struct call *c)
{
    if (!c)
        return;
    x->file = c->file;
    x->line = c->line;
    x->source = c->source;
    x->function = c->function;
}

void finding_paste(struct finding *x, enum paste_kind kind, struct str text)
{
    static const char *const places[PASTE_KINDS] = {
        [PASTE_SETTING] = "at the start of the program, before the first compiled call",
        [PASTE_ENVIRONMENT] = "in the environment of the program",
        [PASTE_COMMAND] = "in a shell",
    };

    x->paste = (struct fix_paste){.text = text, .kind = text.n ? kind : PASTE_NONE};
    if (text.n)
        x->paste.where = str_of(places[kind]);
}

void finding_paste_at(struct finding *x, const struct call *before, struct str where)
{
    x->paste.file = before ? before->file : (struct str){0};
    x->paste.line = before ? before->line : 0;
    x->paste.where = where;
}

/* Keeps the list ascending. It has at most one entry per rank, and ranks mostly arrive in order. */
void finding_add_rank(struct finder *f, struct finding *x, int rank)
{
    size_t at = 0, end = x->ranks.n;

    if (rank == RANK_UNKNOWN)
        return;
    while (at < end) {
        size_t middle = at + (end - at) / 2;

        if (x->ranks.v[middle] < rank)
            at = middle + 1;
        else
            end = middle;
    }
    if (at < x->ranks.n && x->ranks.v[at] == rank)
        return;
    vec_push(f->arena, &x->ranks, rank);
    memmove(x->ranks.v + at + 1, x->ranks.v + at, (x->ranks.n - 1 - at) * sizeof *x->ranks.v);
    x->ranks.v[at] = rank;
    x->rank = x->ranks.n == 1 ? rank : RANK_UNKNOWN;
}

void finding_evidence(struct finder *f, struct finding *x, const struct compile *c)
{
    if (x->hidden)
        return;
    finding_add_rank(f, x, c->process->rank);
    if (x->latest == c)
        return;
    x->latest = c;
    if (x->compiles.n < EVIDENCE_MAX)
        vec_push(f->arena, &x->compiles, c);
    else
        x->compiles_more++;
}

struct str finding_compile_name(struct finder *f, const struct compile *c)
{
    struct str id = compile_id_print(f->arena, c->id);

    if (f->answers->counts.ranks > 1 && c->process->rank >= 0)
        return arena_printf(f->arena, "[%.*s] on rank %d", STR_ARG(id), c->process->rank);
    return arena_printf(f->arena, "[%.*s]", STR_ARG(id));
}

enum { NAMES_SHOWN = 5 };

void find_add_name(struct finder *f, struct find_names *names, struct str name)
{
    if (names->n++ < NAMES_SHOWN)
        names->text = arena_printf(f->arena, "%.*s%s`%.*s`", STR_ARG(names->text), names->text.n ? ", " : "",
                                   STR_ARG(name.n ? name : STR("?")));
}

struct str find_names_text(struct finder *f, const struct find_names *names)
{
    if (names->n <= NAMES_SHOWN)
        return names->text;
    return arena_printf(f->arena, "%.*s and %zu more", STR_ARG(names->text), names->n - NAMES_SHOWN);
}

enum finding_severity finding_severity_of_time(int64_t us)
{
    return us >= 30 * 1000000ll ? FINDING_HIGH : us >= 3 * 1000000ll ? FINDING_MEDIUM : FINDING_LOW;
}

static struct str read_next(struct finder *f, struct artifact_reader *r, const struct artifact *a)
{
    struct str text = artifact_reader_next(r, a);

    f->cut = r->cut;
    return text;
}

struct str finder_read(struct finder *f, const struct artifact *a)
{
    return read_next(f, &f->payloads, a);
}

struct str finder_read_guards(struct finder *f, const struct artifact *a)
{
    return read_next(f, &f->guard_trees, a);
}
