/* How to get more data: questions that the next trace can answer. */
#include "view/page.h"

#include "analysis/answers/next_trace.h"

json_t *page_next_trace(const struct view *v)
{
    json_t *o = json_new_object(), *rows = json_new_array();
    struct next_trace next;

    next_trace_find(v->scratch, v->answers, &next);
    vec_each(const struct next_trace_tip, tip, &next.tips)
    {
        json_t *row = json_new_object();

        json_put_str(row, "question", str_of(tip->question));
        json_put_str(row, "environment", str_of(tip->environment));
        json_push(rows, row);
    }
    json_put_bool(o, "any", json_array_size(rows) > 0);
    json_put(o, "rows", rows);
    return o;
}
