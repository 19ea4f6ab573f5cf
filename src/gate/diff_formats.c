#include "gate/diff_formats.h"

#include "analysis/time/timing.h"
#include "gate/snapshot.h"
#include "output/export/markdown.h"
#include "output/html/assets.h"
#include "util/utf8.h"
#include "view/format.h"

#include <assert.h>

enum { SHOWN = 20, KEY_VALUE_SHOWN = 80, MARKDOWN_BYTES = 60000 };

/* A heading such as "Graph breaks that are new", and the lines under it; both outputs print them. */
struct diff_part {
    const char *heading;
    VEC(struct str) lines;
};

typedef VEC(struct diff_part) parts;

static struct diff_part *add_part(struct arena *a, parts *list, const char *heading)
{
    vec_push(a, list, ((struct diff_part){.heading = heading}));
    return &list->v[list->n - 1];
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static struct str place_of(struct arena *a, const json_t *o)
{
    struct str place = format_place(a, member_text(o, "file"), member_number(o, "line"));

    return place.n ? arena_printf(a, " (%.*s)", STR_ARG(place)) : STR("");
}

static struct str item_line(struct arena *a, const json_t *o)
{
    struct str source = member_text(o, "source");
    int64_t before = member_number(o, "line_before");
    struct str file = member_text(o, "file_before"), moved = {"", 0};

    if (before > 0)
        moved = file.n ? arena_printf(a, ", before at %.*s", STR_ARG(format_place(a, file, before)))
                       : arena_printf(a, ", before at line %lld", (long long)before);

    return arena_printf(a, "%.*s%.*s%.*s%s%.*s%s", STR_ARG(member_text(o, "what")), STR_ARG(place_of(a, o)),
                        STR_ARG(moved), source.n ? ": `" : "", STR_ARG(source), source.n ? "`" : "");
}

static struct str renamed_line(struct arena *a, const json_t *o)
{
    return arena_printf(a, "%.*s%.*s, before \"%.*s\"", STR_ARG(member_text(o, "what")), STR_ARG(place_of(a, o)),
                        STR_ARG(member_text(o, "what_before")));
}

static struct str change_line(struct arena *a, const json_t *o)
{
    struct str before = member_text(o, "before"), after = member_text(o, "after");

    if (before.n == 0 || after.n == 0)
        return arena_printf(a, "`%.*s` is `%.*s`, %s the default", STR_ARG(member_text(o, "name")),
                            STR_ARG(before.n ? before : after), before.n ? "now" : "before");
    return arena_printf(a, "`%.*s`: `%.*s` before, `%.*s` after", STR_ARG(member_text(o, "name")), STR_ARG(before),
                        STR_ARG(after));
}

static struct str recompile_line(struct arena *a, const json_t *o)
{
    struct str why = member_text(o, "why");

    return arena_printf(a, "`%.*s`%.*s: %lld before, %lld after%s%.*s", STR_ARG(member_text(o, "name")),
                        STR_ARG(place_of(a, o)), (long long)member_number(o, "before"),
                        (long long)member_number(o, "after"), why.n ? "; " : "", STR_ARG(why));
}

static struct str seconds_of(struct arena *a, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);

    return json_is_number(v) ? format_duration_us(a, (int64_t)(json_number_value(v) * 1e6)) : STR("-");
}

static struct str function_line(struct arena *a, const json_t *o)
{
    return arena_printf(
        a, "`%.*s`%.*s: %.*s in %.*s before, %lld in %.*s after", STR_ARG(member_text(o, "name")),
        STR_ARG(place_of(a, o)),
        STR_ARG(format_counted(a, (uint64_t)member_number(o, "compiles_before"), "compile", "compiles")),
        STR_ARG(seconds_of(a, o, "seconds_before")), (long long)member_number(o, "compiles_after"),
        STR_ARG(seconds_of(a, o, "seconds_after")));
}

static struct str phase_line(struct arena *a, const json_t *o)
{
    return arena_printf(a, "%.*s: %.*s before, %.*s after", STR_ARG(phase_title_of(member_text(o, "phase"))),
                        STR_ARG(seconds_of(a, o, "seconds_before")), STR_ARG(seconds_of(a, o, "seconds_after")));
}

static struct str cache_line(struct arena *a, const json_t *o)
{
    struct str name = member_text(o, "name");

    str_consume(&name, STR("cache_"));
    return arena_printf(a, "%.*s: %lld before, %lld after", STR_ARG(name), (long long)member_number(o, "before"),
                        (long long)member_number(o, "after"));
}

static struct str text_line(struct arena *a, const json_t *o, const char *one, const char *many)
{
    return arena_printf(a, "`%.*s`%.*s, [%.*s] and [%.*s]: %.*s gone, %.*s new", STR_ARG(member_text(o, "function")),
                        STR_ARG(place_of(a, o)), STR_ARG(member_text(o, "compile_before")),
                        STR_ARG(member_text(o, "compile_after")),
                        STR_ARG(format_counted(a, (uint64_t)member_number(o, "removed"), one, many)),
                        STR_ARG(format_counted(a, (uint64_t)member_number(o, "added"), one, many)));
}

