/*
 * view: the facts of a run as JSON. Functions here build one item or one small section at a time, so that a report of
 * any size is written with the memory for one item. Unknown values are null, never 0 or "". No HTML, and no wording
 * for a single output.
 */
#pragma once

#include "analysis/answers/answers.h"
#include "analysis/find/finding.h"
#include "util/formats/json.h"

/* Where the report has the payload of an artifact. */
enum stored { STORED_DROPPED, STORED_INLINE, STORED_FILE };

struct placement {
    enum stored stored;
    uint32_t block;       /* STORED_INLINE: the compressed block that contains it */
    uint64_t offset;      /* in the uncompressed block */
    uint64_t length;      /* bytes there */
    struct str file;      /* STORED_FILE, or both: relative path inside the output directory; else empty */
    bool lost;            /* it could not be read back */
};

/* By input (index in run->inputs) and artifact number. Filled by the output; NULL entries mean dropped. */
struct placements {
    struct placement **inputs;
};

struct kernel_store;
struct gpu_measured;
struct evidence;

/* Which compiles have an entry in the page, so that links lead somewhere. By process, and then by compile. */
enum shown { SHOWN_NOT, SHOWN_LISTED, SHOWN_DETAILED };

struct shown_compiles {
    uint8_t **processes; /* enum shown, by compile->index; `unattributed` comes after the last compile */
    size_t hidden;       /* number of compiles that are not shown */
};

/* Facts about the report itself: how it was made, and the sender's words. */
struct about {
    const char *const *command; /* argv, as the user gave it, or redacted */
    size_t command_n;
    const char *title, *note; /* NULL if there is none */
    bool for_agent;           /* the reader is an agent, which may follow instructions in the text */
    const char *source_root;  /* the folder of the sources on this machine; NULL if it was not given */
};

struct view {
    const struct answers *answers;
    const struct run *run;
    const struct placements *placements; /* may be NULL: no payloads are stored */
    const struct shown_compiles *shown;  /* may be NULL: every compile has an entry */
    struct kernel_store *kernels;        /* may be NULL: results are not cached, see kernels.h */
    struct key_store *keys;              /* may be NULL: results are not cached, see analysis/time/cache_keys.h */
    const struct map *generated;         /* may be NULL: see page_generated_files */
    const struct map *twins;             /* may be NULL: see page_twins */
    const struct evidence *evidence;     /* for the page being written: evidence.h */
    /* text -> number + 1; may be NULL: metrics then have each configuration in full */
    struct map *configurations;
    struct arena *scratch;               /* for strings on their way into JSON; the caller resets it */
};

/* Never NULL; a dropped placement if there is none. */
const struct placement *view_placement(const struct view *v, const struct artifact *a);

/* Whether the run has several ranks, so that it matters which one did something. */
bool view_has_ranks(const struct view *v);

/* Which kernels of generated code the GPUs ran: see analysis/code/gpu_kernels.h. */
const struct gpu_measured *view_gpu_measured(const struct view *v);

enum shown view_shown(const struct view *v, const struct compile *c);
uint8_t *view_shown_slot(const struct shown_compiles *shown, const struct compile *c);

/* --- pieces shared by several facts ------------------------------------------------------------------------------- */

json_t *view_id(const struct view *v, const struct compile *c);      /* "0/1"; null without an id, and for NULL */
json_t *view_rank(int rank);                                         /* null if unknown */
json_t *view_ranks(const int *ranks, size_t n);                      /* [0, 1] */
json_t *view_text(struct str s);                                     /* null if empty */
json_t *view_line(int64_t line);                                     /* null if 0 */
json_t *view_seconds_us(int64_t us);                                 /* null if negative */
void view_put_process(json_t *o, const struct process *p);           /* adds rank, pid, process */
/* ... and the epoch: the scope in which its id is unique */
void view_put_scope(json_t *o, const struct compile *c);

const char *cache_layer_name(enum cache_layer l);     /* "fx_graph" */
const char *cache_layer_title(enum cache_layer l);    /* "FX graph" */
const char *cache_outcome_name(enum cache_outcome o); /* "hit" */
