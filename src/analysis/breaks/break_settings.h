/*
 * break_settings: Dynamo settings used in advice, and the versions for which they may be advised; and properties of
 * the line of code that advice depends on. Shared by break_paste.c and break_values.c. Any thread.
 */
#pragma once

#include "analysis/breaks/break_advice.h"

enum break_setting {
    SET_REORDER,        /* reorderable_logging_functions */
    SET_IGNORE,         /* ignore_logging_functions */
    SET_IGNORE_METHODS, /* ignore_logger_methods */
    SET_SCALARS,        /* capture_scalar_outputs */
    SET_CHECKPOINT,     /* skip_fwd_side_effects_in_bwd_under_checkpoint */
    SET_SHAPES,         /* capture_dynamic_output_shape_ops */
    SET_RNN,            /* allow_rnn */
    SET_AUTOGRAD,       /* trace_autograd_ops */
};

/* Whether the version has the setting; true if it is unknown. */
bool break_has(const struct break_words *w, enum break_setting s);

/* The version is known to be 2.`minor` or later. */
bool break_is_proven(const struct break_words *w, unsigned minor);

/* The version is known to be earlier than 2.`minor`. */
bool break_is_before(const struct break_words *w, unsigned minor);

/*
 * Sets the text to paste, as a setting if it is known to do no harm in the version, else as a pattern. Returns false
 * and sets nothing if the version lacks the setting.
 */
bool break_set(const struct break_words *w, struct break_fix *out, enum break_setting s, struct str text);

/* Sets a guard around a call as the pattern to paste: compiled code skips the call. */
void break_set_guard(struct arena *a, struct break_fix *out, struct str function);

/* The line where Dynamo stopped, in the program or in a library. */
struct str break_source(const struct break_words *w);

/* Whether the name is a valid Python identifier. */
bool break_is_identifier(struct str s);

/* "allclose" for a text that begins with "aten.allclose.default"; empty for other texts. */
struct str break_operator(struct str text);
