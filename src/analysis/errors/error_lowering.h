/* error_lowering: what to do about an operator that Inductor cannot lower. Any thread. */
#pragma once

#include "analysis/errors/error_step_list.h"
#include "model/model.h"

/* Sentences about the call of the operator `target` (error_target) that failed with this message. */
void error_lowering_say(struct arena *a, struct str target, struct str message, struct error_steps *out);

/* An operator of PyTorch, not of a package: "aten.convolution.default"; the names of Inductor's own have no point. */
bool error_lowering_is_of_pytorch(struct str target);
