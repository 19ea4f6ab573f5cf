/* The findings: the worst one in full, the others as one line each, and their evidence. */
#include "view/page.h"
#include "view/page_objects.h"

#include "analysis/find/finding_table.h"
#include "view/evidence.h"
#include "view/format.h"

#include <string.h>

/* --- kinds -------------------------------------------------------------------------------------------------------- */

/*
 * The kinds by which findings are grouped and filtered. The first row that an id begins with counts; the last row
 * takes the rest.
 */
static const struct {
    const char *name, *title;
    const char *prefixes[10];
} kinds[] = {
    {"errors",
     "Errors",
     {"error", "run-", "incomplete", "suppressed-", "missing-fake", "wrong-fake", "data-dependent", "export-"}},
    {"ranks", "Ranks", {"rank-", "collective-"}},
    {"breaks", "Graph breaks", {"break-", "skipped-frame", "tiny-graphs", "empty-graph"}},
    {"recompiles", "Recompiles", {"recompile-", "specialization", "slow-guards", "missing-guard"}},
    {"caches", "Caches", {"cache-"}},
    {"time", "Time", {"slow-", "late-", "repeated-", "same-graph", "printed-times", "gpu-"}},
    {"other", "Settings and code", {""}},
};
_Static_assert(sizeof kinds / sizeof *kinds == PAGE_FINDING_KINDS, "page.h counts the kinds");

size_t page_finding_kind(const struct finding *x)
{
    for (size_t i = 0; i < PAGE_FINDING_KINDS; i++)
        for (size_t k = 0; k < sizeof kinds[i].prefixes / sizeof *kinds[i].prefixes && kinds[i].prefixes[k]; k++)
            if (strncmp(x->info->id, kinds[i].prefixes[k], strlen(kinds[i].prefixes[k])) == 0)
                return i;
    return PAGE_FINDING_KINDS - 1;
}

struct severity_count {
    enum finding_severity severity;
    uint64_t n;
};

static json_t *severities_of(const struct view *v, const struct page_finding_group *x)
{
    json_t *list = json_new_array();

    for (int i = 0; i < FINDING_SEVERITIES; i++) {
        struct severity_count count = {.severity = (enum finding_severity)i};

        for (size_t k = 0; k < x->n; k++)
            count.n += x->list[k]->severity == count.severity;
        if (count.n)
            json_push(list, page_severity_count(v, &count));
    }
    return list;
}

/* --- evidence ----------------------------------------------------------------------------------------------------- */

struct str page_evidence_anchor(struct arena *a, const struct evidence_entry *entry)
{
    switch (entry->kind) {
    case EVIDENCE_CHAIN:
        return page_chain_anchor(a, entry->chain->frame);
    case EVIDENCE_BREAK:
        return arena_printf(a, "break-%zu", entry->number + 1);
    case EVIDENCE_ERROR:
        break;
    }
    return arena_printf(a, "error-%zu", entry->number + 1);
}

/* The words before the first entry of a kind. */
static const char *const leads[] = {
    [EVIDENCE_BREAK] = "Graph break at ", [EVIDENCE_CHAIN] = "Recompiles of ", [EVIDENCE_ERROR] = "Error in "};

static struct str entry_words(const struct view *v, const struct evidence_entry *entry)
{
    const struct break_group *g;
    struct str place;

    switch (entry->kind) {
    case EVIDENCE_CHAIN:
        return arena_printf(v->scratch, "`%.*s`", STR_ARG(format_frame(v->scratch, entry->chain->frame)));
    case EVIDENCE_ERROR:
        return format_compile(v->scratch, entry->error->failure->compile);
    case EVIDENCE_BREAK:
        break;
    }
    g = entry->place->first;
    place = g->own ? format_place(v->scratch, g->own->file, g->own->line)
                   : format_place(v->scratch, g->sample->file, g->sample->line);
    return place.n ? place : STR("an unknown place");
}

struct left_out {
    struct str href, lead, words;
};

/* `before` is the previous entry in the list; NULL for the first. */
static json_t *entry_link(const struct view *v, const struct evidence_entry *entry, const struct evidence_entry *before)
{
    struct str lead = before && before->kind == entry->kind
                          ? STR(", ")
                          : arena_printf(v->scratch, "%s%s", before ? "; " : "", leads[entry->kind]);

    return page_left_out(
        v, &(struct left_out){page_evidence_anchor(v->scratch, entry), lead, entry_words(v, entry)});
}

