/*
 * error_owner: whose code fails (the compiler's, PyTorch's, a library's or the program's), by the stack, and what to do
 * about it. Any thread.
 */
#pragma once

#include "analysis/known_errors/error_step_list.h"
#include "analysis/known_errors/error_answers.h"

/* Code of Inductor that runs beside compiled code, such as what launches a kernel, fails itself. */
bool error_owner_is_runtime(const struct error *e);

/* Whether it was raised in the compiler itself, according to its stack or its words: it is clear whose bug it is. */
bool error_owner_is_compiler(const struct error *e);

/* The innermost call of a library below the program's line; NULL if there is none. */
const struct call *error_owner_library(const struct error *e);

/*
 * Whether the program's line calls a library, and Dynamo fails in the library's code: the function with that line can
 * stay compiled.
 */
bool error_owner_is_library(const struct error *e);

/* The last call that Dynamo traced, of PyTorch's own code, if no line of the program is among them; else NULL. */
const struct call *error_owner_pytorch(const struct error *e);

/* Whether the stack has a line of Dynamo or of compiled code. */
bool error_owner_has_compiled(const struct error *e);

/* Whether the program raises the error itself, as the results that it compares differ. */
bool error_owner_compares(const struct error *e);

/* Whether the whole stack is known, and nothing of it was compiled. */
bool error_owner_is_program(const struct error *e);

/*
 * Whether no compiled code is on the stack, and what fails most likely is that the code meets the object that
 * torch.compile puts around a module.
 */
bool error_owner_is_wrapper(const struct error *e);

/* Whether the call, which may be NULL, or one that led to it, is in a file that Inductor wrote. */
bool error_owner_is_below_generated(const struct call *c);

/* The line of the graph break, if the last call is of the code behind it, whoever is at fault; 0: it is not. */
int64_t error_owner_resumed(const struct error *e);
void error_owner_say_resumed(struct arena *a, const struct error *e, struct error_steps *out);

/* Whether the text was searched and has a stack, and neither is of the compiler. */
bool error_owner_is_other(const struct error *e);

/* Whether a line of the program calls the library in which a traced line fails, which the reader does not change. */
bool error_owner_is_within_library(const struct error *e);

/*
 * Whether a line of code that FX generated needs the value, and no line of the program is known: there is no place for
 * a check.
 */
bool error_owner_is_generated(const struct error *e);

/*
 * Whether the line is a library's, and no step of the answer (which may be NULL) says so. Only where a line of Python
 * is at fault: no other line mends a machine, a network or a driver.
 */
bool error_owner_is_left_out(const struct error *e, const struct error_answer *answer);

/* A warning that names a library's line as its place. */
bool error_owner_is_warned(const struct error *e);

/* What to do about each. */
void error_owner_say_pytorch(struct arena *a, const struct call *c, struct error_steps *out);
void error_owner_say_program(struct arena *a, const struct error *e, struct error_steps *out);
void error_owner_say_within(struct arena *a, const struct error *e, const struct error_answer *answer,
                            struct error_steps *out);
/* Of a warning about a library's line: what it means, and whose line it is. Further steps would change that line. */
void error_owner_say_warned(struct arena *a, const struct error *e, const struct error_answer *answer,
                            struct error_steps *out);
void error_owner_say_wrapper(struct arena *a, const struct error *e, struct error_steps *out);
/* Of a break in a library's line, behind the step that says how to change the line. */
void error_owner_say_library(struct arena *a, const struct error *e, const struct call *c, struct error_steps *out);
/*
 * What the number of a question stands for that has the size of the example in it, and what to state instead, if the
 * line shows that. Empty for any other error. In the arena.
 */
struct str error_owner_hint(struct arena *a, const struct error *e, bool *stated);
/* Where Dynamo fails in its code: the call of the program, and that library, may be changed. */
void error_owner_say_traced(struct arena *a, const struct call *c, struct error_steps *out);
/* Where a value is asked for that is not known, by a library's line, or by one that FX generated. */
void error_owner_say_asking(struct arena *a, const struct error *e, struct error_steps *out);
void error_owner_say_generated(struct arena *a, const struct error *e, struct error_steps *out);
