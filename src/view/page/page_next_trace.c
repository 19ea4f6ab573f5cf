/* How to get more data: questions that the next trace can answer. */
#include "view/page.h"
#include "view/page_objects.h"

#include "analysis/answers/next_trace.h"

json_t *page_next_trace(const struct view *v)
{
    struct next_trace next;

    next_trace_find(v->scratch, v->answers, &next);
    return page_more(v, &next);
}

#include "view/page_rows.h"

#include "view/sections/next_trace.def"
