/*
 * stale: code that changes an attribute of a class between two calls of a compiled function, in a text that says that
 * the old value is used. Any thread.
 */
#pragma once

#include "torchlog/numbers/series.h"

/* ": `Till.scale` is 5.0 when it is called again" */
struct series_found stale_attribute(struct arena *a, struct str text);
