/*
 * times_text: the table of torch._dynamo.utils.compile_times(), which a program prints, explain() ends with, and Dynamo
 * logs when the program ends:
 *
 *   TorchDynamo compilation metrics:
 *   Function, Runtimes (s)
 *   _compile.compile_inner, 0.1553, 0.0591            or, where the package tabulate is installed, columns of blanks
 *
 * One time per call, or only their sum. Views point into the text. Any thread.
 */
#pragma once

#include "util/vec.h"

#include "util/str.h"

struct times_row {
    struct str name;
    VEC(int64_t) each_ns;
};

struct times_text {
    VEC(struct times_row) rows;
};

/* Fills the rows; what is no row is left out. */
void times_text_parse(struct arena *a, struct str text, struct times_text *out);

/* Whether a line belongs to the table: its heading, the line below, a row. */
bool times_text_goes_on(unsigned *state, struct str line);
