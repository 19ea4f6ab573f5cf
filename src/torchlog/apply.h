/* apply: what the messages of TORCH_LOGS say, into the model. rec->text is the message; see log_kinds.h. */
#pragma once

#include "trace/record.h"

void apply_log_break(struct record *rec);
void apply_log_recompile(struct record *rec);
void apply_log_guards(struct record *rec);
void apply_log_start(struct record *rec);
void apply_log_bytecode(struct record *rec);
void apply_log_limit(struct record *rec);
void apply_log_graph(struct record *rec);
void apply_log_traceback(struct record *rec);
void apply_log_explain(struct record *rec);
void apply_log_times(struct record *rec);
void apply_log_debug_trace(struct record *rec);