static struct str graph_line(struct arena *a, const json_t *o)
{
    return text_line(a, o, "line", "lines");
}

static struct str guard_line(struct arena *a, const json_t *o)
{
    return text_line(a, o, "guard", "guards");
}

static struct str moved_line(struct arena *a, const json_t *o)
{
    struct str before = member_text(o, "name_before"),
               place = format_place(a, member_text(o, "file_before"), member_number(o, "line_before"));
    bool renamed = !str_eq(before, member_text(o, "name"));

    return arena_printf(a, "`%.*s`%.*s, before %s%.*s%s%.*s", STR_ARG(member_text(o, "name")), STR_ARG(place_of(a, o)),
                        renamed ? "`" : "", STR_ARG(renamed ? before : STR("")), renamed ? "`, " : "", STR_ARG(place));
}

static struct str key_line(struct arena *a, const json_t *o)
{
    struct str words = member_text(o, "words"), before = member_text(o, "before"), after = member_text(o, "after");

    return arena_printf(a, "%.*s, `%.*s`%s%.*s%s in %.*s: `%.*s` before, `%.*s` after",
                        STR_ARG(member_text(o, "layer")), STR_ARG(member_text(o, "component")), words.n ? " (" : "",
                        STR_ARG(words), words.n ? ")" : "",
                        STR_ARG(format_counted(a, (uint64_t)member_number(o, "lookups"), "lookup", "lookups")),
                        STR_ARG(utf8_cut(before, KEY_VALUE_SHOWN)), STR_ARG(utf8_cut(after, KEY_VALUE_SHOWN)));
}

/* --- parts -------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *heading, *list, *member;
    struct str (*line)(struct arena *a, const json_t *o);
} rows[] = {
    {"New errors", "errors", "new", item_line},
    {"Errors that are gone", "errors", "gone", item_line},
    {"New graph breaks", "graph_breaks", "new", item_line},
    {"Graph breaks that are gone", "graph_breaks", "gone", item_line},
    {"Graph breaks in another place", "graph_breaks", "moved", item_line},
    {"Graph breaks with another name", "graph_breaks", "renamed", renamed_line},
    {"Recompiles", "recompiles", NULL, recompile_line},
    {"Graphs that changed", "graphs", NULL, graph_line},
    {"Output code that changed", "output_code", NULL, graph_line},
    {"Guards that changed", "guards", NULL, guard_line},
    {"Functions in another place", "moved", NULL, moved_line},
    {"Functions", "functions", NULL, function_line},
    {"Time by phase", "phases", NULL, phase_line},
    {"Caches", "caches", NULL, cache_line},
    {"Differences between cache keys", "cache_keys", NULL, key_line},
    {"New findings", "findings", "new", item_line},
    {"Findings that are gone", "findings", "gone", item_line},
    {"Environment", "environment", NULL, change_line},
    {"Settings", "settings", NULL, change_line},
};

static void add_graph_lines(struct arena *a, struct diff_part *p, const json_t *graph)
{
    static const struct {
        const char *list;
        char mark;
    } sides[] = {{"before", '-'}, {"after", '+'}};

    for (int s = 0; s < 2; s++) {
        json_t *line;
        size_t i;

        json_array_foreach(json_object_get(graph, sides[s].list), i, line)
            vec_push(a, &p->lines, arena_printf(a, "  %c %.*s", sides[s].mark, STR_ARG(json_str(line))));
    }
}

static void make_parts(struct arena *a, const json_t *diff, parts *out)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *list = json_object_get(diff, rows[i].list), *item;
        struct diff_part *p;
        size_t k;

        list = rows[i].member ? json_object_get(list, rows[i].member) : list;
        if (json_array_size(list) == 0)
            continue;
        p = add_part(a, out, rows[i].heading);
        json_array_foreach(list, k, item)
        {
            if (k == SHOWN) {
                vec_push(a, &p->lines, arena_printf(a, "and %zu more", json_array_size(list) - SHOWN));
                break;
            }
            vec_push(a, &p->lines, rows[i].line(a, item));
            add_graph_lines(a, p, item);
        }
    }
}

static struct str verdict_of(struct arena *a, const json_t *diff)
{
    json_t *list = json_object_get(diff, "verdict"), *sentence;
    struct str out = {"", 0};
    size_t i;

    if (json_array_size(list) == 0)
        return STR("No differences");
    json_array_foreach(list, i, sentence) out =
        arena_printf(a, "%.*s%s%.*s", STR_ARG(out), i ? "; " : "", STR_ARG(json_str(sentence)));
    return out;
}

void diff_text(struct text *t, const json_t *diff)
{
    parts list = {0};

    text_paragraph(t, STR("Before     "), TEXT_DIM, 11, TEXT_PLAIN, member_text(diff, "before"));
    text_paragraph(t, STR("After      "), TEXT_DIM, 11, TEXT_PLAIN, member_text(diff, "after"));
    text_paragraph(t, STR("Verdict    "), TEXT_DIM, 11, TEXT_BOLD, verdict_of(t->arena, diff));
    make_parts(t->arena, diff, &list);
    vec_each(const struct diff_part, p, &list)
    {
        text_newline(t);
        text_printf(t, TEXT_BOLD, "%s", p->heading);
        text_newline(t);
        for (size_t i = 0; i < p->lines.n; i++)
            text_paragraph(t, STR("  "), TEXT_PLAIN, 4, TEXT_PLAIN, p->lines.v[i]);
    }
}

static void write_markdown_line(struct markdown *m, struct str line)
{
    bool code = str_starts(line, STR("  "));

    markdown_item(m)
    {
        markdown_raw(m, code ? "  - " : "- ");
        if (code)
            markdown_code(m, str_trim(line), 400);
        else
            markdown_words(m, line);
        markdown_raw(m, "\n");
    }
}

struct str diff_markdown(struct arena *a, const json_t *diff)
{
    struct markdown m = {.arena = a};
    parts list = {0};
    struct str out;

    markdown_limit(&m, MARKDOWN_BYTES, MARKDOWN_BYTES);
    markdown_item(&m)
    {
        markdown_raw(&m, "**");
        markdown_words(&m, verdict_of(a, diff));
        markdown_raw(&m, "**\n\nBefore: ");
        markdown_code(&m, member_text(diff, "before"), 300);
        markdown_raw(&m, ", after: ");
        markdown_code(&m, member_text(diff, "after"), 300);
        markdown_raw(&m, "\n");
    }
    make_parts(a, diff, &list);
    vec_each(const struct diff_part, p, &list)
    {
        markdown_item(&m)
        {
            markdown_raw(&m, "\n#### ");
            markdown_raw(&m, p->heading);
            markdown_raw(&m, "\n\n");
        }
        for (size_t i = 0; i < p->lines.n; i++)
            write_markdown_line(&m, p->lines.v[i]);
    }
    markdown_left_out(&m, "line", "lines");
    out = arena_str(a, buf_view(&m.out));
    markdown_free(&m);
    return out;
}

/* --- the page ----------------------------------------------------------------------------------------------------- */

