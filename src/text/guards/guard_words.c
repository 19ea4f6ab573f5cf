#include "text/guards/guard_words.h"

#include "text/guards/guard_name.h"
#include "util/utf8.h"

/* maximum bytes of a quotation: a sentence with two or three of them still fits on two terminal lines */
enum { CLIP = 100 };

static bool read_form(struct arena *a, const struct guard_form *form, struct str rest, struct guard_reason *out)
{
    if (form->read)
        return form->read(a, form, rest, out);
    out->class = form->class;
    if (form->after)
        words_say(a, out, form->class, rest, form->words, form->after);
    else
        out->words = str_of(form->words);
    return true;
}

/* A form that begins like another one, but is longer, comes before it in its table. */
bool guard_forms_read(struct arena *a, const struct guard_form *forms, size_t n, struct str text,
                      struct guard_reason *out)
{
    for (size_t i = 0; i < n; i++) {
        struct str rest = text;

        if (str_consume(&rest, forms[i].begin) && read_form(a, &forms[i], rest, out))
            return true;
    }
    return false;
}

struct str words_clip(struct arena *a, struct str s)
{
    return utf8_shorten(a, s, CLIP);
}

void words_about(struct arena *a, struct guard_reason *out, enum guard_class class, struct str source)
{
    out->class = class;
    out->source = str_trim(source);
    out->name = guard_name(a, out->source);
}

struct str words_name(struct arena *a, const struct guard_reason *r)
{
    struct str name = words_clip(a, r->name);

    return arena_printf(a, "`%.*s`", STR_ARG(name));
}

void words_say(struct arena *a, struct guard_reason *out, enum guard_class class, struct str source, const char *before,
               const char *after)
{
    struct str name;

    words_about(a, out, class, source);
    name = words_name(a, out);
    out->words = arena_printf(a, "%s%.*s%s", before, STR_ARG(name), after);
}

/* A class of the main program is called by its name; for other classes, the module helps to find it. */
struct str words_type(struct str s)
{
    struct str inside;

    if (!str_between(s, STR("<class '"), STR("'>"), &inside))
        return s;
    str_consume(&inside, STR("__main__."));
    return inside;
}

/* torch/_dynamo/decorators.py. A tensor without any mark also lacks the last attribute. */
static const struct {
    struct str attribute;
    const char *words;
} marks[] = {
    {STR_INIT("_dynamo_dynamic_indices"), "mark_dynamic"},
    {STR_INIT("_dynamo_weak_dynamic_indices"), "maybe_mark_dynamic"},
    {STR_INIT("_dynamo_unbacked_indices"), "mark_unbacked"},
    {STR_INIT("_dynamo_strict_unbacked_indices"), "mark_unbacked(strict=True)"},
    {STR_INIT("_dynamo_static_indices"), "mark_static"},
    {STR_INIT("_dynamo_shape_ids"), "mark_unbacked(shape_id=…)"},
    {STR_INIT("_dynamo_unbacked_bounds"), "mark_unbacked(min=…, max=…)"},
    {STR_INIT("_has_dynamo_dim_marking"), "mark_dynamic, mark_static or mark_unbacked"},
};

const char *words_mark(struct str attribute)
{
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (str_eq(attribute, marks[i].attribute))
            return marks[i].words;
    return NULL;
}

bool words_is_specialized(struct str number)
{
    return str_eq(number, STR("0")) || str_eq(number, STR("1"));
}
