#include "digest/fields.h"

#include "input/limits.h"

#define MEMBER(S, f) ((struct S *)NULL)->f

/* Rows. S is the struct, f its field. */
#define ROW(S, f, ...)                                                                                                 \
    {                                                                                                                  \
        .name = #f, .offset = offsetof(struct S, f), .size = sizeof(MEMBER(S, f)), .kind = __VA_ARGS__                 \
    }
#define NUMBER(S, f) ROW(S, f, FIELD_NUMBER, .most = UINT64_MAX)
#define UP_TO(S, f, limit) ROW(S, f, FIELD_NUMBER, .most = (limit))
#define FLAG(S, f) UP_TO(S, f, 1)
#define ONE_OF(S, f, count) UP_TO(S, f, (count) - 1)
#define RISING(S, f) ROW(S, f, FIELD_NUMBER, .most = UINT64_MAX, .flags = FIELD_RISING)
#define SIGNED(S, f) ROW(S, f, FIELD_SIGNED, .least = INT64_MIN, .most = INT64_MAX)
#define BETWEEN(S, f, low, high) ROW(S, f, FIELD_SIGNED, .least = (low), .most = (high))
/* A time in µs: sums and differences of two stay in range. */
#define TIME(S, f) BETWEEN(S, f, -LATEST_US, LATEST_US)
#define TEXT(S, f) ROW(S, f, FIELD_TEXT)
#define NEEDED_TEXT(S, f) ROW(S, f, FIELD_TEXT, .flags = FIELD_NEEDED)
#define RAW_TEXT(S, f) ROW(S, f, FIELD_TEXT, .flags = FIELD_RAW)
#define BYTES(S, f) ROW(S, f, FIELD_BYTES)
#define PART(S, f, s) ROW(S, f, FIELD_STRUCT, .shape = &(s))
#define OWNED(S, f, s) ROW(S, f, FIELD_OWNED, .shape = &(s))
#define POINTER(S, f, to) ROW(S, f, FIELD_POINTER, .points_to = (to))
#define NEEDED_POINTER(S, f, to) ROW(S, f, FIELD_POINTER, .points_to = (to), .flags = FIELD_NEEDED)
#define LEFT_OUT(S, f, why) ROW(S, f, FIELD_LEFT_OUT)

/* Lists of them. */
#define LIST_ROW(S, f, ...)                                                                                            \
    {                                                                                                                  \
        .name = #f, .many = FIELD_LIST, .offset = offsetof(struct S, f), .size = sizeof *MEMBER(S, f).v,               \
        .kind = __VA_ARGS__                                                                                            \
    }
#define NUMBERS(S, f) LIST_ROW(S, f, FIELD_NUMBER, .most = UINT64_MAX)
#define SIGNED_NUMBERS(S, f) LIST_ROW(S, f, FIELD_SIGNED, .least = INT64_MIN, .most = INT64_MAX)
#define TEXTS(S, f) LIST_ROW(S, f, FIELD_TEXT)
#define RAW_TEXTS(S, f) LIST_ROW(S, f, FIELD_TEXT, .flags = FIELD_RAW)
#define PARTS(S, f, s) LIST_ROW(S, f, FIELD_STRUCT, .shape = &(s))
#define OWNED_LIST(S, f, s) LIST_ROW(S, f, FIELD_OWNED, .shape = &(s), .flags = FIELD_NEEDED)
#define POINTERS(S, f, to) LIST_ROW(S, f, FIELD_POINTER, .points_to = (to), .flags = FIELD_NEEDED)

/* Arrays. */
#define ARRAY_ROW(S, f, ...)                                                                                           \
    {                                                                                                                  \
        .name = #f, .many = FIELD_ARRAY, .offset = offsetof(struct S, f), .size = sizeof MEMBER(S, f)[0],              \
        .count = sizeof MEMBER(S, f) / sizeof MEMBER(S, f)[0], .kind = __VA_ARGS__                                     \
    }

