/*
 * blocks: the payloads inside the HTML page. Payloads are combined into blocks of about 256 kB, each compressed
 * separately, so that the page can open any of them by unpacking one block. Equal payloads are stored once. If not all
 * fit, the bulkiest and least useful are left out (artifact_info.bulk, then size); the order and the cut depend only
 * on the trace, never on threads. Payloads that an earlier rank has as well come last and get a small share of the
 * page: for a thousand ranks that do the same, the page is no larger than for one.
 */
#pragma once

#include "util/system/pool.h"
#include "view/view.h"

/* The largest share of the page for what an earlier rank did in the same way, as a fraction 1/n. */
enum { SAME_SHARE = 8 };

/* Larger payloads are too much for a browser: `pt2trace show` and --artifacts have them. */
#define BLOCKS_PAYLOAD_MAX (8u << 20)

struct blocks {
    int spill;      /* encoded blocks, one after another */
    uint64_t *ends; /* the end of each block in the spill file */
    size_t count;
    uint64_t bytes;  /* of all blocks, encoded */
    size_t left_out; /* payloads that did not fit, not counting those that an earlier rank has as well */
};

/*
 * Chooses, reads, compresses and encodes payloads, up to `budget` encoded bytes. Fills v->placements (the arrays of
 * their inputs are allocated in `arena`). 0, or -errno if temporary storage fails; payloads that cannot be read back
 * are left out.
 */
int blocks_make(struct blocks *b, struct arena *arena, const struct answers *answers, struct placements *placements,
                uint64_t budget, struct pool *pool);

/* Removes the last blocks again, at least this many bytes of them. */
void blocks_drop(struct blocks *b, const struct run *run, struct placements *placements, uint64_t bytes);

/* Appends block i, encoded in base64, to out. 0 or -errno. */
int blocks_read(const struct blocks *b, size_t i, struct buf *out);

void blocks_free(struct blocks *b);
