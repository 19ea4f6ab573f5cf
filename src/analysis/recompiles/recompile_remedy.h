/*
 * recompile_remedy: what helps against a recompile. One table: a row is one remedy with the finding that it belongs to,
 * the condition under which it is the right one, its words and its text to paste.
 */
#pragma once

#include "analysis/recompiles/recompile_cause.h"

struct remedy {
    enum change change;
    const char *id;                                                      /* of the finding: "recompile-size" */
    bool (*fits)(struct finder *f, const struct recompile_cause *cause); /* NULL: always */
    const char *fix;
    void (*paste)(struct finder *f, struct finding *x,
                  const struct recompile_cause *cause); /* NULL: nothing to paste */
};

/* The first row that fits; never NULL. */
const struct remedy *recompile_remedy_of(struct finder *f, const struct recompile_cause *cause);

/* The words of the remedy: of a global setting those for that setting. */
struct str recompile_remedy_words(struct finder *f, const struct remedy *r, const struct recompile_cause *cause);

/* Each call is another case, by what the compiled code does itself: no limit is high enough. */
bool recompile_is_endless(struct finder *f, const struct recompile_cause *cause);

/* A compile or two that the code needs, whatever is done: functions behind one decorator, choices of PyTorch's own. */
bool recompile_is_expected(struct finder *f, const struct recompile_cause *cause);
