/* versions: numbers by version of PyTorch, compiled and not, of which one is worse. Any thread. */
#pragma once

#include "torchlog/numbers/series.h"

/*
 * " 2.10 and compiled: 14.5, 11 with 2.9.1, and 11.3 uncompiled": lines "Torch 2.10 compiled 14.5", where only the
 * newest version has another number, and only when compiled.
 */
struct series_found versions_worse(struct arena *a, struct str text);