#define SHAPE_OF(S, variable, class)                                                                                   \
    const struct shape variable = {#S, sizeof(struct S), S##_fields, sizeof S##_fields / sizeof *S##_fields, class}
#define SHAPE(S, class) static SHAPE_OF(S, S##_shape, class)

#define LATEST_US 1000000000000000000ll
#define LATEST_NS 9000000000000000000ll

static const struct field span_fields[] = {NUMBER(span, offset), NUMBER(span, length)};
SHAPE(span, OBJECT_NONE);

static const struct field rising_span_fields[] = {RISING(span, offset), NUMBER(span, length)};
static const struct shape rising_span_shape = {"span", sizeof(struct span), rising_span_fields, 2, OBJECT_NONE};

static const struct field call_fields[] = {
    POINTER(call, parent, OBJECT_CALL),
    TEXT(call, file),
    TEXT(call, function),
    TEXT(call, source),
    SIGNED(call, line),
    LEFT_OUT(call, depth, "one more than the caller's"),
    LEFT_OUT(call, index, "its place in the list"),
};
SHAPE(call, OBJECT_CALL);

static const struct field stack_tree_fields[] = {
    LEFT_OUT(stack_tree, calls, "for reading a trace"),
    LEFT_OUT(stack_tree, strings, "for reading a trace"),
    OWNED_LIST(stack_tree, all, call_shape),
};
SHAPE(stack_tree, OBJECT_NONE);

static const struct field payload_parts_fields[] = {
    NUMBERS(payload_parts, bytes),
    NUMBER(payload_parts, end),
};
SHAPE(payload_parts, OBJECT_NONE);

static const struct field payload_fields[] = {
    NUMBER(payload, offset),
    NUMBER(payload, stored),
    OWNED(payload, parts, payload_parts_shape),
    NUMBER(payload, text_bytes),
    NUMBER(payload, lines),
    NUMBER(payload, stream),
    BYTES(payload, digest),
    UP_TO(payload, flags, 2 * PAYLOAD_WITHHELD - 1),
};
SHAPE(payload, OBJECT_NONE);

static const struct field collective_call_fields[] = {
    TEXT(collective_call, op),
    TEXT(collective_call, reduction),
    TEXT(collective_call, group),
    NUMBER(collective_call, group_size),
    TEXT(collective_call, dtype),
    TEXT(collective_call, shape),
    TEXT(collective_call, file),
    SIGNED(collective_call, line),
    SIGNED(collective_call, from_line),
};
SHAPE(collective_call, OBJECT_NONE);

static const struct field artifact_content_fields[] = {
    BYTES(artifact_content, neutral),
    BYTES(artifact_content, without_sizes),
    PARTS(artifact_content, calls, collective_call_shape),
    RAW_TEXT(artifact_content, text),
    BETWEEN(artifact_content, estimated_ns, -1, LATEST_NS),
};
SHAPE(artifact_content, OBJECT_NONE);

static const struct field artifact_fields[] = {
    LEFT_OUT(artifact, input, "the one it is read with"),
    TEXT(artifact, name),
    LEFT_OUT(artifact, info, "from the catalogue, by name"),
    TEXT(artifact, kind),
    TEXT(artifact, detail),
    TEXT(artifact, subgraph),
    NEEDED_POINTER(artifact, compile, OBJECT_COMPILE),
    BETWEEN(artifact, attempt, -1, LIMIT_ATTEMPTS),
    FLAG(artifact, backward),
    LEFT_OUT(artifact, number, "its place in the list"),
    NUMBER(artifact, line),
    TIME(artifact, time_us),
    PART(artifact, record, span_shape),
    PART(artifact, payload, payload_shape),
    OWNED(artifact, content, artifact_content_shape),
};
SHAPE(artifact, OBJECT_ARTIFACT);

static const struct field graph_break_fields[] = {
    LEFT_OUT(graph_break, compile, "whose list it is in"),
    BETWEEN(graph_break, attempt, -1, LIMIT_ATTEMPTS),
    ONE_OF(graph_break, origin, BREAK_FROM_RESUME + 1),
    TEXT(graph_break, type),
    TEXT(graph_break, gb_id),
    TEXT(graph_break, reason),
    TEXT(graph_break, explanation),
    TEXT(graph_break, context),
    TEXT(graph_break, url),
    TEXTS(graph_break, hints),
    POINTER(graph_break, stack, OBJECT_CALL),
    TEXT(graph_break, file),
    SIGNED(graph_break, line),
    TEXT(graph_break, function),
    FLAG(graph_break, restarted),
    FLAG(graph_break, skips),
    POINTER(graph_break, artifact, OBJECT_ARTIFACT),
    NUMBER(graph_break, record_line),
};
SHAPE(graph_break, OBJECT_NONE);

static const struct field recompile_reason_fields[] = {
    TEXT(recompile_reason, against),
    TEXT(recompile_reason, text),
    TEXT(recompile_reason, user_stack),
};
SHAPE(recompile_reason, OBJECT_NONE);

static const struct field cudagraph_skip_fields[] = {
    TEXT(cudagraph_skip, reason),
    POINTER(cudagraph_skip, stack, OBJECT_CALL),
    NUMBER(cudagraph_skip, record_line),
};
SHAPE(cudagraph_skip, OBJECT_NONE);

static const struct field failure_fields[] = {
    LEFT_OUT(failure, compile, "whose list it is in"),
    ONE_OF(failure, where, FAILED_PLACES),
    ONE_OF(failure, part, FAILED_PARTS),
    BETWEEN(failure, attempt, -1, LIMIT_ATTEMPTS),
    TEXT(failure, type),
    TEXT(failure, message),
    TEXT(failure, beside),
    TEXT(failure, file),
    SIGNED(failure, line),
    POINTER(failure, stack, OBJECT_CALL),
    POINTER(failure, traceback, OBJECT_ARTIFACT),
    FLAG(failure, fallback),
    FLAG(failure, shown),
    FLAG(failure, passed_on),
    FLAG(failure, exporting),
    FLAG(failure, suppressed),
    NUMBER(failure, of_pid),
    NUMBER(failure, record_line),
};
SHAPE(failure, OBJECT_NONE);

static const struct field cache_event_fields[] = {
    LEFT_OUT(cache_event, compile, "whose list it is in"),
    ONE_OF(cache_event, layer, CACHE_LAYERS),
    ONE_OF(cache_event, outcome, CACHE_OUTCOMES),
    TEXT(cache_event, key),
    TEXT(cache_event, reason),
    SIGNED(cache_event, saved_us),
    POINTER(cache_event, artifact, OBJECT_ARTIFACT),
};
SHAPE(cache_event, OBJECT_NONE);

static const struct field symbol_fields[] = {
    TEXT(symbol, name),
    TEXT(symbol, source),
    TEXT(symbol, hint),
    TEXT(symbol, range),
    FLAG(symbol, unbacked),
    POINTER(symbol, user_stack, OBJECT_CALL),
    POINTER(symbol, stack, OBJECT_CALL),
    TEXT(symbol, specialized_to),
    TEXT(symbol, specialized_reason),
    POINTER(symbol, specialized_at, OBJECT_CALL),
};
SHAPE(symbol, OBJECT_NONE);

static const struct field specialization_fields[] = {
    TEXT(specialization, symbol),
    TEXT(specialization, source),
    TEXT(specialization, value),
    TEXT(specialization, reason),
    NUMBER(specialization, symbols_before),
    POINTER(specialization, user_stack, OBJECT_CALL),
    POINTER(specialization, stack, OBJECT_CALL),
};
SHAPE(specialization, OBJECT_NONE);

static const struct field shape_guard_fields[] = {
    TEXT(shape_guard, expr),
    TEXT(shape_guard, prefix),
    POINTER(shape_guard, user_stack, OBJECT_CALL),
    POINTER(shape_guard, stack, OBJECT_CALL),
};
SHAPE(shape_guard, OBJECT_NONE);

static const struct field export_local_fields[] = {TEXT(export_local, name), TEXT(export_local, value)};
SHAPE(export_local, OBJECT_NONE);

static const struct field expression_step_fields[] = {
    UP_TO(expression_step, depth, UINT32_MAX),
    TEXT(expression_step, method),
    TEXT(expression_step, arguments),
    TEXT(expression_step, result),
    POINTER(expression_step, user_stack, OBJECT_CALL),
};
SHAPE(expression_step, OBJECT_NONE);

static const struct field export_issue_fields[] = {
    ONE_OF(export_issue, kind, EXPORT_GUARD + 1),
    TEXT(export_issue, op),
    TEXT(export_issue, text),
    TEXT(export_issue, result),
    TEXT(export_issue, symbols),
    PARTS(export_issue, locals, export_local_shape),
    PARTS(export_issue, steps, expression_step_shape),
    POINTER(export_issue, user_stack, OBJECT_CALL),
    POINTER(export_issue, stack, OBJECT_CALL),
};
SHAPE(export_issue, OBJECT_NONE);

static const struct field storage_fields[] = {
    SIGNED(storage, describer),
    SIGNED(storage, id),
    TEXT(storage, size),
};
SHAPE(storage, OBJECT_NONE);

static const struct field tensor_fields[] = {
    SIGNED(tensor, describer),
    SIGNED(tensor, id),
    TEXT(tensor, dtype),
    TEXT(tensor, device),
    TEXT(tensor, shape),
    TEXT(tensor, stride),
    TEXT(tensor, source),
    TEXT(tensor, storage_size),
    SIGNED(tensor, storage),
    FLAG(tensor, requires_grad),
    FLAG(tensor, is_parameter),
    FLAG(tensor, is_view),
    FLAG(tensor, is_leaf),
};
SHAPE(tensor, OBJECT_NONE);

static const struct field link_fields[] = {TEXT(link, name), TEXT(link, url)};
SHAPE(link, OBJECT_NONE);

static const struct field metric_fields_of[] = {
    LEFT_OUT(metric, field, "from the table, by key"),
    NEEDED_TEXT(metric, key),
    ONE_OF(metric, type, METRIC_LIST + 1),
    {.name = "i", .kind = FIELD_VALUE, .offset = offsetof(struct metric, i), .size = sizeof MEMBER(metric, list)},
};
static const struct shape metric_shape = {"metric", sizeof(struct metric), metric_fields_of,
                                          sizeof metric_fields_of / sizeof *metric_fields_of, OBJECT_NONE};

static const struct field metrics_fields[] = {
    ONE_OF(metrics, kind, METRICS_KINDS),
    NUMBER(metrics, line),
    PARTS(metrics, values, metric_shape),
};
SHAPE(metrics, OBJECT_METRICS);

static const struct field compile_id_fields[] = {
    BETWEEN(compile_id, autograd, ID_NONE, LIMIT_COMPILE_NUMBER),
    BETWEEN(compile_id, frame, ID_NONE, LIMIT_COMPILE_NUMBER),
    BETWEEN(compile_id, compile, ID_NONE, LIMIT_COMPILE_NUMBER),
};
SHAPE(compile_id, OBJECT_NONE);

static const struct field frame_fields[] = {
    LEFT_OUT(frame, process, "whose list it is in"),
    NUMBER(frame, epoch),
    BETWEEN(frame, id, ID_NONE, LIMIT_COMPILE_NUMBER),
    BETWEEN(frame, autograd, ID_NONE, LIMIT_COMPILE_NUMBER),
    TEXT(frame, name),
    TEXT(frame, file),
    SIGNED(frame, line),
    LEFT_OUT(frame, label, "labels are set afterwards"),
    LEFT_OUT(frame, group, "labels are set afterwards"),
    FLAG(frame, unnumbered),
    FLAG(frame, is_resume),
    TEXT(frame, resumes),
    SIGNED(frame, resumes_line),
    LEFT_OUT(frame, origin, "run_finish sets it"),
    POINTERS(frame, compiles, OBJECT_COMPILE),
};
SHAPE(frame, OBJECT_FRAME);

static const struct field compile_fields[] = {
    LEFT_OUT(compile, process, "whose list it is in"),
    POINTER(compile, frame, OBJECT_FRAME),
    PART(compile, id, compile_id_shape),
    NUMBER(compile, epoch),
    LEFT_OUT(compile, index, "its place in the list"),
    ONE_OF(compile, status, STATUS_COUNT),
    BETWEEN(compile, attempts, 1, LIMIT_ATTEMPTS + 1),
    ONE_OF(compile, start, START_ANEW + 1),
    FLAG(compile, started),
    FLAG(compile, ended),
    FLAG(compile, guards_seen),
    NUMBER(compile, guards_listed),
    FLAG(compile, has_events),
    FLAG(compile, backward),
    FLAG(compile, limit_hit),
    TEXT(compile, limit_told),
    TIME(compile, first_us),
    TIME(compile, last_us),
    POINTER(compile, stack, OBJECT_CALL),
    POINTERS(compile, stacks, OBJECT_CALL),
    LEFT_OUT(compile, within, "run_finish sets it"),
    POINTERS(compile, artifacts, OBJECT_ARTIFACT),
    OWNED_LIST(compile, breaks, graph_break_shape),
    PARTS(compile, reasons, recompile_reason_shape),
    TEXTS(compile, restart_reasons),
    PARTS(compile, cudagraph_skips, cudagraph_skip_shape),
    OWNED_LIST(compile, failures, failure_shape),
    PARTS(compile, cache_events, cache_event_shape),
    PARTS(compile, symbols, symbol_shape),
    PARTS(compile, specializations, specialization_shape),
    PARTS(compile, shape_guards, shape_guard_shape),
    PARTS(compile, export_issues, export_issue_shape),
    PARTS(compile, tensors, tensor_shape),
    PARTS(compile, storages, storage_shape),
    PARTS(compile, links, link_shape),
    OWNED_LIST(compile, metrics, metrics_shape),
    NUMBERS(compile, aot_ids),
    ARRAY_ROW(compile, newest_metrics, FIELD_POINTER, .points_to = OBJECT_METRICS),
    NUMBER(compile, expressions),
};
SHAPE(compile, OBJECT_COMPILE);

static const struct field event_fields[] = {
    TEXT(event, name),
    ROW(event, start_ns, FIELD_SIGNED, .least = 0, .most = LATEST_NS, .flags = FIELD_RISING),
    BETWEEN(event, duration_ns, 0, LATEST_NS),
    POINTER(event, compile, OBJECT_COMPILE),
    NUMBER(event, depth),
    UP_TO(event, flags, EVENT_INSTANT | EVENT_UNFINISHED | EVENT_ORPHAN),
    NUMBER(event, payload_flags),
    NUMBER(event, stream),
    PART(event, begin, rising_span_shape),
    PART(event, end, rising_span_shape),
};
SHAPE(event, OBJECT_NONE);

static const struct field versions_fields[] = {
    TEXT(versions, pytorch), TEXT(versions, commit), TEXT(versions, python),
    TEXT(versions, triton),  TEXT(versions, cuda),   TEXT(versions, gpu),
};
SHAPE(versions, OBJECT_NONE);

static const struct field call_times_fields[] = {TEXT(call_times, name), SIGNED_NUMBERS(call_times, each_ns)};
SHAPE(call_times, OBJECT_NONE);

static const struct field flight_op_fields[] = {
    TEXT(flight_op, backend),
    TEXT(flight_op, name),
    TEXT(flight_op, peers),
    TEXT(flight_op, in_shape),
    TEXT(flight_op, in_dtype),
    TEXT(flight_op, out_shape),
    TEXT(flight_op, out_dtype),
    NUMBER(flight_op, tensors),
};
SHAPE(flight_op, OBJECT_NONE);

static const struct field flight_group_fields[] = {
    TEXT(flight_group, backend),
    TEXT(flight_group, name),
    TEXT(flight_group, about),
    NUMBERS(flight_group, ranks),
    SIGNED(flight_group, enqueued),
    SIGNED(flight_group, completed),
};
SHAPE(flight_group, OBJECT_NONE);

static const struct field flight_entry_fields[] = {
    NUMBER(flight_entry, group),
    NUMBER(flight_entry, op),
    ONE_OF(flight_entry, state, FLIGHT_STATES),
    FLAG(flight_entry, p2p),
    NUMBER(flight_entry, number),
    BETWEEN(flight_entry, created_ns, 0, LATEST_NS),
    POINTER(flight_entry, stack, OBJECT_CALL),
};
SHAPE(flight_entry, OBJECT_NONE);

static const struct field flight_dump_fields[] = {
    TEXT(flight_dump, version),
    TEXT(flight_dump, host),
    PARTS(flight_dump, groups, flight_group_shape),
    PARTS(flight_dump, ops, flight_op_shape),
    PARTS(flight_dump, entries, flight_entry_shape),
};
SHAPE(flight_dump, OBJECT_NONE);

static const struct field process_fields[] = {
    LEFT_OUT(process, input, "the one it is read with"),
    LEFT_OUT(process, run, "run_finish sets it"),
    LEFT_OUT(process, index, "run_finish sets it"),
    LEFT_OUT(process, group, "run_finish sets it"),
    BETWEEN(process, rank, RANK_UNKNOWN, LIMIT_RANK),
    LEFT_OUT(process, world_size, "found again when it is asked for"),
    LEFT_OUT(process, rank_is_shared, "run_finish sets it"),
    NUMBER(process, pid),
    FLAG(process, pid_is_thread),
    LEFT_OUT(process, joined, "run_finish sets it"),
    POINTER(process, parent, OBJECT_PROCESS),
    PART(process, versions, versions_shape),
    BETWEEN(process, version_by_places, 0, 1000 * 1000),
    TIME(process, first_us),
    TIME(process, last_us),
    TIME(process, zone_us),
    FLAG(process, zone_known),
    NUMBER(process, epochs),
    ROW(process, strings, FIELD_STRINGS),
    FLAG(process, build_seen),
    FLAG(process, guards_told),
    FLAG(process, only_warned),
    FLAG(process, strings_missing),
    OWNED_LIST(process, frames, frame_shape),
    OWNED_LIST(process, compiles, compile_shape),
    PARTS(process, events, event_shape),
    ROW(process, unattributed, FIELD_OWNED, .shape = &compile_shape, .flags = FIELD_NEEDED),
    NUMBER(process, explained_graphs),
    PARTS(process, times, call_times_shape),
    LEFT_OUT(process, times_by_name, "for reading a log"),
    OWNED_LIST(process, flights, flight_dump_shape),
    NUMBER(process, records),
};
SHAPE(process, OBJECT_PROCESS);

static const struct field gpu_activity_fields[] = {
    ROW(gpu_activity, start_ns, FIELD_SIGNED, .least = 0, .most = GPU_LATEST_NS, .flags = FIELD_RISING),
    BETWEEN(gpu_activity, duration_ns, 0, GPU_LATEST_NS),
    NUMBER(gpu_activity, name),
    NUMBER(gpu_activity, device),
    FLAG(gpu_activity, in_graph),
};
SHAPE(gpu_activity, OBJECT_NONE);

static const struct field gpu_name_fields[] = {
    ONE_OF(gpu_name, kind, GPU_KINDS),
    TEXT(gpu_name, name),
    NUMBER(gpu_name, bytes),
};
SHAPE(gpu_name, OBJECT_NONE);

static const struct field gpu_region_fields[] = {
    PART(gpu_region, id, compile_id_shape),
    NUMBER(gpu_region, calls),
    BETWEEN(gpu_region, first_start_ns, INT64_MIN, INT64_MAX),
    BETWEEN(gpu_region, first_ns, 0, GPU_LATEST_NS),
    BETWEEN(gpu_region, all_ns, 0, INT64_MAX),
};
SHAPE(gpu_region, OBJECT_NONE);

static const struct field gpu_process_fields[] = {
    TEXT(gpu_process, tool),
    TEXT(gpu_process, host),
    TEXT(gpu_process, program),
    NUMBER(gpu_process, pid),
    BETWEEN(gpu_process, rank, RANK_UNKNOWN, LIMIT_RANK),
    TEXT(gpu_process, ended),
    BETWEEN(gpu_process, ended_ns, 0, INT64_MAX),
    NUMBER(gpu_process, lost),
    NUMBER(gpu_process, untold),
    PARTS(gpu_process, names, gpu_name_shape),
    PARTS(gpu_process, activities, gpu_activity_shape),
    PARTS(gpu_process, regions, gpu_region_shape),
    LEFT_OUT(gpu_process, process, "run_finish sets it"),
};
SHAPE(gpu_process, OBJECT_NONE);

static const struct field gpu_user_fields[] = {
    NUMBER(gpu_user, pid),
    SIGNED(gpu_user, memory),
    TEXT(gpu_user, name),
};
SHAPE(gpu_user, OBJECT_NONE);

static const struct field gpu_device_fields[] = {
    SIGNED(gpu_device, index),
    TEXT(gpu_device, name),
    TEXT(gpu_device, uuid),
    TEXT(gpu_device, capability),
    TEXT(gpu_device, driver),
    TEXT(gpu_device, cuda),
    TEXT(gpu_device, runtime),
    SIGNED(gpu_device, memory_total),
    SIGNED(gpu_device, memory_free),
    SIGNED(gpu_device, processors),
    SIGNED(gpu_device, clock_mhz),
    SIGNED(gpu_device, clock_most_mhz),
    SIGNED(gpu_device, memory_clock_mhz),
    SIGNED(gpu_device, memory_clock_most_mhz),
    SIGNED(gpu_device, bus_bits),
    SIGNED(gpu_device, temperature_c),
    SIGNED(gpu_device, power_mw),
    SIGNED(gpu_device, power_limit_mw),
    SIGNED(gpu_device, utilization),
    SIGNED(gpu_device, ecc_errors),
    TEXT(gpu_device, mig),
    TEXT(gpu_device, compute_mode),
    TEXTS(gpu_device, throttled),
    PARTS(gpu_device, users, gpu_user_shape),
};
SHAPE(gpu_device, OBJECT_NONE);

static const struct field totals_fields[] = {
    NUMBER(totals, records),       NUMBER(totals, unknown_records), NUMBER(totals, payloads),
    NUMBER(totals, payload_bytes), NUMBER(totals, bad_payloads),    NUMBER(totals, strings),
    NUMBER(totals, chromium_events),
};
SHAPE(totals, OBJECT_NONE);

static const struct field message_fields[] = {
    ONE_OF(message, code, MSG_COUNT),
    RAW_TEXT(message, file),
    NUMBER(message, line),
    TEXT(message, text),
    NUMBER(message, count),
};
SHAPE(message, OBJECT_NONE);

static const struct field messages_fields[] = {
    LEFT_OUT(messages, arena, "the input's"),
    LEFT_OUT(messages, file, "the input's path"),
    PARTS(messages, list, message_shape),
    ARRAY_ROW(messages, counts, FIELD_NUMBER, .most = UINT64_MAX),
};
SHAPE(messages, OBJECT_NONE);

static const struct field source_fields[] = {
    LEFT_OUT(source, path, "set when it is opened"),
    NUMBER(source, bytes),
    NUMBER(source, read_bytes),
    SIGNED(source, mtime_s),
    FLAG(source, gzip),
    FLAG(source, gzip_damaged),
    FLAG(source, bomb),
    LEFT_OUT(source, fd, "set when it is opened"),
    LEFT_OUT(source, device, "set when it is opened"),
    LEFT_OUT(source, inode, "set when it is opened"),
    LEFT_OUT(source, tail, "of a file that is being written"),
    LEFT_OUT(source, tail_n, "of a file that is being written"),
    LEFT_OUT(source, held, "whether this process holds the file open"),
    LEFT_OUT(source, spill, "set when it is opened"),
    BETWEEN(source, error, INT32_MIN, 0),
    FLAG(source, spill_failed),
    LEFT_OUT(source, gunzip, "while it is read"),
    LEFT_OUT(source, stored_at, "while it is read"),
    LEFT_OUT(source, again_at, "while it is read"),
    LEFT_OUT(source, again, "while it is read"),
    FLAG(source, replaced),
    LEFT_OUT(source, progress, "while it is read"),
};
SHAPE(source, OBJECT_NONE);

static const struct field env_setting_fields[] = {
    TEXT(env_setting, name),
    RAW_TEXT(env_setting, value),
    FLAG(env_setting, unset),
};
SHAPE(env_setting, OBJECT_NONE);

static const struct field trial_check_fields[] = {
    TEXT(trial_check, what),
    ONE_OF(trial_check, outcome, CHECK_OUTCOMES),
    TEXT(trial_check, detail),
};
SHAPE(trial_check, OBJECT_NONE);

static const struct field trial_change_fields[] = {
    FLAG(trial_change, gone),
    TEXT(trial_change, kind),
    TEXT(trial_change, text),
};
SHAPE(trial_change, OBJECT_NONE);

#define UNKNOWN_OR_MORE(S, f) BETWEEN(S, f, -1, INT64_MAX)

static const struct field trial_rank_fields[] = {
    UNKNOWN_OR_MORE(trial_rank, rank),
    UNKNOWN_OR_MORE(trial_rank, attempt),
    UNKNOWN_OR_MORE(trial_rank, pid),
};
SHAPE(trial_rank, OBJECT_NONE);

static const struct field trial_stack_fields[] = {
    UNKNOWN_OR_MORE(trial_stack, pid),
    TEXT(trial_stack, text),
};
SHAPE(trial_stack, OBJECT_NONE);

static const struct field trial_fields[] = {
    TEXT(trial, name),
    TEXT(trial, how),
    TEXT(trial, command),
    PARTS(trial, environment, env_setting_shape),
    TEXT(trial, python),
    TEXT(trial, torch),
    TEXT(trial, end),
    UNKNOWN_OR_MORE(trial, status),
    UNKNOWN_OR_MORE(trial, signal),
    BETWEEN(trial, start_us, -1, LATEST_US),
    BETWEEN(trial, wall_us, -1, LATEST_US),
    UNKNOWN_OR_MORE(trial, pid),
    PARTS(trial, ranks, trial_rank_shape),
    UNKNOWN_OR_MORE(trial, peak_bytes),
    UNKNOWN_OR_MORE(trial, oom_kills),
    FLAG(trial, fresh_caches),
    TEXT(trial, not_applied),
    PARTS(trial, stacks, trial_stack_shape),
    FLAG(trial, failed),
    FLAG(trial, traced),
    UNKNOWN_OR_MORE(trial, compiles),
    UNKNOWN_OR_MORE(trial, graph_breaks),
    UNKNOWN_OR_MORE(trial, recompiles),
    UNKNOWN_OR_MORE(trial, errors),
    BETWEEN(trial, compile_us, -1, LATEST_US),
    BETWEEN(trial, gpu_us, -1, INT64_MAX),
    BETWEEN(trial, calls_us, -1, INT64_MAX),
    TEXT(trial, error),
    TEXT(trial, stage),
    PARTS(trial, checks, trial_check_shape),
    PARTS(trial, changes, trial_change_shape),
};
SHAPE(trial, OBJECT_NONE);

static const struct field fix_fields[] = {
    TEXT(fix, finding),
    TEXT(fix, title),
    TEXT(fix, kind),
    TEXT(fix, text),
    TEXT(fix, file),
    BETWEEN(fix, line, 0, INT64_MAX),
    ONE_OF(fix, outcome, FIX_OUTCOMES),
    TEXT(fix, measured),
    TEXT(fix, trial),
    FLAG(fix, compared),
    FLAG(fix, chosen),
};
SHAPE(fix, OBJECT_NONE);

static const struct field experiment_fields[] = {
    TEXT(experiment, question),
    TEXT(experiment, command),
    TEXT(experiment, directory),
    TEXT(experiment, python),
    TEXT(experiment, python_version),
    TEXT(experiment, torch),
    TEXT(experiment, cuda),
    TEXT(experiment, workload_file),
    TEXT(experiment, workload),
    TEXT(experiment, program),
    TEXT(experiment, procedure),
    PARTS(experiment, fixes, fix_shape),
    TEXT(experiment, patch),
    TEXTS(experiment, conclusions),
    TEXTS(experiment, notes),
    LEFT_OUT(experiment, devices, "the input's"),
    PARTS(experiment, trials, trial_shape),
};
SHAPE(experiment, OBJECT_NONE);

static const struct field input_fields[] = {
    RAW_TEXT(input, path),
    LEFT_OUT(input, index, "run_finish sets it"),
    ONE_OF(input, kind, INPUT_OTHER + 1),
    FLAG(input, used),
    FLAG(input, measured),
    FLAG(input, read),
    RAW_TEXT(input, why_not),
    FLAG(input, needed),
    RAW_TEXT(input, failure),
    PART(input, source, source_shape),
    LEFT_OUT(input, arena, "a new one"),
    PART(input, messages, messages_shape),
    PART(input, totals, totals_shape),
    FLAG(input, digests_checked),
    LEFT_OUT(input, name_rank, "follows from the path"),
    LEFT_OUT(input, of_one_process, "follows from the path"),
    LEFT_OUT(input, of_console, "follows from the path"),
    LEFT_OUT(input, file, "follows from the path"),
    NUMBER(input, console_pid),
    ROW(input, kinds, FIELD_KINDS),
    PART(input, stacks, stack_tree_shape),
    OWNED_LIST(input, processes, process_shape),
    OWNED_LIST(input, artifacts, artifact_shape),
    OWNED_LIST(input, gpus, gpu_process_shape),
    PARTS(input, devices, gpu_device_shape),
    RAW_TEXTS(input, stream_keys),
    RAW_TEXT(input, known_prefix),
    FLAG(input, lines_timed),
    NUMBER(input, log_lines),
    NUMBER(input, log_lines_understood),
    RAW_TEXT(input, full_path),
    BYTES(input, content),
    LEFT_OUT(input, of_digest, "true for what is read from one"),
    OWNED(input, experiment, experiment_shape),
    LEFT_OUT(input, filter, "redaction sets it"),
};
SHAPE_OF(input, input_shape, OBJECT_NONE);

static const struct shape *const shapes[] = {
    &input_shape,        &process_shape,     &frame_shape,          &compile_shape,     &artifact_shape,
    &payload_shape,      &payload_parts_shape, &span_shape,         &rising_span_shape, &call_shape,
    &stack_tree_shape,   &graph_break_shape, &recompile_reason_shape, &cudagraph_skip_shape, &failure_shape,
    &cache_event_shape,  &symbol_shape,      &specialization_shape, &shape_guard_shape, &export_issue_shape,
    &export_local_shape, &expression_step_shape,
    &storage_shape,      &tensor_shape,      &link_shape,           &metric_shape,      &metrics_shape,
    &compile_id_shape,   &event_shape,       &versions_shape,       &call_times_shape,  &totals_shape,
    &message_shape,      &messages_shape,    &source_shape,         &collective_call_shape, &artifact_content_shape,
    &env_setting_shape, &trial_check_shape, &trial_change_shape, &trial_rank_shape,
    &trial_stack_shape, &trial_shape,        &experiment_shape,
    &gpu_region_shape,
    &gpu_process_shape,  &gpu_name_shape,    &gpu_activity_shape,   &gpu_device_shape,  &gpu_user_shape,
    &flight_dump_shape,  &flight_group_shape, &flight_op_shape,     &flight_entry_shape,
};

const struct shape *shape_at(size_t i)
{
    return i < sizeof shapes / sizeof *shapes ? shapes[i] : NULL;
}

static size_t least_bytes_of(const struct field *f)
{
    switch (f->kind) {
    case FIELD_LEFT_OUT:
        return 0;
    case FIELD_BYTES:
        return f->size;
    case FIELD_STRUCT:
        return shape_least_bytes(f->shape);
    default:
        return 1;
    }
}

size_t shape_least_bytes(const struct shape *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->field_count; i++)
        n += s->fields[i].many == FIELD_LIST    ? 1
             : s->fields[i].many == FIELD_ARRAY ? s->fields[i].count * least_bytes_of(&s->fields[i])
                                                : least_bytes_of(&s->fields[i]);
    return n;
}

