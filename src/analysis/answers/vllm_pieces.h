/*
 * vllm_pieces: vLLM compiles pieces of a graph after Dynamo has finished the frame, so their records have no compile
 * id (vllm/compilation/piecewise_backend.py). They belong to the last compile before them that split its graph. Made
 * once; lives in the arena given.
 */
#pragma once

#include "model/model.h"
#include "util/map.h"

struct vllm_loose {
    VEC(const struct artifact *) list; /* in their order */
};

struct vllm_pieces {
    struct map of; /* compile -> struct vllm_loose; a process's `unattributed` has those before the first split */
};

void vllm_pieces_find(struct arena *a, const struct run *r, struct vllm_pieces *out);

/* Whether any of its records reports the compile of a piece. */
bool vllm_has_piece(const struct compile *c);

/* The records without an id that belong to this compile; NULL if there are none. */
const struct vllm_loose *vllm_loose_of(const struct vllm_pieces *p, const struct compile *c);
