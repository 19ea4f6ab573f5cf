/* summary: the result as text for terminals and pipes: totals, findings, and where to look next. */
#pragma once

#include "analysis/answers/answers.h"
#include "output/text/text.h"

void summary_write(struct text *t, const struct answers *answers);

/* Only the findings, each with its id, place and cost, worst first. */
void summary_write_findings(struct text *t, const struct answers *answers);
