/*
 * regression: with which version it worked, and with which it does not, where a text names both, or the second is the
 * one that it is of: "worked with torch 2.2, wrong with 2.10.0", "after pip install -U torch (2.11.0 -> 2.12.0)".
 * Any thread.
 */
#pragma once

#include "model/model.h"

/* Sets what worked; PyTorch's version, too, where the text says no more of it than that. */
void regression_find(struct str text, struct stated *out);
