#include "gate/gate_formats.h"

#include "output/export/junit.h"
#include "output/export/markdown.h"
#include "output/export/sarif.h"
#include "util/digest.h"
#include "util/map.h"
#include "view/format.h"
#include "view/view.h"

enum {
    TEXT_SHOWN = 20,
    ANNOTATIONS_MAX = 10, /* of each level; GitHub shows no more per step */
    MARKDOWN_BYTES = 900 * 1024,
};

/* --- what several formats say ------------------------------------------------------------------------------------- */

static struct str sentences(struct arena *a, const struct violation *v)
{
    return arena_printf(a, "%.*s%s%.*s", STR_ARG(v->detail), v->detail.n && v->fix.n ? " " : "", STR_ARG(v->fix));
}

static struct str path_of(const struct gate_report *r, const struct violation *v)
{
    struct str path = relative_path(r->tree, v->file);

    return path.n ? path : v->file;
}

static struct str verdict(const struct gate_report *r)
{
    struct arena *a = r->arena;
    const struct gate *g = r->gate;
    struct str rest = {"", 0};

    if (g->allowed)
        rest = arena_printf(a, "; %.*s allowed", STR_ARG(format_count(a, g->allowed)));
    if (g->known)
        rest = arena_printf(a, "%.*s; %.*s known from the baseline", STR_ARG(rest), STR_ARG(format_count(a, g->known)));
    if (g->list.n == 0)
        return arena_printf(a, "passed: nothing%s exceeds the limits%.*s", r->has_baseline ? " new" : "",
                            STR_ARG(rest));
    return arena_printf(a, "failed: %.*s%.*s",
                        STR_ARG(format_counted(a, g->list.n, r->has_baseline ? "new violation" : "violation",
                                               r->has_baseline ? "new violations" : "violations")),
                        STR_ARG(rest));
}

static struct str fingerprint(struct arena *a, const struct violation *v)
{
    struct digest d = digest_of(arena_printf(a, "%s\n%.*s", gate_rule_name(v->rule), STR_ARG(v->key)));
    char hex[DIGEST_HEX + 1];

    digest_hex(&d, hex);
    return arena_str(a, str_of(hex));
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void text_violation(struct text *t, const struct gate_report *r, const struct violation *v)
{
    struct str place = format_place(t->arena, path_of(r, v), v->line), more = sentences(t->arena, v), line;
    char head[40];

    snprintf(head, sizeof head, "  %-8s ", finding_severity_name(v->severity));
    text_paragraph(t, str_of(head), v->severity <= FINDING_HIGH ? TEXT_RED : TEXT_YELLOW, 11, TEXT_BOLD, v->title);
    if (place.n)
        text_paragraph(t, STR("           "), TEXT_PLAIN, 11, TEXT_BLUE,
                       arena_printf(t->arena, "%.*s (%s)", STR_ARG(place), gate_rule_name(v->rule)));
    else
        text_paragraph(t, STR("           "), TEXT_PLAIN, 11, TEXT_DIM,
                       arena_printf(t->arena, "(%s)", gate_rule_name(v->rule)));
    if (more.n)
        text_paragraph(t, STR("           "), TEXT_PLAIN, 11, TEXT_PLAIN, more);
    for (struct str paste = v->paste; str_next_line(&paste, &line); text_newline(t))
        text_printf(t, TEXT_GREEN, "             %.*s", STR_ARG(line));
}

void gate_text(struct text *t, const struct gate_report *r)
{
    const struct gate *g = r->gate;

    text_paragraph(t, STR("Check      "), TEXT_DIM, 11, g->list.n ? TEXT_RED : TEXT_GREEN, verdict(r));
    for (size_t i = 0; i < g->checked.n; i++)
        text_paragraph(t, i ? STR("           ") : STR("Compared   "), TEXT_DIM, 11, TEXT_PLAIN, g->checked.v[i]);
    for (size_t i = 0; i < g->unused.n; i++)
        text_paragraph(t, STR("Not needed "), TEXT_DIM, 11, TEXT_PLAIN,
                       arena_printf(t->arena, "the allowance of %.*s", STR_ARG(g->unused.v[i]->text)));
    if (g->list.n)
        text_newline(t);
    for (size_t i = 0; i < g->list.n && i < TEXT_SHOWN; i++)
        text_violation(t, r, &g->list.v[i]);
    if (g->list.n > TEXT_SHOWN)
        text_paragraph(t, STR("  "), TEXT_PLAIN, 2, TEXT_DIM,
                       arena_printf(t->arena, "and %zu more; --format json lists them all", g->list.n - TEXT_SHOWN));
}

/* --- GitHub ------------------------------------------------------------------------------------------------------- */

/*
 * Escapes text for a workflow command (docs.github.com, "Workflow commands"): % and line ends; in a property also :
 * and ,.
 */
static void command_text(struct buf *b, struct str s, bool property)
{
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];

