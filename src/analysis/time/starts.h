/*
 * starts: vLLM prints the times of its compiles in lines: those of Dynamo and of each graph, and then their total. A
 * text may hold several starts of one server, of which each compiled for itself: their times are never added up. Views
 * point into the model; the list is the arena's. Any thread.
 */
#pragma once

#include "model/model.h"

struct compile_start {
    struct str directory; /* of its cache; empty if unknown */
    int64_t dynamo_ns, graphs_ns; /* each a sum; -1 unknown */
    int64_t loaded_ns; /* graphs that the cache had; -1 none */
    int64_t total_ns, engine_ns; /* as printed; -1 unknown */
    int64_t first_s, last_s; /* clocks of its first and its last line; -1 unknown */
    int64_t gap_s; /* the longest time between two lines that no line reports; 0 none */
    const struct start_line *gap_from, *gap_to; /* these lines */
};

struct compile_starts {
    VEC(struct compile_start) list;
};

/* The starts of one process, in the order of its lines. */
void starts_find(struct arena *a, const struct process *p, struct compile_starts *out);

/* And the starts of other processes that had the same part in the job, before or after them: the pids differ. */
void starts_find_all(struct arena *a, const struct run *r, const struct process *p, struct compile_starts *out);

/* The longest total of a process's starts; -1 if none was printed. */
int64_t starts_longest_ns(const struct process *p);

/* SGLang compiles while it captures CUDA graphs. */
struct captures {
    const struct start_line *longest; /* NULL none */
    int64_t ns;                       /* of it; of all sizes where it goes on */
    int64_t other_ns;                 /* vLLM's longest total in the same text; -1 none */
};
void starts_find_captures(const struct run *r, struct captures *out);

/* The directory below torch_compile_cache, "3b81f02c7d"; empty if there is none. */
struct str start_cache_name(const struct compile_start *s);
