#include "output/export/junit.h"

#include "output/html/assets.h"
#include "output/html/mustache.h"

/* The UTF-8 encodings of U+FFFE and U+FFFF, except for the last byte: XML 1.0 cannot contain these characters. */
#define NO_CHARACTER STR("\xef\xbf")

/* Replaces characters that XML cannot contain with U+FFFD, except for control characters, which mustache replaces. */
static struct str xml_text(struct arena *a, struct str s)
{
    struct buf b = {0};
    struct str out;
    ptrdiff_t at;

    while ((at = str_find(s, NO_CHARACTER)) >= 0) {
        struct str last = str_skip(s, (size_t)at + 2);
        bool none = last.n && (*last.p == '\xbe' || *last.p == '\xbf');

        buf_str(&b, str_take(s, (size_t)at + 2));
        buf_str(&b, none ? STR("\xbd") : str_take(last, last.n > 0));
        s = str_skip(last, last.n > 0);
    }
    buf_str(&b, s);
    out = arena_str(a, buf_view(&b));
    buf_free(&b);
    return out;
}

void junit_begin(struct junit *j, struct arena *a, struct str suite)
{
    *j = (struct junit){.arena = a, .suite = suite, .cases = json_new_array()};
}

void junit_add(struct junit *j, const struct junit_case *c)
{
    json_t *o = json_new_object(), *failed = json_new_object();
    bool fails = c->message.n > 0;

    json_put_str(failed, "type", c->type);
    json_put_str(failed, "message", xml_text(j->arena, c->message));
    json_put_str(failed, "text", xml_text(j->arena, c->text));
    json_put_str(o, "classname", c->classname);
    json_put_str(o, "name", xml_text(j->arena, c->name));
    json_put_str(o, "printed", fails ? STR("") : xml_text(j->arena, c->text));
    json_put(o, "failed", fails ? failed : json_null());
    if (!fails)
        json_decref(failed);
    json_push(j->cases, o);
    j->tests++;
    j->failures += fails;
}

struct str junit_end(struct junit *j)
{
    json_t *o = json_new_object();
    struct str error = {0}, out;
    const struct mustache *templates = mustache_new(j->arena, asset_templates, asset_template_count, &error);
    struct buf b = {0};
    struct sink sink = sink_to_buf(&b);

    json_put_str(o, "suite", j->suite);
    json_put_i64(o, "tests", j->tests);
    json_put_i64(o, "failures", j->failures);
    json_put(o, "cases", j->cases);
    mustache_render(templates, "junit", o, &sink);
    json_decref(o);
    out = arena_str(j->arena, buf_view(&b));
    buf_free(&b);
    return out;
}