uint64_t field_number(const struct field *f, const void *p)
{
    bool has_sign = f->kind == FIELD_SIGNED;
    union {
        uint8_t of_1;
        uint16_t of_2;
        uint32_t of_4;
        uint64_t of_8;
    } n = {.of_8 = 0};

    memcpy(&n, p, f->size);
    switch (f->size) {
    case 1:
        return has_sign ? (uint64_t)(int8_t)n.of_1 : n.of_1;
    case 2:
        return has_sign ? (uint64_t)(int16_t)n.of_2 : n.of_2;
    case 4:
        return has_sign ? (uint64_t)(int32_t)n.of_4 : n.of_4;
    default:
        return n.of_8;
    }
}

void field_set_number(const struct field *f, void *p, uint64_t n)
{
    uint8_t of_1 = (uint8_t)n;
    uint16_t of_2 = (uint16_t)n;
    uint32_t of_4 = (uint32_t)n;

    memcpy(p, f->size == 1 ? (void *)&of_1 : f->size == 2 ? (void *)&of_2 : f->size == 4 ? (void *)&of_4 : &n, f->size);
}

/* FNV-1a */
static uint32_t mix(uint32_t hash, const void *p, size_t n)
{
    for (const unsigned char *c = p; n; n--, c++)
        hash = (hash ^ *c) * 16777619u;
    return hash;
}

/* Whatever changes how the bytes of a digest are to be understood. */
static uint32_t mix_field(uint32_t hash, const struct field *f)
{
    const uint64_t facts[] = {f->kind,           f->many, f->flags,
                              f->count,          (uint64_t)f->least, f->most,
                              (uint64_t)f->points_to, f->shape ? f->shape->field_count : 0};

    hash = mix(hash, f->name, strlen(f->name));
    hash = f->shape ? mix(hash, f->shape->name, strlen(f->shape->name)) : hash;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        for (int shift = 0; shift < 64; shift += 8)
            hash = mix(hash, &(unsigned char){(unsigned char)(facts[i] >> shift)}, 1);
    return hash;
}

uint32_t fields_fingerprint(void)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; shape_at(i); i++)
        for (size_t k = 0; k < shapes[i]->field_count; k++)
            hash = mix_field(hash, &shapes[i]->fields[k]);
    for (int code = 0; code < MSG_COUNT; code++)
        hash = mix(hash, message_infos[code].key, strlen(message_infos[code].key));
    return hash;
}
