/*
 * blocks: the payloads that travel inside the HTML page. Payloads are put together into blocks of about 256 kB, each
 * compressed on its own, so that the page opens any of them by unpacking one block. Equal payloads are stored once.
 *
 * When not all fit, the bulkiest and least useful stay out (artifact_info.bulk, then size); the order and the cut
 * depend on the trace alone, never on threads. What an earlier rank did, too, comes last, and gets little of the page:
 * a job of a thousand ranks that do the same makes a page no larger than one rank does.
 */
#pragma once

#include "util/system/pool.h"
#include "view/view.h"

/* Of the page, the part that what earlier ranks did, too, gets at most. */
enum { SAME_SHARE = 8 };

/* Payloads above this size are not for a browser: `pt2trace show` and --artifacts have them. */
#define BLOCKS_PAYLOAD_MAX (8u << 20)

struct blocks {
    int spill;         /* encoded blocks, one after the other */
    uint64_t *ends;    /* of each block in the spill file */
    size_t count;
    uint64_t bytes;    /* encoded, all blocks */
    size_t left_out;   /* payloads that did not fit; those of compiles that earlier ranks did, too, are no part of it */
};

/*
 * Chooses, reads, compresses and encodes. At most `budget` encoded bytes. Fills v->placements (their inputs' arrays are
 * made in `arena`). 0 or -errno when temporary storage fails; payloads that cannot be read back are left out.
 */
int blocks_make(struct blocks *b, struct arena *arena, const struct answers *answers, struct placements *placements,
                uint64_t budget, struct pool *pool);

/* Takes the last blocks, at least this many bytes of them, out again. */
void blocks_drop(struct blocks *b, const struct run *run, struct placements *placements, uint64_t bytes);

/* Appends block i, encoded in base64, to out. 0 or -errno. */
int blocks_read(const struct blocks *b, size_t i, struct buf *out);

void blocks_free(struct blocks *b);
