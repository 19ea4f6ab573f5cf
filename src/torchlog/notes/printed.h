/*
 * printed: two results that a program prints one below the other, and lists of processes. Any thread.
 */
#pragma once

#include "torchlog/notes/series.h"

/*
 * Two lists of the same length that differ by more than rounding: one has NaN or infinity, or another number. Tensors,
 * and lists behind "eager:" and "compiled:", or these alone.
 */
struct series_found printed_values(struct arena *a, struct str text, bool named);

/* ": 495 and 5 on rank 0, 485 on rank 3": the collectives that each process counts when it ends (ProcessGroup.cpp). */
struct series_found printed_unwaited(struct arena *a, struct str text);

/* " 41213: 8 processes": what `ps` prints of several processes of Python that one process started. */
struct series_found printed_processes(struct arena *a, struct str text);