/* Text between backticks is code; a backtick without a second one is kept. */
static json_t *words_of(struct str line)
{
    json_t *list = json_new_array();
    bool code = false;

    while (line.n) {
        ptrdiff_t tick = str_chr(line, '`');
        bool last = tick < 0 || (!code && str_chr(str_skip(line, (size_t)tick + 1), '`') < 0);
        struct str part = last ? line : str_take(line, (size_t)tick);
        json_t *o = json_new_object();

        json_put_str(o, code ? "code" : "text", part);
        json_push(list, o);
        line = str_skip(line, part.n + !last);
        code = !code && !last;
    }
    return list;
}

/* "  + add: ... = torch.add(x, y)", in the form of add_graph_lines. */
static void push_node(json_t *nodes, struct str line)
{
    bool gone = line.n > 2 && line.p[2] == '-';
    json_t *o = json_new_object();

    json_put_str(o, "class", gone ? STR("gone") : STR("come"));
    json_put_str(o, "side", gone ? STR("before") : STR("after"));
    json_put_str(o, "side_class", gone ? STR("old") : STR("now"));
    json_put_str(o, "text", str_skip(line, 4));
    json_push(nodes, o);
}

static json_t *page_lines(const struct diff_part *p)
{
    json_t *list = json_new_array(), *nodes = NULL;

    for (size_t i = 0; i < p->lines.n; i++) {
        json_t *o;

        if (nodes && str_starts(p->lines.v[i], STR("  "))) {
            push_node(nodes, p->lines.v[i]);
            json_put_bool(json_array_get(list, json_array_size(list) - 1), "any_nodes", true);
            continue;
        }
        o = json_new_object();
        nodes = json_new_array();
        json_put(o, "words", words_of(p->lines.v[i]));
        json_put(o, "nodes", nodes);
        json_put_bool(o, "any_nodes", false);
        json_push(list, o);
    }
    return list;
}

struct str diff_html(struct arena *a, const json_t *diff)
{
    json_t *page = json_new_object(), *sections = json_new_array();
    struct mustache *templates;
    struct buf text = {0};
    struct sink sink = sink_to_buf(&text);
    struct str error, out;
    parts list = {0};

    make_parts(a, diff, &list);
    vec_each(const struct diff_part, p, &list)
    {
        json_t *o = json_new_object();

        json_put_i64(o, "number", (int64_t)json_array_size(sections) + 1);
        json_put_str(o, "heading", str_of(p->heading));
        json_put(o, "lines", page_lines(p));
        json_push(sections, o);
    }
    json_put_str(page, "csp", asset_csp);
    json_put_str(page, "css", asset_css);
    json_put_str(page, "version", STR(PT2TRACE_VERSION));
    json_put_str(page, "verdict", verdict_of(a, diff));
    json_put_str(page, "before", member_text(diff, "before"));
    json_put_str(page, "after", member_text(diff, "after"));
    json_put(page, "parts", sections);
    templates = mustache_new(a, asset_templates, asset_template_count, &error);
    assert(templates);
    mustache_render(templates, "diff_page", page, &sink);
    json_decref(page);
    out = arena_str(a, buf_view(&text));
    buf_free(&text);
    return out;
}
