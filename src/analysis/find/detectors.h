/* detectors: the functions of finding_table, and the function that runs after them. Each is in analysis/findings. */
#pragma once

struct finder;

/* find_breaks.c, find_recompiles.c, find_errors.c */
void find_graph_breaks(struct finder *f);
void find_recompile_limit(struct finder *f);
void find_recompiles(struct finder *f);
void find_errors(struct finder *f);

/* find_consequences.c: when everything is found, links each consequence to the finding that causes it. */
void find_consequences(struct finder *f);

/* find_ranks.c, find_flight.c */
void find_ranks(struct finder *f);
void find_flights(struct finder *f);

/* find_cuts.c, find_graphs.c, find_guards.c */
void find_hotspots(struct finder *f);
void find_tiny_graphs(struct finder *f);
void find_skipped_frames(struct finder *f);
void find_empty_graphs(struct finder *f);
void find_same_graphs(struct finder *f);
void find_repeated_blocks(struct finder *f);
void find_guards(struct finder *f);
void find_missing_guards(struct finder *f);

/* find_time.c, find_caches.c */
void find_slow(struct finder *f);
void find_late_backward(struct finder *f);
void find_double_backward(struct finder *f);
void find_cache_state(struct finder *f);
void find_cache_bypass(struct finder *f);

/* find_gpu.c */
void find_gpu(struct finder *f);

/* find_settings.c, find_code.c, find_shapes.c, find_export.c */
void find_suppressed_errors(struct finder *f);
void find_settings(struct finder *f);
void find_low_precision(struct finder *f);
void find_code(struct finder *f);
void find_cudagraph_skips(struct finder *f);
void find_specialization(struct finder *f);
void find_export_issues(struct finder *f);

/* find_run.c */
void find_run(struct finder *f);

/* find_other.c */
void find_incomplete(struct finder *f);
void find_unattributed(struct finder *f);
void find_damage(struct finder *f);
void find_resets(struct finder *f);
void find_clean(struct finder *f);
