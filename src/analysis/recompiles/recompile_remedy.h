/*
 * recompile_remedy: remedies against recompiles. One table: a row is one remedy with its finding, the condition under
 * which it applies, its words and its text to paste.
 */
#pragma once

#include "analysis/recompiles/recompile_cause.h"

struct remedy {
    enum change change;
    const char *id;                                                      /* the finding's id: "recompile-size" */
    bool (*fits)(struct finder *f, const struct recompile_cause *cause); /* NULL: always */
    const char *fix;
    void (*paste)(struct finder *f, struct finding *x,
                  const struct recompile_cause *cause); /* NULL: nothing to paste */
};

/* The first row that applies; never NULL. */
const struct remedy *recompile_remedy_of(struct finder *f, const struct recompile_cause *cause);

/* The words of the remedy; for a global setting the words for that setting. */
struct str recompile_remedy_words(struct finder *f, const struct remedy *r, const struct recompile_cause *cause);

/* Every call is another case, because of what the compiled code does itself: no limit is high enough. */
bool recompile_is_endless(struct finder *f, const struct recompile_cause *cause);

/* The compiled code appends to a deque, which may be full at some length. */
bool recompile_is_of_deque(struct finder *f, const struct recompile_cause *cause);

/* One compile for each object that has a name of its own: how many there are is not known. */
bool recompile_is_per_object(struct finder *f, const struct recompile_cause *cause);

/* The object is one of torch/optim, which the program does not make. */
bool recompile_is_of_optimizer(struct finder *f, const struct recompile_cause *cause);

/* Alone it is no more than two compiles. */
bool recompile_has_two_values(const struct recompile_cause *cause);

/* No reason is known, because the text ends before it. */
bool recompile_reason_is_cut(struct finder *f, const struct recompile_cause *cause);

/* The text has neither the reason nor the compile before: an excerpt, which shows nothing wrong. */
bool recompile_begins_later(struct finder *f, const struct recompile_cause *cause);

/* A compile or two that the code needs in any case: functions behind one decorator, choices of PyTorch's own. */
bool recompile_is_expected(struct finder *f, const struct recompile_cause *cause);
