/* apply: what the messages of TORCH_LOGS say, into the model. rec->text is the message; see log_kinds.h. */
#pragma once

#include "trace/record.h"

/* apply_dynamo.c */
void apply_log_break(struct record *rec);
void apply_log_repeated_break(struct record *rec);
void apply_log_item_break(struct record *rec);
void apply_log_builtin_break(struct record *rec);
struct str log_recompile_text(struct arena *a, struct str text); /* as later versions write it, but "guard failure:" */
void apply_log_recompile(struct record *rec);
void apply_log_guards(struct record *rec);
void apply_log_guard_list(struct record *rec);
void apply_log_start(struct record *rec);
void apply_log_bytecode(struct record *rec);
void apply_log_limit(struct record *rec);
void apply_log_bare_guard(struct record *rec);
void apply_log_backend_break(struct record *rec);
void apply_log_backend_exception(struct record *rec);
/* The log is over: a break that was warned of may be logged, too, or raised (fullgraph=True). */
void apply_log_drop_repeated(struct compile *c);
/* The processes of the log are known: a function of C of which a warning has only the name. */
void apply_log_drop_known(struct process *p);
void apply_log_restart(struct record *rec);

/* apply_graph.c */
void apply_log_graph(struct record *rec);
void apply_log_code_path(struct record *rec);
void apply_log_cudagraph_skip(struct record *rec);
void apply_log_partitions(struct record *rec);
void apply_log_partition_op(struct record *rec);

/* apply_symbol.c */
void apply_log_symbol(struct record *rec);
void apply_log_unbacked_symbol(struct record *rec);
void apply_log_shape_guard(struct record *rec);
void apply_log_replacement(struct record *rec);

/* apply_cache.c */
void apply_log_cache(struct record *rec);

/* apply_tables.c */
void apply_log_explain(struct record *rec);
void apply_log_times(struct record *rec);
void apply_log_time_line(struct record *rec);
void apply_log_metrics(struct record *rec);
void apply_log_reason_list(struct record *rec);
void apply_log_graph_ends(struct record *rec);
void apply_log_debug_trace(struct record *rec);
