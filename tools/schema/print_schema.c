/*
 * Prints the schema of report.json, made of the rows of src/view/facts: each object is a definition, and each row a
 * property of it, with the type of its kind. tools/make-schema writes schema/report.schema.json with it.
 */
#include "output/report/report_json.h"
#include "util/mem.h"
#include "view/facts/facts.h"

#include <stdio.h>
#include <stdlib.h>

/* A definition while it is made. */
struct definition {
    json_t *properties, *required;
};

typedef const char *name_of(int value);

/* --- types -------------------------------------------------------------------------------------------------------- */

static json_t *typed(const char *type, bool or_null)
{
    return or_null ? json_pack("{s:[s,s]}", "type", type, "null") : json_pack("{s:s}", "type", type);
}

static json_t *text_type(bool or_null)
{
    json_t *o = typed("string", or_null);

    json_put_i64(o, "minLength", 1);
    return o;
}

static json_t *like_type(const char *pattern, bool or_null)
{
    json_t *o = typed("string", or_null);

    json_put_str(o, "pattern", str_of(pattern));
    return o;
}

static json_t *number_type(const char *type, int64_t least, bool or_null)
{
    json_t *o = typed(type, or_null);

    json_put_i64(o, "minimum", least);
    return o;
}

/* One of several words, of which a blank stands behind each but the last. */
static json_t *one_of_type(const char *words, bool or_null)
{
    struct str rest = str_of(words);
    json_t *o = json_new_object(), *list = json_new_array();

    while (rest.n)
        json_push(list, json_of_str(str_split(&rest, ' ')));
    if (or_null)
        json_push(list, json_null());
    json_put(o, "enum", list);
    return o;
}

static json_t *word_type(name_of *name, int n, bool or_null)
{
    json_t *o = json_new_object(), *list = json_new_array();

    for (int i = 0; i < n; i++)
        if (name(i))
            json_push(list, json_of_str(str_of(name(i))));
    if (or_null)
        json_push(list, json_null());
    json_put(o, "enum", list);
    return o;
}

static json_t *reference(const char *object)
{
    return json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%s", object));
}

static json_t *reference_or_null(const char *object)
{
    return json_pack("{s:[{s:s},o]}", "anyOf", "type", "null", reference(object));
}

static json_t *list_type(json_t *items, bool or_null)
{
    json_t *o = typed("array", or_null);

    json_put(o, "items", items);
    return o;
}

/* --- definitions -------------------------------------------------------------------------------------------------- */

static void optional(struct definition *d, const char *key, json_t *type, const char *description)
{
    if (*description)
        json_put_str(type, "description", str_of(description));
    json_put(d->properties, key, type);
}

static void member(struct definition *d, const char *key, json_t *type, const char *description)
{
    optional(d, key, type, description);
    json_push(d->required, json_of_str(str_of(key)));
}

static void process_members(struct definition *d)
{
    member(d, "rank", reference("rank"), "");
    member(d, "pid", reference("pid"), "");
    member(d, "process", reference("process"), "");
}

static json_t *object_type(struct definition *d, const char *description)
{
    json_t *o = typed("object", false);

    json_put_str(o, "description", str_of(description));
    json_put(o, "required", d->required);
    json_put_bool(o, "additionalProperties", true);
    json_put(o, "properties", d->properties);
    return o;
}

static void put_type(json_t *definitions, const char *name, json_t *type, const char *description)
{
    json_put_str(type, "description", str_of(description));
    json_put(definitions, name, type);
}

