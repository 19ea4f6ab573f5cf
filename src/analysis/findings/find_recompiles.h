/*
 * find_recompiles: functions shared by the findings about recompiles and about the recompile limit. Private to
 * src/analysis.
 */
#pragma once

#include "analysis/remedies/recompile_remedy.h"

/* "dimension 0 of `x` went from 4 to 5; then ..." */
struct str recompile_changes_words(struct finder *f, const struct recompile_cause *cause);

/* Sets detail, fix, text to paste and place. */
void recompile_explain(struct finder *f, struct finding *x, const struct recompile_cause *cause);

/* Remembers the finding of a cause, for find_consequences. */
void recompile_note(struct finder *f, struct finding *x, const struct recompile_cause *cause);
