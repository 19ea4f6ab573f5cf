/*
 * shapes: gives tensors the size of their storage and symbols the value to which they were specialized, which are in
 * records of their own. Part of run_finish; one thread.
 */
#pragma once

#include "model/model.h"

void shapes_conclude(struct compile *c, struct arena *scratch);
