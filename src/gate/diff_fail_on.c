#include "gate/diff_fail_on.h"

#include "gate/snapshot.h"

static bool has_new(const json_t *diff, const char *part)
{
    return json_array_size(json_object_get(json_object_get(diff, part), "new")) > 0;
}

static bool has_recompiles(const json_t *diff)
{
    json_t *x;
    size_t i;

    json_array_foreach(json_object_get(diff, "recompiles"), i, x)
    {
        if (member_number(x, "after") > member_number(x, "before"))
            return true;
    }
    return false;
}

static bool has_time(const json_t *diff)
{
    const json_t *t = json_object_get(diff, "compile_time");

    return json_is_true(json_object_get(t, "differs")) && json_number_value(json_object_get(t, "seconds_after")) >
                                                              json_number_value(json_object_get(t, "seconds_before"));
}

static bool has_breaks(const json_t *diff)
{
    return has_new(diff, "graph_breaks");
}

static bool has_errors(const json_t *diff)
{
    return has_new(diff, "errors");
}

static bool has_findings(const json_t *diff)
{
    return has_new(diff, "findings");
}

static bool has_graphs(const json_t *diff)
{
    return json_array_size(json_object_get(diff, "graphs")) > 0;
}

static bool has_any(const json_t *diff)
{
    return !json_is_true(json_object_get(diff, "same"));
}

static const struct {
    const char *name;
    bool (*has)(const json_t *diff);
} failures[] = {{"any", has_any},       {"breaks", has_breaks}, {"recompiles", has_recompiles}, {"errors", has_errors},
                {"graphs", has_graphs}, {"time", has_time},     {"findings", has_findings}};

static bool (*has_of(struct str what))(const json_t *diff)
{
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
        if (str_eq(what, str_of(failures[i].name)))
            return failures[i].has;
    return NULL;
}

bool diff_can_fail_on(struct str what)
{
    return has_of(what) != NULL;
}

bool diff_has(const json_t *diff, struct str what)
{
    bool (*has)(const json_t *) = has_of(what);

    return has && has(diff);
}
