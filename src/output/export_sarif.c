/*
 * SARIF 2.1.0: findings as results with their places, for editors and code-review tools. Levels are those that such
 * tools have: an error is what made the program fail or run uncompiled.
 */
#include "output/export.h"

#include "analysis/findings.h"
#include "util/map.h"
#include "util/mem.h"

#include <stdlib.h>

static const char *level_of(enum finding_severity s)
{
    static const char *const levels[FINDING_SEVERITIES] = {"error", "error", "warning", "note", "note"};

    return levels[s];
}

/* {"text": …} */
static json_t *message_of(struct view *v, const struct finding *x)
{
    json_t *o = json_new_object();

    json_put_str(o, "text",
                 arena_printf(v->scratch, "%.*s%s%.*s%s%.*s", STR_ARG(x->title), x->detail.n ? ". " : "",
                              STR_ARG(x->detail), x->fix.n ? " " : "", STR_ARG(x->fix)));
    return o;
}

/* An address may hold only some characters; '%' of it is one of those that may not. */
static struct str address_of(struct arena *a, struct str path)
{
    struct buf b = {0};
    struct str out;

    if (path.n && *path.p == '/')
        buf_str(&b, STR("file://"));
    for (size_t i = 0; i < path.n; i++) {
        unsigned char c = (unsigned char)path.p[i];
        bool plain = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c && strchr("/._-~", c));

        if (plain)
            buf_char(&b, (char)c);
        else
            buf_printf(&b, "%%%02X", c);
    }
    out = arena_str(a, buf_view(&b));
    buf_free(&b);
    return out;
}

static json_t *location_of(struct view *v, const struct finding *x)
{
    json_t *location = json_new_object(), *physical = json_new_object(), *artifact = json_new_object(), *region;

    json_put_str(artifact, "uri", address_of(v->scratch, x->file));
    json_put(physical, "artifactLocation", artifact);
    if (x->line > 0) {
        region = json_new_object();
        json_put_i64(region, "startLine", x->line);
        json_put(physical, "region", region);
    }
    json_put(location, "physicalLocation", physical);
    return location;
}

static json_t *result_of(struct view *v, const struct finding *x)
{
    json_t *o = json_new_object(), *locations = json_new_array();

    json_put_str(o, "ruleId", str_of(x->info->id));
    json_put_str(o, "level", str_of(level_of(x->severity)));
    json_put(o, "message", message_of(v, x));
    if (x->file.n)
        json_push(locations, location_of(v, x));
    json_put(o, "locations", locations);
    return o;
}

/* Each detector that found something, once. */
static json_t *rules_of(struct view *v)
{
    const struct findings *f = v->answers->findings;
    json_t *list = json_new_array();
    struct map seen;

    map_init(&seen, v->scratch);
    for (size_t i = 0; i < f->list.n; i++) {
        void **slot = map_at(&seen, str_of(f->list.v[i]->info->id));
        json_t *o;

        if (*slot)
            continue;
        *slot = v;
        o = json_new_object();
        json_put_str(o, "id", str_of(f->list.v[i]->info->id));
        json_push(list, o);
    }
    return list;
}

static json_t *run_of(struct view *v)
{
    const struct findings *f = v->answers->findings;
    json_t *run = json_new_object(), *tool = json_new_object(), *driver = json_new_object(),
           *results = json_new_array();

    json_put_str(driver, "name", STR("pt2trace"));
    json_put_str(driver, "version", STR(PT2TRACE_VERSION));
    json_put(driver, "rules", rules_of(v));
    json_put(tool, "driver", driver);
    for (size_t i = 0; i < f->list.n; i++)
        json_push(results, result_of(v, f->list.v[i]));
    json_put(run, "tool", tool);
    json_put(run, "results", results);
    return run;
}

int export_sarif(struct sink *out, struct view *v, const struct about *about)
{
    json_t *o = json_new_object(), *runs = json_new_array();
    char *text;

    (void)about;
    json_put_str(o, "$schema", STR("https://json.schemastore.org/sarif-2.1.0.json"));
    json_put_str(o, "version", STR("2.1.0"));
    json_push(runs, run_of(v));
    json_put(o, "runs", runs);
    text = json_dumps(o, JSON_INDENT(1));
    if (!text)
        out_of_memory();
    sink_str(out, str_of(text));
    sink_str(out, STR("\n"));
    free(text);
    json_decref(o);
    return 0;
}
