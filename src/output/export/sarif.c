#include "output/export/sarif.h"

#include "util/digest.h"

void sarif_begin(struct sarif *s, struct arena *a, const char *root)
{
    *s = (struct sarif){.arena = a, .rules = json_new_array(), .results = json_new_array()};
    source_tree_init(&s->tree, a, root);
}

/* {"text": …} */
static json_t *text_object(struct str text)
{
    json_t *o = json_new_object();

    json_put_str(o, "text", text);
    return o;
}

static int64_t rule_at(const struct sarif *s, struct str id)
{
    json_t *rule;
    size_t i;

    json_array_foreach(s->rules, i, rule) if (str_eq(json_str(json_object_get(rule, "id")), id)) return (int64_t)i;
    return -1;
}

/* "graph-breaks" -> "GraphBreaks", the form of a rule's name in code scanning. */
static struct str name_of(struct sarif *s, struct str id)
{
    struct buf b = {0};
    struct str word, out;

    while (id.n) {
        word = str_split(&id, '-');
        if (word.n)
            buf_printf(&b, "%c%.*s", *word.p >= 'a' && *word.p <= 'z' ? *word.p - 32 : *word.p,
                       STR_ARG(str_skip(word, 1)));
    }
    out = arena_str(s->arena, buf_view(&b));
    buf_free(&b);
    return out;
}

void sarif_rule(struct sarif *s, struct str id, struct str title, struct str text, struct str url)
{
    json_t *o;

    if (rule_at(s, id) >= 0)
        return;
    o = json_new_object();
    json_put_str(o, "id", id);
    /* A name that equals the id is not allowed (SARIF1001). */
    if (str_chr(id, '-') >= 0)
        json_put_str(o, "name", name_of(s, id));
    json_put(o, "shortDescription", text_object(title));
    json_put(o, "fullDescription", text_object(text));
    json_put(o, "help", text_object(text));
    if (url.n)
        json_put_str(o, "helpUri", url);
    json_push(s->rules, o);
}

static struct str address_of(struct arena *a, struct str path)
{
    struct buf b = {0};
    struct str out;

    buf_url_path(&b, path);
    out = arena_str(a, buf_view(&b));
    buf_free(&b);
    return out;
}

/* A file that is not among the sources is given by its file name only: a path on another machine would lead nowhere. */
static json_t *location_of(struct sarif *s, const struct sarif_result *r)
{
    json_t *location = json_new_object(), *physical = json_new_object(), *artifact = json_new_object(),
           *region = json_new_object();
    struct str path = relative_path(&s->tree, r->file);

    if (path.n == 0)
        path = r->file.n ? str_file_name(r->file) : s->anywhere.n ? s->anywhere : STR("pt2trace");
    json_put_str(artifact, "uri", address_of(s->arena, path));
    json_put_str(artifact, "uriBaseId", STR("%SRCROOT%"));
    json_put(physical, "artifactLocation", artifact);
    json_put_i64(region, "startLine", r->line > 0 ? r->line : 1);
    json_put(physical, "region", region);
    json_put(location, "physicalLocation", physical);
    return location;
}

void sarif_add(struct sarif *s, const struct sarif_result *r)
{
    /* As in code-review tools: an error made the program fail or run uncompiled. */
    static const char *const levels[FINDING_SEVERITIES] = {"error", "error", "warning", "note", "note"};
    json_t *o = json_new_object(), *locations = json_new_array(), *prints = json_new_object();
    struct digest key = digest_of(r->key);
    char hex[DIGEST_HEX + 1];

    json_put_str(o, "ruleId", r->rule);
    json_put_i64(o, "ruleIndex", rule_at(s, r->rule));
    json_put_str(o, "level", str_of(levels[r->severity]));
    json_put(o, "message", text_object(r->message));
    json_push(locations, location_of(s, r));
    json_put(o, "locations", locations);
    digest_hex(&key, hex);
    json_put_str(prints, "pt2trace/v1", str_of(hex));
    json_put(o, "partialFingerprints", prints);
    json_push(s->results, o);
}

struct str sarif_end(struct sarif *s)
{
    json_t *o = json_new_object(), *runs = json_new_array(), *run = json_new_object(), *tool = json_new_object(),
           *driver = json_new_object();

    json_put_str(driver, "name", STR("pt2trace"));
    json_put_str(driver, "version", STR(PT2TRACE_VERSION));
    json_put_str(driver, "informationUri", STR("https://pypi.org/project/pt2trace/"));
    json_put(driver, "rules", s->rules);
    json_put(tool, "driver", driver);
    json_put(run, "tool", tool);
    json_put(run, "results", s->results);
    json_push(runs, run);
    json_put_str(o, "$schema", STR("https://json.schemastore.org/sarif-2.1.0.json"));
    json_put_str(o, "version", STR("2.1.0"));
    json_put(o, "runs", runs);
    return json_print(s->arena, o);
}
