/* recompile_remedy: the remedy against a recompile, of those in the tables of remedies_*. Any thread. */
#pragma once

#include "analysis/remedies/remedy_row.h"

/* The first row that applies; never NULL. */
const struct remedy *recompile_remedy_of(struct finder *f, const struct recompile_cause *cause);

/* The words of the remedy; for a global setting the words for that setting. */
struct str recompile_remedy_words(struct finder *f, const struct remedy *r, const struct recompile_cause *cause);

/* Every call is another case, because of what the compiled code does itself: no limit is high enough. */
bool recompile_is_endless(struct finder *f, const struct recompile_cause *cause);

/* A compile or two that the code needs in any case: functions behind one decorator, choices of PyTorch's own. */
bool recompile_is_expected(struct finder *f, const struct recompile_cause *cause);

/* It was one more compile, once, and none follows: accepting it is the advice, however long it took. */
bool recompile_is_over(struct finder *f, const struct recompile_cause *cause);
