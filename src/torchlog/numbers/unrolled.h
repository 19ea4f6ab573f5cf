/*
 * unrolled: one line of a program that a printed graph has as many operators of one name, as a formula of autograd or a
 * loop makes them. Any thread.
 */
#pragma once

#include "torchlog/numbers/series.h"

/* ", in the backward: till.py:25 becomes `cumprod` up to number 31: a = torch.cumprod(x, dim=1)" */
struct series_found unrolled_line(struct arena *a, struct str text);
