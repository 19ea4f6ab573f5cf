/*
 * metrics_text: reads the metrics of one compile as Python prints them (torch/_dynamo/utils.py, 2.2 and later; programs
 * print what get_compilation_metrics() returns):
 *
 *   CompilationMetrics(compile_id='0/0', co_name='f', entire_frame_compile_time_s=7.9, fail_type=None, ...)
 *
 * Any thread.
 */
#pragma once

#include "util/arena.h"

/* How such a text begins, up to its first field. */
extern const struct str metrics_text_begin;

/* "0/0", a view; empty if the text does not say. */
struct str metrics_text_id(struct str text);

/* The fields as a JSON object, in the arena; a set is a list, and a value of another type is its text. */
struct str metrics_text_json(struct arena *a, struct str text);
