/*
 * starts: what a server of vLLM or SGLang logs of one start: what its parts took. Any thread.
 */
#pragma once

#include "torchlog/numbers/series.h"

/*
 * ", most of which is capturing CUDA graphs: 17.0 of 34.1 s (warm cache), Dynamo 7.5 s, ...":
 * of a text that has one start, and what the whole of it took.
 */
struct series_found starts_parts(struct arena *a, struct str text);

/*
 * ": Worker_TP0 compiled backbone 118.97 s (Dynamo 14.83 s, the graph 101.42 s), head 7.46 s" of a server of vLLM whose
 * engine says that it waits, and whose worker says behind that how long compiling took.
 */
struct series_found starts_waited(struct arena *a, struct str text);
