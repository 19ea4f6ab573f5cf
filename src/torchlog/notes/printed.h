/*
 * printed: two results that a program prints one below the other, lists of processes, compilers among them, and code of
 * graphs that differs in a constant. Any thread.
 */
#pragma once

#include "torchlog/numbers/series.h"

/* What ends the message where eager mode has infinity, and the other number is one that only float16 does not hold. */
#define PRINTED_OVERFLOW ": beyond float16"

/*
 * ": -1.34 where eager mode has -0.67; 2 of the 3 numbers shown differ, by up to 2.51": two results of the same length
 * that differ by more than rounding, as one has NaN or infinity, or another number. Tensors, and lists behind "eager:"
 * and "compiled:", or, if `named`, these alone.
 */
struct series_found printed_values(struct arena *a, struct str text, bool named);

/*
 * " with inductor, and right with aot_eager: 16384 where eager mode has 0": results behind the names of backends, or
 * below the calls of print() that make them; the first that differs from what is not compiled, where one of those
 * before Inductor is among them. Single numbers count if they are not `named` alone.
 */
struct series_found printed_stages(struct arena *a, struct str text, bool named);

/*
 * ": 3.2 where eager mode has 1.6: twice as much": the numbers that two texts begin with, in brackets, or one behind
 * the other up to the line's end if they are `plain`; empty if they differ by rounding, or not at all.
 */
struct str printed_compared(struct arena *a, struct str eager, struct str other, bool plain);

/* ": 495 and 5 on rank 0, 485 on rank 3": the collectives that each process counts when it ends (ProcessGroup.cpp). */
struct series_found printed_unwaited(struct arena *a, struct str text);

/* " 41213: 8 processes": what `ps` prints of several processes of Python that one process started. */
struct series_found printed_processes(struct arena *a, struct str text);

/*
 * ": cc1plus, for 01:07:31, one file of 78412 lines": a compiler that works on what Inductor generated, in what `ps` or
 * `top` prints; ": 4 processes of cc1plus" where there are several.
 */
struct series_found printed_compilers(struct arena *a, struct str text);

/*
 * ": 'layers.3' and 'layers.4', arguments of `torch.ops.shop.norm`": calls of one operator, in the code of two graphs,
 * that have the same arguments but for a string, in a text about a cache.
 */
struct series_found printed_constants(struct arena *a, struct str text);
