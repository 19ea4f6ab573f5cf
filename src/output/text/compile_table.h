/*
 * compile_table: compiles as a table for the terminal, one per line; on a narrow terminal, function and place get a
 * line of their own. One thread.
 */
#pragma once

#include "output/text/text.h"
#include "view/page.h"

/* The sort order, which decides the first columns. */
enum compile_table_order { COMPILES_BY_TIME, COMPILES_BY_ID };

void compile_table_write(struct text *t, enum compile_table_order order, const struct compile *const *list, size_t n);
