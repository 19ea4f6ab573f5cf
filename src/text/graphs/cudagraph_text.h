/*
 * cudagraph_text: why something runs without CUDA graphs, as the cudagraphs log (perf_hints up to 2.3) and the field
 * cudagraph_skip_reason of the metrics put it (torch/_inductor/cudagraph_utils.py):
 *
 *   skipping cudagraphs due to cpu device (arg0_1). Found from :
 *      File "/x.py", line 5, in f
 *        return x.sin() + 1
 *
 * Views point into the text that was given. Any thread.
 */
#pragma once

#include "text/python/traceback.h"

struct cudagraph_text {
    struct str reason;       /* "cpu device (arg0_1)" */
    struct text_stack stack; /* the code it was found from; may be empty */
};

void cudagraph_text_parse(struct arena *a, struct str text, struct cudagraph_text *out);

/* Whether a line belongs to the text, where the text stands without a prefix. *state is 0 at its first line. */
bool cudagraph_text_goes_on(unsigned *state, struct str line);
