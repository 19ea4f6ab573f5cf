/*
 * view: the facts of a run as JSON. Functions here build one item or one small section at a time, so that a report of
 * any size is written with memory for one item. Unknown values are null, never 0 or "". No HTML, no wording for one
 * output.
 */
#pragma once

#include "analysis/answers/answers.h"
#include "analysis/find/finding.h"
#include "util/formats/json.h"

/* Where the payload of an artifact can be found in the report. */
enum stored { STORED_DROPPED, STORED_INLINE, STORED_FILE };

struct placement {
    enum stored stored;
    uint32_t block;       /* STORED_INLINE: the compressed block that holds it */
    uint64_t offset;      /* in the unpacked block */
    uint64_t length;      /* bytes there */
    struct str file;      /* STORED_FILE, or both: relative path below the output directory; else empty */
    bool lost;            /* it could not be read back */
};

/* By input (position in run->inputs) and artifact number. Filled by the output; NULL entries mean dropped. */
struct placements {
    struct placement **inputs;
};

struct kernel_store;
struct evidence;

/* Which compiles a page has an entry for, so that links lead somewhere. By process, and there by compile. */
enum shown { SHOWN_NOT, SHOWN_LISTED, SHOWN_DETAILED };

struct shown_compiles {
    uint8_t **processes; /* enum shown by compile->index; of `unattributed` behind the last compile */
    size_t hidden;       /* compiles that are not shown */
};

/* What a report says of itself: how it was made, and the sender's words. */
struct about {
    const char *const *command; /* argv, as the user gave it or as it was redacted */
    size_t command_n;
    const char *title, *note;   /* NULL when there is none */
    bool for_agent;             /* a program that follows instructions reads it */
    const char *source_root;    /* the folder of the sources on this machine; NULL: not given */
};

struct view {
    const struct answers *answers;
    const struct run *run;
    const struct placements *placements; /* may be NULL: nothing is stored */
    const struct shown_compiles *shown;  /* may be NULL: every compile has an entry */
    struct kernel_store *kernels;        /* may be NULL: nothing is kept, see kernels.h */
    struct key_store *keys;              /* may be NULL: nothing is kept, see cache_keys.h */
    const struct map *generated;         /* may be NULL: see page_generated_files */
    const struct map *twins;             /* may be NULL: see page_twins */
    const struct evidence *evidence;     /* of the page that is written: evidence.h */
    struct map *configurations;          /* may be NULL: metrics hold each configuration in full; text -> number + 1 */
    struct arena *scratch;               /* for strings on their way into JSON; the caller resets it */
};

/* Never NULL; a dropped placement when there is none. */
const struct placement *view_placement(const struct view *v, const struct artifact *a);

enum shown view_shown(const struct view *v, const struct compile *c);
uint8_t *view_shown_slot(const struct shown_compiles *shown, const struct compile *c);

/* --- pieces shared by several facts ------------------------------------------------------------------------------- */

json_t *view_id(const struct view *v, const struct compile *c);      /* "0/1"; null without id */
json_t *view_rank(int rank);                                         /* null when unknown */
json_t *view_ranks(const int *ranks, size_t n);                      /* [0, 1] */
json_t *view_text(struct str s);                                     /* null when empty */
json_t *view_line(int64_t line);                                     /* null when 0 */
json_t *view_seconds_us(int64_t us);                                 /* null when negative */
json_t *view_stack(const struct view *v,
                   const struct call *innermost); /* [{file, line, function, source}], outermost first */
void view_put_process(json_t *o, const struct process *p);          /* adds rank, pid, process */
json_t *view_scope(const struct compile *c); /* {rank, pid, process, epoch}: where its id is unique */
json_t *view_compile_ref(const struct view *v, const struct compile *c); /* {id, rank, pid, process, epoch} */

/* --- facts: one item of report.json each -------------------------------------------------------------------------- */

json_t *fact_tool(const struct about *about);
json_t *fact_sender(const struct about *about);
json_t *fact_redaction(const struct view *v); /* null when nothing was replaced */
json_t *fact_input(const struct view *v, const struct input *in);
json_t *fact_experiment(const struct view *v); /* null when none was given */
json_t *fact_environment(const struct view *v);
json_t *fact_totals(const struct view *v);
json_t *fact_finding(const struct view *v, const struct finding *x);
/* Without "artifacts", the list of its fact_artifact: a compile can have any number of them, so they are written one by
 * one. */
json_t *fact_compile(const struct view *v, const struct compile *c);
json_t *fact_unattributed(const struct view *v, const struct compile *c);
json_t *fact_break(const struct view *v, const struct break_group *g);
json_t *fact_recompile(const struct view *v, const struct recompile *rc);
json_t *fact_error(const struct view *v, const struct error *e);
json_t *fact_cache(const struct view *v, const struct cache_event *e);
json_t *fact_symbol(const struct view *v, const struct compile *c, const struct symbol *s);
json_t *fact_phase(const struct view *v, const struct event_total *t);
json_t *fact_ranks(const struct view *v);
json_t *fact_flights(const struct view *v); /* of fact_ranks */
json_t *fact_message(const struct view *v, const struct message *m);
json_t *fact_kind(const struct view *v, struct str name, const struct kind_count *count);
json_t *fact_export_issue(const struct view *v, const struct compile *c, const struct export_issue *e);

/* Parts of fact_compile that pages use too. */
json_t *fact_artifact(const struct view *v, const struct artifact *a);
json_t *fact_metrics(const struct view *v, const struct metrics *m);
json_t *fact_configuration_text(size_t number, struct str text); /* an entry of view.configurations */

const char *cache_layer_name(enum cache_layer l);     /* "fx_graph" */
const char *cache_layer_title(enum cache_layer l);    /* "FX graph" */
const char *cache_outcome_name(enum cache_outcome o); /* "hit" */
const char *export_issue_name(enum export_issue_kind k);
