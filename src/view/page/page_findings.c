/* The findings: the worst one in full, the others as one line each, and their evidence. */
#include "view/page.h"

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
    {"recompiles", "Recompiles", {"recompile-", "specialization", "slow-guards"}},
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

json_t *page_finding_group(const struct view *v, size_t kind, const struct finding *const *list, size_t n)
{
    uint64_t by_severity[FINDING_SEVERITIES] = {0};
    json_t *o = json_new_object(), *severities = json_new_array();

    for (size_t i = 0; i < n; i++)
        by_severity[list[i]->severity]++;
    for (int i = 0; i < FINDING_SEVERITIES; i++)
        if (by_severity[i]) {
            json_t *x = json_new_object();

            json_put_str(x, "severity", str_of(finding_severity_name((enum finding_severity)i)));
            json_put_str(x, "count", format_count(v->scratch, by_severity[i]));
            json_push(severities, x);
        }
    json_put_str(o, "name", str_of(kinds[kind].name));
    json_put_str(o, "title", str_of(kinds[kind].title));
    json_put_str(o, "count", format_counted(v->scratch, n, "finding", "findings"));
    json_put(o, "severities", severities);
    return o;
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

/* `before` is the previous entry in the list; NULL for the first. */
static json_t *entry_link(const struct view *v, const struct evidence_entry *entry, const struct evidence_entry *before)
{
    json_t *o = json_new_object();

    json_put_str(o, "lead",
                 before && before->kind == entry->kind
                     ? STR(", ")
                     : arena_printf(v->scratch, "%s%s", before ? "; " : "", leads[entry->kind]));
    json_put_str(o, "href", page_evidence_anchor(v->scratch, entry));
    json_put(o, "words", page_words(entry_words(v, entry)));
    return o;
}

static json_t *entries_of(const struct view *v, const struct finding *x)
{
    const struct evidence_list *list = evidence_of(v->evidence, x);
    json_t *o, *links;

    if (list->entries.n == 0)
        return json_null();
    o = json_new_object();
    links = json_new_array();
    for (size_t i = 0; i < list->entries.n; i++)
        json_push(links, entry_link(v, list->entries.v[i], i ? list->entries.v[i - 1] : NULL));
    json_put(o, "list", links);
    return o;
}

json_t *page_entry_findings(const struct view *v, const void *thing)
{
    const struct evidence_entry *entry = evidence_entry(v->evidence, thing);
    json_t *o, *list;

    if (entry->findings.n == 0)
        return json_null();
    o = json_new_object();
    list = json_new_array();
    for (size_t i = 0; i < entry->findings.n; i++) {
        json_t *x = json_new_object();

        json_put_str(x, "id", entry->findings.v[i]->id);
        json_put(x, "title", page_words(entry->findings.v[i]->title));
        json_push(list, x);
    }
    json_put(o, "list", list);
    return o;
}

json_t *page_left_out(const struct view *v, const void *thing)
{
    const struct evidence_entry *entry = evidence_entry(v->evidence, thing);

    return entry->findings.n ? entry_link(v, entry, NULL) : json_null();
}

json_t *page_finding_left_out(const struct view *v, const struct finding *x)
{
    json_t *o;

    if (evidence_of(v->evidence, x)->entries.n == 0)
        return json_null();
    o = json_new_object();
    json_put(o, "href", json_of_str(arena_printf(v->scratch, "finding-%.*s", STR_ARG(x->id))));
    json_put_str(o, "lead", STR("finding "));
    json_put(o, "words", page_words(x->title));
    return o;
}

/* --- one finding -------------------------------------------------------------------------------------------------- */

/* The other places with the same problem. */
static json_t *spots_of(const struct view *v, const struct finding *x)
{
    enum { FEW = 3 };
    json_t *o, *list;

    if (x->spots.n < 2)
        return json_null();
    o = json_new_object();
    list = json_new_array();
    for (size_t i = 0; i < x->spots.n && i < PAGE_REASONS_MAX; i++) {
        json_t *spot = json_new_object();

        json_put(spot, "place", page_place(v, x->spots.v[i].file, x->spots.v[i].line));
        json_put(spot, "source", view_text(str_trim(x->spots.v[i].source)));
        json_push(list, spot);
    }
    json_put(o, "list", list);
    json_put_bool(o, "few", x->spots.n <= FEW);
    return o;
}

static json_t *tried_of(const struct finding *x)
{
    json_t *o;

    if (!x->tried)
        return json_null();
    o = json_new_object();
    json_put_bool(o, "good", x->tried->outcome == FIX_HELPS || x->tried->outcome == FIX_GONE);
    json_put_str(o, "head", format_tried(x->tried));
    json_put(o, "measured", page_words(x->tried->measured));
    return o;
}

static void put_costs(const struct view *v, json_t *o, const struct finding *x)
{
    json_t *costs = json_new_array();

    if (x->cost_us > 0)
        json_push(costs, json_of_str(format_cost_time(v->scratch, x)));
    if (x->cost_compiles)
        json_push(costs, json_of_str(format_counted(v->scratch, x->cost_compiles, "compile", "compiles")));
    if (x->cost_breaks)
        json_push(costs, json_of_str(format_counted(v->scratch, x->cost_breaks, "break", "breaks")));
    json_put_bool(o, "cost", json_array_size(costs) > 0);
    json_put(o, "costs", costs);
}

static bool has_line(struct str lines, struct str line)
{
    while (lines.n)
        if (str_eq(str_split(&lines, '\n'), line))
            return true;
    return false;
}

/* The values that the script filters by: file names, one per line, and ranks, separated by blanks. */
static void put_filters(const struct view *v, json_t *o, const struct finding *x)
{
    enum { FILES_MAX = 20, RANKS_MAX = 1024 };
    struct str files = code_file_name(x->file);
    struct buf ranks = {0};

    for (size_t i = 0; i < x->spots.n && i < FILES_MAX; i++) {
        struct str name = code_file_name(x->spots.v[i].file);

        if (name.n && !has_line(files, name))
            files = arena_printf(v->scratch, "%.*s\n%.*s", STR_ARG(files), STR_ARG(name));
    }
    for (size_t i = 0; v->answers->counts.ranks > 1 && i < x->ranks.n && i < RANKS_MAX; i++)
        buf_printf(&ranks, "%s%d", i ? " " : "", x->ranks.v[i]);
    json_put(o, "files", view_text(files));
    json_put(o, "rank_numbers", view_text(buf_view(&ranks)));
    json_put_str(o, "kind", str_of(kinds[page_finding_kind(x)].name));
    buf_free(&ranks);
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

static json_t *one_of(const char *key, json_t *value)
{
    json_t *o = json_new_object();

    json_put(o, key, value);
    return o;
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

json_t *page_examples(const struct view *v, size_t n)
{
    json_t *o = json_new_object();

    json_put_str(o, "title",
                 arena_printf(v->scratch, "%.*s: the problem in a small program, and the fix",
                              STR_ARG(format_counted(v->scratch, n, "example", "examples"))));
    return o;
}

json_t *page_example(const struct finding *x)
{
    struct str text = example_of(x->info), line;
    json_t *o = json_new_object(), *parts = json_new_array();

    while (str_next_line(&text, &line)) {
        if (str_consume(&line, STR("## ")))
            json_push(parts, one_of("heading", json_of_str(line)));
        else if (str_starts(line, STR("```")))
            json_push(parts, one_of("code", json_of_str(take_code(&text))));
        else if (line.n)
            json_push(parts, one_of("words", page_words(line)));
    }
    json_put_str(o, "kind", str_of(x->info->id));
    json_put(o, "parts", parts);
    return o;
}

json_t *page_finding(const struct view *v, const struct finding *x, enum page_finding_role role)
{
    json_t *o = json_new_object();

    json_put_bool(o, "verdict", role == PAGE_VERDICT);
    json_put_bool(o, "consequence", role == PAGE_CONSEQUENCE);
    json_put_str(o, "id", x->id);
    json_put_str(o, "severity", str_of(finding_severity_name(x->severity)));
    json_put(o, "title", page_words(x->title));
    json_put(o, "detail", page_words(x->detail));
    json_put(o, "ranks",
             view_has_ranks(v) ? view_text(rank_list_words(v->scratch, x->ranks.v, x->ranks.n)) : json_null());
    json_put(o, "place", page_place(v, x->file, x->line));
    json_put(o, "source", view_text(str_trim(x->source)));
    json_put(o, "fix", page_words(x->fix));
    json_put(o, "paste", page_text(v, x->paste.text));
    json_put(o, "paste_at", view_text(format_paste_place(v->scratch, &x->paste)));
    json_put(o, "tried", tried_of(x));
    json_put(o, "spots", spots_of(v, x));
    json_put(o, "places",
             x->spots.n > 1 ? json_of_str(format_counted(v->scratch, x->spots.n, "place", "places")) : json_null());
    json_put_str(o, "doc", page_url(x->doc));
    json_put_str(o, "doc_name", format_page_name(v->scratch, x->doc));
    json_put(o, "example", page_finding_has_example(x) ? json_of_str(str_of(x->info->id)) : json_null());
    put_costs(v, o, x);
    put_filters(v, o, x);
    json_put(o, "entries", entries_of(v, x));
    json_put(o, "evidence",
             x->compiles.n ? page_link_list(v, x->compiles.v, x->compiles.n, x->compiles_more) : json_null());
    return o;
}
