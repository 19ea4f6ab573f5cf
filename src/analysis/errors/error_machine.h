/* error_machine: what to do about problems of the machine, and of packages that the compiler runs. Any thread. */
#pragma once

#include "analysis/answers/errors.h"
#include "analysis/known_errors/error_step_list.h"

/* The answer to the error's fault, with the version of Python and the kind of GPU that the message names. */
void error_machine_add_steps(struct arena *a, const struct error *e, struct error_steps *out);

/* The package that the compiler runs (it patches a function, or is a pass, a backend), and that raised the error. */
struct str error_machine_raiser(const struct error *e);

/* False if no package that the compiler runs (it patches a function, or is a pass, a backend) raised the error. */
bool error_machine_add_raiser(struct arena *a, const struct error *e, struct error_steps *out);

/* False if the error is not about the value of an environment variable. */
bool error_machine_add_variable(struct arena *a, const struct error *e, struct error_steps *out);