        if (c == '%' || c == '\n' || c == '\r' || (property && (c == ':' || c == ',')))
            buf_printf(b, "%%%02X", c);
        else
            buf_char(b, (char)c);
    }
}

static void annotation(struct buf *b, const struct gate_report *r, const struct violation *v)
{
    struct str path = path_of(r, v);

    buf_printf(b, "::%s title=", v->severity <= FINDING_HIGH ? "error" : "warning");
    command_text(b, v->title, true);
    if (path.n) {
        buf_str(b, STR(",file="));
        command_text(b, path, true);
        buf_printf(b, ",line=%lld", (long long)(v->line > 0 ? v->line : 1));
    }
    buf_str(b, STR("::"));
    command_text(b, v->title, false);
    if (v->detail.n || v->fix.n) {
        buf_str(b, STR(". "));
        command_text(b, sentences(r->arena, v), false);
    }
    buf_char(b, '\n');
}

static struct str write_github(const struct gate_report *r)
{
    struct buf b = {0};
    struct str out;
    size_t errors = 0, warnings = 0;

    vec_each(const struct violation, v, &r->gate->list)
    {
        size_t *n = v->severity <= FINDING_HIGH ? &errors : &warnings;

        if ((*n)++ < ANNOTATIONS_MAX)
            annotation(&b, r, v);
    }
    buf_str(&b, STR("pt2trace check "));
    buf_str(&b, verdict(r));
    buf_char(&b, '\n');
    out = arena_str(r->arena, buf_view(&b));
    buf_free(&b);
    return out;
}

static void write_markdown_violation(const struct gate_report *r, struct markdown *m, const struct violation *v)
{
    markdown_item(m)
    {
        markdown_raw(m, "- **");
        markdown_raw(m, finding_severity_name(v->severity));
        markdown_raw(m, "** ");
        markdown_words(m, v->title);
        if (v->file.n) {
            markdown_raw(m, " at ");
            markdown_code(m, format_place(r->arena, path_of(r, v), v->line), 300);
        }
        markdown_raw(m, "\n  ");
        markdown_words(m, sentences(r->arena, v));
        markdown_raw(m, "\n");
        if (v->paste.n)
            markdown_fence(m, "python", v->paste, 2000);
    }
}

struct str gate_markdown(const struct gate_report *r)
{
    struct markdown m = {.arena = r->arena};
    struct str out;

    markdown_limit(&m, MARKDOWN_BYTES, MARKDOWN_BYTES);
    markdown_item(&m)
    {
        markdown_raw(&m, r->gate->list.n ? "### :x: pt2trace check " : "### :white_check_mark: pt2trace check ");
        markdown_words(&m, verdict(r));
        markdown_raw(&m, "\n\n");
    }
    vec_each(const struct violation, v, &r->gate->list) write_markdown_violation(r, &m, v);
    markdown_left_out(&m, "violation", "violations");
    out = arena_str(r->arena, buf_view(&m.out));
    markdown_free(&m);
    return out;
}

/* --- GitLab code quality ------------------------------------------------------------------------------------------ */

/* GitLab keeps one issue per fingerprint, so equal ones in a file are numbered. */
static struct str unique_fingerprint(const struct gate_report *r, const struct violation *v, struct map *seen)
{
    struct str print = fingerprint(r->arena, v);
    uint64_t n = ++*map_number_at(seen, print);

    return n > 1 ? arena_printf(r->arena, "%.*s-%llu", STR_ARG(print), (unsigned long long)n) : print;
}

/*
 * Relative to the root of the repository; a file outside it is given by its last components, because an absolute path
 * leads nowhere.
 */
static struct str gitlab_path(const struct gate_report *r, const struct violation *v)
{
    struct str path = path_of(r, v);

    if (str_starts(path, STR("/")))
        path = str_file_name(path);
    return path.n ? path : STR(".");
}

static struct str write_gitlab(const struct gate_report *r)
{
    static const char *const severities[FINDING_SEVERITIES] = {"blocker", "critical", "major", "minor", "info"};
    json_t *list = json_new_array();
    struct map seen;

    map_init(&seen, r->arena);
    vec_each(const struct violation, v, &r->gate->list)
    {
        json_t *o = json_new_object(), *location = json_new_object(), *lines = json_new_object();

        json_put_str(o, "description", v->title);
        json_put_str(o, "check_name", str_of(gate_rule_name(v->rule)));
        json_put_str(o, "fingerprint", unique_fingerprint(r, v, &seen));
        json_put_str(o, "severity", str_of(severities[v->severity]));
        json_put_str(location, "path", gitlab_path(r, v));
        json_put_i64(lines, "begin", v->line > 0 ? v->line : 1);
        json_put(location, "lines", lines);
        json_put(o, "location", location);
        json_push(list, o);
    }
    return json_print(r->arena, list);
}

