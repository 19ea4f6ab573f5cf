/*
 * error_part: which part of PyTorch fails, finer than failure.part, by the innermost of PyTorch's files on the stack or
 * by words of the message; and what to do about an error there that no answer to a message knows. To add a part, add a
 * row to `parts` in error_part.c. Static; any thread.
 */
#pragma once

#include "analysis/known_errors/error_step_list.h"

struct error_part {
    /* parts of paths, separated by '\n'; of rows that fit the same call, the first counts */
    const char *files;
    const char *functions; /* ... within one of these, separated by '\n'; NULL: within any */
    const char *words; /* of the message, separated by '\n', where the stack shows no part; NULL: none is certain */
    const char *steps[ERROR_ANSWER_STEPS];
    bool whole;          /* nothing general follows: a smaller graph or another backend would say nothing more */
    bool alone;          /* no program calls it: an error there is the compiler's, whatever else the stack shows */
    bool caches;         /* its files also start compilers: what a compiler rejects says nothing of it */
    bool calls_compiler; /* of C++: once that ran, what fails is what it was given */
    bool exports;        /* code of torch.export, for which general advice on exports is about the model */
};

/* NULL if no row fits, and where the error is the program's, or of a category with better answers. */
const struct error_part *error_part_of(const struct error *e);

/* Sentences about the call of the operator `target` (error_target) that failed with this message; false if none. */
bool error_part_lowering_say(struct arena *a, struct str target, struct str message, struct error_steps *out);

/* What to do about a call of PyTorch's operator in which Inductor has a bug, until that is fixed. In the arena. */
struct str error_part_lowering_around(struct arena *a, struct str target, struct str message);

/* The same where Inductor's function for an operator of PyTorch's refuses arguments; false where it does not. */
bool error_part_lowering_refused(struct arena *a, struct str target, struct str message, struct error_steps *out);

/* That an assertion compares two arguments that the message prints, which differ; false where it does not. */
bool error_part_lowering_differs(struct arena *a, struct str target, const struct failure *f, struct error_steps *out);

/* An operator of PyTorch, not of a package: "aten.convolution.default"; the names of Inductor's own have no point. */
bool error_part_lowering_is_of_pytorch(struct str target);
