/*
 * slices: compiled functions that write in place into an argument, and calls that pass a slice for it. Any thread.
 */
#pragma once

#include "torchlog/numbers/series.h"

/*
 * ": `a[..., 1, :]`, into which `till` writes": up to PyTorch 2.7, compiled code for a GPU computes on a copy of an
 * argument whose address is no multiple of 16, and does not copy back what it writes. Only in a text that says that
 * something is not written, on a GPU, and that it depends on the size or device.
 */
struct series_found slices_lost(struct arena *a, struct str text);