static json_t *entry_links(const struct view *v, const struct evidence_list *list)
{
    json_t *links = json_new_array();

    for (size_t i = 0; i < list->entries.n; i++)
        json_push(links, entry_link(v, list->entries.v[i], i ? list->entries.v[i - 1] : NULL));
    return links;
}

static const struct evidence_list *entries_if_any(const struct view *v, const struct finding *x)
{
    const struct evidence_list *list = evidence_of(v->evidence, x);

    return list->entries.n ? list : NULL;
}

const struct evidence_entry *page_entry(const struct view *v, const void *thing)
{
    const struct evidence_entry *entry = evidence_entry(v->evidence, thing);

    return entry->findings.n ? entry : NULL;
}

json_t *page_entry_left_out(const struct view *v, const void *thing)
{
    const struct evidence_entry *entry = page_entry(v, thing);

    return entry ? entry_link(v, entry, NULL) : json_null();
}

json_t *page_finding_left_out(const struct view *v, const struct finding *x)
{
    struct left_out left = {arena_printf(v->scratch, "finding-%.*s", STR_ARG(x->id)), STR("finding "), x->title};

    return page_left_out(v, entries_if_any(v, x) ? &left : NULL);
}

/* --- one finding -------------------------------------------------------------------------------------------------- */

enum { FEW_SPOTS = 3 };

static json_t *costs_of(const struct view *v, const struct finding *x)
{
    json_t *costs = json_new_array();

    if (x->cost_us > 0)
        json_push(costs, json_of_str(format_cost_time(v->scratch, x)));
    if (x->cost_compiles)
        json_push(costs, json_of_str(format_counted(v->scratch, x->cost_compiles, "compile", "compiles")));
    if (x->cost_breaks)
        json_push(costs, json_of_str(format_counted(v->scratch, x->cost_breaks, "break", "breaks")));
    return costs;
}

static bool has_line(struct str lines, struct str line)
{
    while (lines.n)
        if (str_eq(str_split(&lines, '\n'), line))
            return true;
    return false;
}

/* The names of the files that a finding is about, one per line. */
static struct str files_of(const struct view *v, const struct finding *x)
{
    enum { FILES_MAX = 20 };
    struct str files = code_file_name(x->file);

    for (size_t i = 0; i < x->spots.n && i < FILES_MAX; i++) {
        struct str name = code_file_name(x->spots.v[i].file);

        if (name.n && !has_line(files, name))
            files = arena_printf(v->scratch, "%.*s\n%.*s", STR_ARG(files), STR_ARG(name));
    }
    return files;
}

/* "0 3 4"; empty without several ranks. */
static struct str rank_numbers_of(const struct view *v, const struct finding *x)
{
    enum { RANKS_MAX = 1024 };
    struct buf ranks = {0};
    struct str out;

    for (size_t i = 0; view_has_ranks(v) && i < x->ranks.n && i < RANKS_MAX; i++)
        buf_printf(&ranks, "%s%d", i ? " " : "", x->ranks.v[i]);
    out = arena_str(v->scratch, buf_view(&ranks));
    buf_free(&ranks);
    return out;
}

/* --- examples ----------------------------------------------------------------------------------------------------- */

/* The part of its documentation page with the program before and after; empty if there is none. */
static struct str example_of(const struct finding_info *info)
{
    struct str page = finding_page_of(info->id), proof = STR("\n## Proof\n");
    ptrdiff_t begin = str_find(page, STR("## Before\n")), end;

    if (begin < 0)
        return STR("");
    page = str_skip(page, (size_t)begin);
    end = str_find(page, proof);
    return end < 0 ? page : str_take(page, (size_t)end);
}

/* The text up to the line that ends the code; `text` moves past that line. */
static struct str take_code(struct str *text)
{
    struct str code = *text, line;

    code.n = 0;
    while (str_next_line(text, &line) && !str_starts(line, STR("```")))
        code.n = (size_t)(line.p + line.n - code.p);
    return code;
}

bool page_finding_has_example(const struct finding *x)
{
    return example_of(x->info).n > 0;
}

struct example_part {
    struct str heading, code, words;
};

static json_t *example_parts(const struct view *v, const struct finding *x)
{
    struct str text = example_of(x->info), line;
    json_t *parts = json_new_array();

    while (str_next_line(&text, &line)) {
        struct example_part part = {.words = {0}};

        if (str_consume(&line, STR("## ")))
            part.heading = line;
        else if (str_starts(line, STR("```")))
            part.code = take_code(&text);
        else if (line.n)
            part.words = line;
        else
            continue;
        json_push(parts, page_example_part(v, &part));
    }
    return parts;
}

#include "view/page_rows.h"

#include "view/sections/findings.def"
