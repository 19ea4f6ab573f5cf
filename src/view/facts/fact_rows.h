/* fact_rows: rows become functions of facts.h: see view/rows_write.h. */
#pragma once

#define ROWS_OF(name) fact_##name
#define OBJECT(name, type, description)                                                                                \
    json_t *fact_##name(const struct view *v, const type *x)                                                           \
    {                                                                                                                  \
        json_t *o;                                                                                                     \
                                                                                                                       \
        (void)v;                                                                                                       \
        if (!x)                                                                                                        \
            return json_null();                                                                                        \
        o = json_new_object();

#include "view/rows_write.h"

#define STACK(key, value, description) json_put(o, #key, fact_stack(v, value));
