/*
 * vllm_pieces: vLLM compiles pieces of a graph after Dynamo is through with the frame, so that their records carry no
 * compile id (vllm/compilation/piecewise_backend.py). They are of the compile that split its graph last before them.
 * Made once; lives in the arena given.
 */
#pragma once

#include "model/model.h"
#include "util/map.h"

struct vllm_loose {
    VEC(const struct artifact *) list; /* in their order */
};

struct vllm_pieces {
    struct map of; /* compile -> struct vllm_loose; of a process's `unattributed` those that no compile split before */
};

void vllm_pieces_find(struct arena *a, const struct run *r, struct vllm_pieces *out);

/* Whether one of its records says that a piece is compiled. */
bool vllm_has_piece(const struct compile *c);

/* The records without an id that are of this compile; NULL when there are none. */
const struct vllm_loose *vllm_loose_of(const struct vllm_pieces *p, const struct compile *c);
