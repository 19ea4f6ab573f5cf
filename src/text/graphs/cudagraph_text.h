/*
 * cudagraph_text: reads why something runs without CUDA graphs, in the words of the cudagraphs log (perf_hints up to
 * 2.3) and of the metrics field cudagraph_skip_reason (torch/_inductor/cudagraph_utils.py):
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
    struct text_stack stack; /* the code that caused it; may be empty */
};

void cudagraph_text_parse(struct arena *a, struct str text, struct cudagraph_text *out);

/* Whether a line belongs to the text, in a log without prefixes. *state is 0 at its first line. */
bool cudagraph_text_goes_on(unsigned *state, struct str line);
