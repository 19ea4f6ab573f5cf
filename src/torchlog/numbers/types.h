/*
 * types: the same operation returns numbers of another type under another label. Any thread.
 */
#pragma once

#include "torchlog/numbers/series.h"

/*
 * ": torch.bfloat16 with 2.11.0, torch.float32 with 2.12.1": two lines that are a label and a type of numbers, where
 * the labels are versions, or eager mode and compiled code. Then ", of `norm(x)`" if code prints its type.
 */
struct series_found types_differ(struct arena *a, struct str text);
