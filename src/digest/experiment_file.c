#include "digest/experiment_file.h"

#include "digest/device_json.h"
#include "digest/row_json.h"
#include "input/limits.h"

#include <stdlib.h>

#define SCHEMA "pt2trace-run"
enum { VERSION = 1 };

bool experiment_sniff(struct str beginning)
{
    return str_starts(beginning, STR("{\"schema\": \"" SCHEMA "\""));
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static json_t *devices_json(const struct experiment *x)
{
    json_t *list = json_new_array();

    vec_each(const struct gpu_device, d, &x->devices) json_push(list, gpu_device_to_json(d));
    return list;
}

/* In the order of the rows, except that the procedure follows the question. */
static void put_fields(json_t *o, const struct experiment *x)
{
    json_put(o, "question", json_null());
    json_put(o, "procedure", json_null());
    for (size_t i = 0; i < experiment_shape.field_count; i++) {
        const struct field *f = &experiment_shape.fields[i];

        if (f->offset == offsetof(struct experiment, devices))
            json_put(o, f->name, devices_json(x));
        else
            row_json_put(o, &experiment_shape, f, x);
    }
}

void experiment_write(const struct experiment *x, struct buf *out)
{
    json_t *o = json_new_object();
    char *text;

    json_put_str(o, "schema", STR(SCHEMA));
    json_put_i64(o, "version", VERSION);
    put_fields(o, x);
    text = json_text(o, JSON_INDENT(1));
    /* The file is recognized by its first line. */
    buf_str(out, STR("{\"schema\": \"" SCHEMA "\",\n"));
    buf_str(out, str_skip(str_of(text), strcspn(text, ",") + 2));
    buf_char(out, '\n');
    free(text);
    json_decref(o);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void read_devices(struct arena *a, struct json_doc *doc, struct experiment *x)
{
    json_t *list = NULL;
    struct gpu_device d;

    json_get_array(doc, doc->root, "devices", &list);
    for (size_t i = 0; i < json_array_size(list) && i < LIMIT_LIST; i++)
        if (gpu_device_of_json(a, json_array_get(list, i), &d))
            vec_push(a, &x->devices, d);
}

struct str experiment_read(struct arena *a, struct str text, struct experiment *out)
{
    struct json_doc doc;
    struct str wrong = {0}, schema = {0};
    int64_t version = -1;

    *out = (struct experiment){0};
    if (!json_doc_load_whole(&doc, text)) {
        wrong = arena_printf(a, "not JSON: %s", doc.error);
    } else {
        json_get_str(&doc, doc.root, "schema", &schema);
        json_get_i64(&doc, doc.root, "version", &version);
        if (!str_eq(schema, STR(SCHEMA))) {
            wrong = STR("not what `pt2trace run` writes");
        } else if (version != VERSION) {
            wrong = arena_printf(a, "its version is %lld; this pt2trace reads version %d", (long long)version, VERSION);
        } else {
            row_json_read(a, &doc, doc.root, &experiment_shape, out);
            read_devices(a, &doc, out);
        }
    }
    json_doc_free(&doc);
    return wrong;
}
