/*
 * cache_fault: whether what an exception says is about a file of the compiler's cache, by the calls that read or write
 * it: "Expecting value: line 1 column 1" by itself may be about any file. Static; any thread.
 */
#pragma once

#include "model/model.h"
#include "text/faults/fault.h"

/* Whether the calls in which it was raised read or write the cache of Inductor, Triton or vLLM. */
bool cache_fault_is_in_cache(const struct failure *f);

/* `found`, which is what the words of the message show (may be NULL), or what the calls know better; may be NULL. */
const struct fault *cache_fault_choose(const struct failure *f, const struct fault *found);

/*
 * "/net/tills/7QX3...LA" of "'/net/tills/7QX3...LA/till.json'", "/x/qy" of "/x/qy/cqyx....py": what a cache whose
 * directory has any name keeps of a kernel. A view of the text; empty if it names none.
 */
struct str cache_fault_entry(struct str text);
