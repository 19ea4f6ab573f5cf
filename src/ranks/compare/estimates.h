/*
 * estimates: how long Inductor expects each graph to run (the artifact inductor_runtime_and_tensor_meta, with
 * LOG_TLPARSE=1), and how much the ranks differ. Results live in the arena given; the model is only read.
 */
#pragma once

#include "ranks/compare/contents.h"

void estimates_find(struct arena *a, struct contents *contents, const struct rank_matrix *matrix,
                    struct estimates *out);