/* --- JUnit -------------------------------------------------------------------------------------------------------- */

/* One test per rule; it fails if there is a violation of it. */
static void add_case(struct junit *j, const struct gate_report *r, enum gate_rule rule)
{
    struct str id = str_of(gate_rule_name(rule)), first = {0};
    struct buf text = {0};
    unsigned n = 0;

    vec_each(const struct violation, v, &r->gate->list)
    {
        struct str place = format_place(r->arena, path_of(r, v), v->line);

        if (v->rule != rule)
            continue;
        if (n++ == 0)
            first = v->title;
        buf_printf(&text, "%.*s%s%.*s\n%.*s\n", STR_ARG(v->title), place.n ? " at " : "", STR_ARG(place),
                   STR_ARG(sentences(r->arena, v)));
    }
    junit_add(j, &(struct junit_case){.classname = STR("pt2trace.check"),
                                      .name = id,
                                      .type = id,
                                      .message = n ? arena_printf(r->arena, "%u: %.*s", n, STR_ARG(first)) : STR(""),
                                      .text = buf_view(&text)});
    buf_free(&text);
}

static struct str write_junit(const struct gate_report *r)
{
    struct junit j;

    junit_begin(&j, r->arena, STR("pt2trace check"));
    for (int rule = 0; rule < GATE_RULES; rule++)
        add_case(&j, r, (enum gate_rule)rule);
    return junit_end(&j);
}

/* --- SARIF, JSON -------------------------------------------------------------------------------------------------- */

static struct str write_sarif(const struct gate_report *r)
{
    struct sarif s;

    sarif_begin(&s, r->arena, r->tree->root);
    for (int i = 0; i < GATE_RULES; i++) {
        struct str text = arena_printf(r->arena, "%s.", gate_rule_summary((enum gate_rule)i));

        sarif_rule(&s, str_of(gate_rule_name((enum gate_rule)i)), text, text, STR(""));
    }
    vec_each(const struct violation, v, &r->gate->list)
    {
        struct str more = sentences(r->arena, v);

        sarif_add(&s, &(struct sarif_result){.rule = str_of(gate_rule_name(v->rule)),
                                             .severity = v->severity,
                                             .message = arena_printf(r->arena, "%.*s%s%.*s", STR_ARG(v->title),
                                                                     more.n ? ". " : "", STR_ARG(more)),
                                             .file = v->file,
                                             .line = v->line,
                                             .key = v->key});
    }
    return sarif_end(&s);
}

static json_t *violation_json(const struct gate_report *r, const struct violation *v)
{
    json_t *o = json_new_object();

    json_put_str(o, "rule", str_of(gate_rule_name(v->rule)));
    json_put_str(o, "severity", str_of(finding_severity_name(v->severity)));
    json_put_str(o, "title", v->title);
    json_put(o, "detail", view_text(v->detail));
    json_put(o, "fix", view_text(v->fix));
    json_put(o, "paste", view_text(v->paste));
    json_put(o, "doc", view_text(v->doc));
    json_put(o, "file", view_text(path_of(r, v)));
    json_put(o, "line", v->line > 0 ? json_of_i64(v->line) : json_null());
    json_put(o, "function", view_text(v->function));
    json_put_str(o, "fingerprint", fingerprint(r->arena, v));
    return o;
}

static struct str write_json(const struct gate_report *r)
{
    json_t *o = json_new_object(), *list = json_new_array(), *checked = json_new_array(), *unused = json_new_array();

    vec_each(const struct violation, v, &r->gate->list) json_push(list, violation_json(r, v));
    for (size_t i = 0; i < r->gate->checked.n; i++)
        json_push(checked, json_of_str(r->gate->checked.v[i]));
    for (size_t i = 0; i < r->gate->unused.n; i++)
        json_push(unused, json_of_str(r->gate->unused.v[i]->text));
    json_put_str(o, "schema", STR("pt2trace-check"));
    json_put_str(o, "version", STR("1.0"));
    json_put_bool(o, "passed", r->gate->list.n == 0);
    json_put(o, "checked", checked);
    json_put_i64(o, "allowed", (int64_t)r->gate->allowed);
    json_put_i64(o, "known", (int64_t)r->gate->known);
    json_put(o, "unused_allowances", unused);
    json_put(o, "violations", list);
    return json_print(r->arena, o);
}

static const struct gate_format formats[] = {
    {"text", NULL},         {"github", write_github}, {"gitlab", write_gitlab},
    {"junit", write_junit}, {"sarif", write_sarif},   {"json", write_json},
};

const struct gate_format *gate_format_find(struct str name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (str_eq(name, str_of(formats[i].name)))
            return &formats[i];
    return NULL;
}
