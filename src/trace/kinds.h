/*
 * kinds: the kinds of records in a trace, one row each. The two tables contain everything that the reader knows about
 * a kind; a kind without a row is kept as an artifact, counted and shown. Adding one: a row in kinds.c, its function
 * in one of the kind_*.c files (none is needed if the payload is only kept), and a row in model/artifact_info.c that
 * describes it.
 */
#pragma once

#include "trace/record.h"

enum kind_flags {
    KIND_TEXT = 1,       /* apply needs the payload's text (up to LIMIT_PAYLOAD_TEXT) */
    KIND_JSON = 2,       /* apply needs the payload parsed as JSON */
    KIND_STARTS = 4,     /* marks the beginning of a compile */
    KIND_NO_COMPILE = 8, /* does not belong to a compile: no context is looked up */
    KIND_OUTLINE = 16,   /* the record itself is not kept as an artifact (its facts are in the model) */
};

struct kind {
    const char *name; /* of the record or of the artifact: "x", or "x*" for a prefix */
    unsigned flags;
    void (*apply)(struct record *rec); /* NULL: keep it as an artifact */
    const char *sample; /* a minimal valid record as JSON: for the documentation, a test, and the fuzz seeds */
};

extern const struct kind kinds[];
extern const size_t kind_count;
extern const struct kind artifact_kinds[];
extern const size_t artifact_kind_count;

/* The first row of the table whose name matches; NULL if none does. */
const struct kind *kind_find(struct str name);
const struct kind *artifact_kind_find(struct str name);

/*
 * The functions of the rows, called on the thread that reads the file. rec->value may have any type: the access
 * functions of record.h find nothing in a value that is not an object.
 */

/* kind_dynamo.c */
void apply_dynamo_start(struct record *rec);
void apply_recompile_reasons(struct record *rec);
void apply_graph_break_reason(struct record *rec);
void apply_dynamo_error(struct record *rec);
void apply_suppressed_failure(struct record *rec);
/* Adds a reason to the record's compile; the text must live as long as the model. */
void add_recompile_reason(struct record *rec, struct str text);
/* See text/graphs/cudagraph_text.h. */
void add_cudagraph_skip(struct record *rec, struct str text);
void apply_guards(struct record *rec);

/* kind_artifact.c */
void apply_artifact(struct record *rec);
void apply_named(struct record *rec);
void apply_output_code(struct record *rec);
void apply_link(struct record *rec);
void apply_torch_version(struct record *rec);
void apply_runnable(struct record *rec);

/* kind_string.c */
void apply_str(struct record *rec);

/* kind_metrics.c */
void apply_metrics(struct record *rec);

/* kind_cache.c */
void apply_cache_event(struct record *rec);
void apply_cache_hash(struct record *rec);
void apply_pgo_read(struct record *rec);

/* kind_event.c */
void apply_chromium_event(struct record *rec);

/* kind_tensor.c */
void apply_describe_tensor(struct record *rec);
void apply_describe_storage(struct record *rec);
void apply_describe_source(struct record *rec);

/* kind_symbol.c */
void apply_create_symbol(struct record *rec);
void apply_create_unbacked_symbol(struct record *rec);
void apply_specialization(struct record *rec);

/* kind_export.c */
void apply_guard_added(struct record *rec);
/* A symbol that stands for data is where expressions start. */
void add_unbacked_expression(struct record *rec);
void apply_expression_created(struct record *rec);
void apply_missing_fake_kernel(struct record *rec);
void apply_mismatched_fake_kernel(struct record *rec);
void apply_data_dependent(struct record *rec);
void apply_propagated(struct record *rec);
