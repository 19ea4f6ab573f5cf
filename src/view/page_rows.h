/*
 * page_rows: rows become functions of page_objects.h: see view/rows_write.h. Besides page_NAME, each OBJECT becomes
 * page_put_NAME, which adds its members to another object. These kinds of rows are of the page only. For a template,
 * null, an empty text and an empty list are the same.
 */
#pragma once

#define ROWS_OF(name) page_##name
#define OBJECT(name, type)                                                                                             \
    json_t *page_##name(const struct view *v, const type *x)                                                           \
    {                                                                                                                  \
        return x ? page_put_##name(v, json_new_object(), x) : json_null();                                             \
    }                                                                                                                  \
                                                                                                                       \
    json_t *page_put_##name(const struct view *v, json_t *o, const type *x)                                            \
    {                                                                                                                  \
        (void)v;                                                                                                       \
        (void)x;

#include "view/rows_write.h"

/* A variable for the rows after it. */
#define LET(type, name, value) type name = value;
/* All members of another object. */
#define ALL_OF(object, value) page_put_##object(v, o, value);
/* The first members of a list; `hidden` is how many are left out, in words. */
#define LIST_UP_TO(key, object, list, most, hidden)                                                                    \
    PUT_LIST(key, page_##object, &, list, most)                                                                        \
    json_put_str(o, #hidden, page_hidden(v, (list).n, most));
#define LIST_OF_UP_TO(key, object, list, most, hidden)                                                                 \
    PUT_LIST(key, page_##object, , list, most)                                                                         \
    json_put_str(o, #hidden, page_hidden(v, (list).n, most));
#define FIRST(key, object, list, most) PUT_LIST(key, page_##object, &, list, most)
#define FIRST_OF(key, object, list, most) PUT_LIST(key, page_##object, , list, most)
/* All members of an object of report.json. */
#define FACTS(object, value)                                                                                           \
    {                                                                                                                  \
        json_t *facts = fact_##object(v, value);                                                                       \
        json_object_update(o, facts);                                                                                  \
        json_decref(facts);                                                                                            \
    }
/* The value is JSON already: an object, or a list of them. */
#define MADE(key, object, value) json_put(o, #key, value);
#define TEXT_IF(key, condition, value) json_put(o, #key, (condition) ? json_of_str(value) : json_null());
/* A text of any length, cut: page_text. */
#define CUT_TEXT(key, value) json_put(o, #key, page_text(v, value));
/* A text with `code` in it: page_words. */
#define WORDS(key, value) json_put(o, #key, page_words(value));
#define PLACE(key, file, line) json_put(o, #key, page_place(v, file, line));
#define LINK(key, compile) json_put(o, #key, page_link(v, compile));
#define STACK(key, innermost) json_put(o, #key, page_stack(v, innermost));
/* Nothing, so that a template does not find the name in the objects around this one. */
#define NOTHING(key) json_put(o, #key, json_null());
