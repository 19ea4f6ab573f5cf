/*
 * compile_row: what a table of compiles in the terminal has in common, whatever its columns: the id, and at the end of
 * the line the function and its place. One thread.
 */
#pragma once

#include "output/text.h"
#include "view/page.h"

/* Columns for the ids of n compiles, on lines with `others` besides them: of the widest, within reason. */
unsigned compile_row_id_columns(struct text *t, const struct compile *const *list, size_t n, unsigned others);

/* How long it took, or "-", right-aligned. */
void compile_row_duration(struct text *t, const struct compile *c, unsigned columns);

/*
 * Function and place in what is left of a line on which `used` columns are taken, and the end of the line. Where there
 * is little left they get a line of their own.
 */
void compile_row_end(struct text *t, const struct compile *c, unsigned used);