/* What no object is, and rows refer to. */
static void put_shared(json_t *to)
{
    put_type(to, "rank", number_type("integer", 0, true),
             "Rank of the process; null when the trace does not have it (a run that is not distributed).");
    put_type(to, "pid", number_type("integer", 0, true),
             "Process id; null when unknown (PyTorch 2.4 and earlier log a thread id).");
    put_type(to, "process", number_type("integer", 0, false),
             "Number of the process in this report, from 0: by run, rank, time. With `epoch` and the id it names one "
             "compile.");
    put_type(to, "run", number_type("integer", 0, false),
             "Number of the run of the job, from 0, by time: a directory may hold several.");
    put_type(to, "epoch", number_type("integer", 0, false),
             "Stretch between two calls of torch._dynamo.reset() in the process, from 0: compile ids start again in "
             "each.");
    put_type(to, "id", like_type(COMPILE_ID, true),
             "Compile id as PyTorch prints it: `0/1` (frame/compile), `!0/3/0` under compiled autograd, `!0` its capture. "
             "Unique within an epoch of a process. null for what carries no id.");
    put_type(to, "file", text_type(true), "Path of the source file, as the trace has it; null when unknown.");
    put_type(to, "line", number_type("integer", 1, true), "Line in that file, from 1; null when unknown.");
    put_type(to, "stack", list_type(reference("call"), false), "Calls, outermost first; empty when unknown.");
    put_type(to, "compile_ids", list_type(reference("id"), false),
             "Compile ids; the same id may come again for another process or epoch.");
    put_type(to, "compile_refs", list_type(reference("compile_ref"), false),
             "The same compiles, item by item, unambiguously.");
    put_type(to, "metrics",
             json_pack("{s:s,s:{s:[s,s,s,s],s:{s:s}}}", "type", "object", "additionalProperties", "type", "number",
                       "string", "boolean", "array", "items", "type", "string"),
             "CompilationMetrics as PyTorch recorded them (torch/_dynamo/utils.py), without the fields that are null. "
             "Names, units and values are PyTorch's; of configurations the number of their text in `configurations` of the "
             "report.");
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

#define OBJECT(name, type, description)                                                                                \
    static json_t *schema_##name(void)                                                                                 \
    {                                                                                                                  \
        struct definition d = {json_new_object(), json_new_array()};                                                   \
        const char *const said = description;
#define END                                                                                                            \
    return object_type(&d, said);                                                                                      \
    }

#define STRING(key, value, description) member(&d, #key, text_type(false), description);
#define TEXT(key, value, description) member(&d, #key, text_type(true), description);
#define ANY_TEXT(key, value, description) member(&d, #key, typed("string", false), description);
#define ANY_TEXT_OR_NULL(key, known, value, description) member(&d, #key, typed("string", true), description);
#define CONSTANT(key, value, description) member(&d, #key, json_pack("{s:s}", "const", value), description);
#define LIKE(key, value, pattern, description) member(&d, #key, like_type(pattern, false), description);
#define LIKE_OR_NULL(key, value, pattern, description) member(&d, #key, like_type(pattern, true), description);
#define ONE_OF(key, value, words, description) member(&d, #key, one_of_type(words, false), description);
#define ONE_OF_OR_NULL(key, value, words, description) member(&d, #key, one_of_type(words, true), description);
#define WORDS(name, n, or_null) word_type((name_of *)(name), n, or_null)
#define WORD(key, name, n, value, description) member(&d, #key, WORDS(name, n, false), description);
#define WORD_OR_NULL(key, name, n, value, description) member(&d, #key, WORDS(name, n, true), description);
#define WORD_IF_ANY(key, name, n, value, description) optional(&d, #key, WORDS(name, n, false), description);

#define COUNT(key, value, description) member(&d, #key, number_type("integer", 0, false), description);
#define COUNT_OR_NULL(key, value, description) member(&d, #key, number_type("integer", 0, true), description);
#define FROM_ONE(key, value, description) member(&d, #key, number_type("integer", 1, false), description);
#define FROM_ONE_OR_NULL(key, value, description) member(&d, #key, number_type("integer", 1, true), description);
#define REAL(key, value, description) member(&d, #key, number_type("number", 0, false), description);
#define REAL_OR_NULL(key, value, description) member(&d, #key, number_type("number", 0, true), description);
#define SECONDS_OR_NULL(key, value, description) member(&d, #key, number_type("number", 0, true), description);
#define FLAG(key, value, description) member(&d, #key, typed("boolean", false), description);
#define FLAG_OR_NULL(key, known, value, description) member(&d, #key, typed("boolean", true), description);

#define RANK(key, value, description) member(&d, #key, reference("rank"), description);
#define PID(key, value, description) member(&d, #key, reference("pid"), description);
#define PROCESS(key, value, description) member(&d, #key, reference("process"), description);
#define RUN(key, value, description) member(&d, #key, reference("run"), description);
#define EPOCH(key, value, description) member(&d, #key, reference("epoch"), description);
#define ID(key, value, description) member(&d, #key, reference("id"), description);
#define PATH(key, value, description) member(&d, #key, reference("file"), description);
#define LINE(key, value, description) member(&d, #key, reference("line"), description);
#define STACK(key, value, description) member(&d, #key, reference("stack"), description);
#define MADE_IDS(key, value, description) member(&d, #key, reference("compile_ids"), description);
#define MADE_REFS(key, value, description) member(&d, #key, reference("compile_refs"), description);
#define PROCESS_OF(value) process_members(&d);
#define SCOPE(value)                                                                                                   \
    process_members(&d);                                                                                               \
    member(&d, "epoch", reference("epoch"), "");

#define PART(key, object, value, description) member(&d, #key, reference(#object), description);
#define PART_OR_NULL(key, object, value, description) member(&d, #key, reference_or_null(#object), description);
#define OBJECTS(object, or_null) list_type(reference(#object), or_null)
#define LIST(key, object, list, description) member(&d, #key, OBJECTS(object, false), description);
#define LIST_OF(key, object, list, description) member(&d, #key, OBJECTS(object, false), description);
#define MADE_LIST(key, object, value, description) member(&d, #key, OBJECTS(object, false), description);
#define MADE_LIST_OR_NULL(key, object, value, description) member(&d, #key, OBJECTS(object, true), description);
#define STREAMED(key, object, description) member(&d, #key, OBJECTS(object, false), description);
#define TEXTS(key, list, description) member(&d, #key, list_type(typed("string", false), false), description);
#define MADE_TEXTS(key, value, description) member(&d, #key, list_type(typed("string", false), false), description);
#define NUMBERS(least, or_null) list_type(number_type("integer", least, false), or_null)
#define RANKS(key, list, description) member(&d, #key, NUMBERS(0, false), description);
#define MADE_NUMBERS(key, value, least, description) member(&d, #key, NUMBERS(least, false), description);
#define MADE_NUMBERS_OR_NULL(key, value, least, description) member(&d, #key, NUMBERS(least, true), description);
#define MADE_GROUPS(key, value, description) member(&d, #key, list_type(NUMBERS(0, false), false), description);
#define MADE_MAP(key, value, description)                                                                              \
    member(&d, #key, json_pack("{s:s,s:o}", "type", "object", "additionalProperties", typed("string", false)), description);

#include "view/facts/compile.def"
#include "view/facts/experiment.def"
#include "view/facts/flight.def"
#include "view/facts/gpu.def"
#include "view/facts/issue.def"
#include "view/facts/ranks.def"
#include "view/facts/report.def"
#include "view/facts/run.def"

/* --- all of them -------------------------------------------------------------------------------------------------- */

#include "view/rows_end.def"

#include "view/rows_none.def"
#define OBJECT(name, type, description) json_put(definitions, #name, schema_##name());

int main(void)
{
    json_t *schema = json_pack("{s:s,s:s,s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema", "$id",
                               "urn:pt2trace:schema:report:1.0", "title", "pt2trace report");
    json_t *definitions = json_new_object(), *report = schema_report();

    json_object_update(schema, report);
    json_decref(report);
    put_shared(definitions);
#include "view/facts/run.def"
#include "view/facts/experiment.def"
#include "view/facts/issue.def"
#include "view/facts/compile.def"
#include "view/facts/ranks.def"
#include "view/facts/flight.def"
#include "view/facts/gpu.def"
    json_put(schema, "$defs", definitions);
    json_dumpf(schema, stdout, JSON_INDENT(2));
    json_decref(schema);
    return 0;
}
