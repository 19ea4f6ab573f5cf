/*
 * times_text: reads the table of torch._dynamo.utils.compile_times(), which programs print, which ends the output of
 * explain(), and which Dynamo logs when the program ends:
 *
 *   TorchDynamo compilation metrics:
 *   Function, Runtimes (s)
 *   _compile.compile_inner, 0.1553, 0.0591            or, if the package tabulate is installed, columns separated by
 * blanks
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

/* Fills the rows; lines that are not rows are skipped. */
void times_text_parse(struct arena *a, struct str text, struct times_text *out);

/* Whether a line belongs to the table: its title, the line below it, or a row. */
bool times_text_goes_on(unsigned *state, struct str line);
