/* The `str` record: one entry of the process's string table (torch/_logging/structured.py, intern_string). */
#include "trace/kinds.h"

void apply_str(struct record *rec)
{
    struct process *p = rec->process;
    const json_t *text = json_array_get(rec->value, 0), *index = json_array_get(rec->value, 1);
    json_int_t i = json_is_integer(index) ? json_integer_value(index) : -1;

    rec->reading->in->totals.strings++;
    if (!json_is_string(text) || i < 0 || i >= LIMIT_STRING_INDEX) {
        record_message(rec, MSG_BAD_STRING, "not [string, index below %d]", LIMIT_STRING_INDEX);
        return;
    }
    string_table_set(&p->strings, (uint64_t)i, record_intern(rec, json_str(text)));
}
