/*
 * table: the cells of a table that a program prints, with bars or with blanks between its columns. Any thread.
 */
#pragma once

#include "util/str.h"

enum table_kind { TABLE_NONE, TABLE_BARS, TABLE_WIDE, TABLE_NARROW }; /* two blanks or more, or one */

enum { TABLE_CELLS = 12 };

struct cells {
    enum table_kind kind;
    struct str v[TABLE_CELLS]; /* without blanks, emphasis and quotes around them */
    size_t n;
};

/* The cells of a table's head: bars, else columns that are two blanks apart, else single words. */
void table_head(struct str line, struct cells *out);

/* The cells of a row below that head; false if it has others in number. */
bool table_row(struct str line, const struct cells *head, struct cells *out);

/* "|------|-----:|" and "=====  =====": no row, and no end of the table either. */
bool table_is_rule(struct str line);

/* The number that a text begins with, with sign and exponent, as it is printed; empty if it begins with none. */
struct str table_number(struct str s, double *value);
