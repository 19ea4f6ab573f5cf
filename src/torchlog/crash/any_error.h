/*
 * any_error: an error in a text that is about PyTorch, but has no message that is known: a line that a
 * program logged, a warning of Python's. Whoever pastes so little gets that line at least, and what holds for any error
 * of its name. Views of the text. Any thread.
 */
#pragma once

#include "util/str.h"

struct any_error {
    struct str type; /* "ValueError", "UserWarning"; empty when no exception is named */
    struct str message;
    struct str reason; /* the next line, where the message ends before what was raised: "backend='inductor' raised:" */
    struct str expression; /* of a guard that could not be decided, in a text that was cut: there is no message then */
    struct str file; /* of a warning: where Python shows it; may be empty */
    int64_t line;
    uint64_t number; /* of the line in the text, from 1 */
    bool of_writer;  /* a sentence of whoever pasted the text: the weakest sign */
};

/* Whether a name of PyTorch's world stands in it, or an exception of Python's: another text may be any program's. */
bool any_error_is_about(struct str text);

/* Whether a name of PyTorch's world stands in it. */
bool any_error_names_ours(struct str text);

/* Whether it is a traceback through libraries, and no name of PyTorch's world stands in it. */
bool any_error_is_foreign(struct str text);

/* False when no line mentions an error or a warning; `only_named`: of an exception by its name. */
bool any_error_find(struct str text, bool only_named, struct any_error *out);

/*
 * Whether a program printed that a checkpoint was not loaded, and went on: torch.nn.Module raises that as an error, so
 * it is none of the warnings. The reason is what it lists below.
 */
bool any_error_find_unloaded(struct str text, struct any_error *out);

/*
 * How many lines belong to the error in line `number`, from 1: of one whose type is a warning of Python's those up to
 * the line of code that warned, of any other those that are indented below it.
 */
uint64_t any_error_lines(struct str text, uint64_t number, struct str type);
