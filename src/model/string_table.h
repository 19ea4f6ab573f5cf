/*
 * string_table: the strings that a process numbered with its `str` records. Numbers may be anything (a forked process
 * continues its parent's numbers, a damaged record has a digit too many), so memory depends on the number of entries
 * and not on the largest number. One thread while it grows, any afterwards.
 */
#pragma once

#include "util/map.h"

struct string_table {
    struct map by_number;
    uint64_t end; /* the largest number, plus 1 */
};

void string_table_init(struct string_table *t, struct arena *a);

/* The string must live as long as the table. */
void string_table_set(struct string_table *t, uint64_t number, struct str s);

/* False if there is no such entry. */
bool string_table_get(const struct string_table *t, uint64_t number, struct str *out);
