/*
 * break_reach: which functions are compiled by themselves because of a graph break: Python calls them, or goes on with
 * what is left of them, where otherwise they would be a part of the graph around them. Any thread.
 */
#pragma once

#include "analysis/find/find.h"

/* The first break with a finding because of which the function has a frame of its own; NULL if there is none. */
const struct graph_break *break_reach_of(const struct finder *f, const struct frame *fr);

/*
 * Python calls the function from the line of the break or from a function that Dynamo skipped for it, or the frame is
 * what is left of an inlined function after it. Otherwise the break is in code that the function runs.
 */
bool break_reach_is_direct(const struct frame *fr, const struct graph_break *b);

/* The line of the break passes the function on, and PyTorch calls it later. */
bool break_reach_hands_over(const struct frame *fr, const struct graph_break *b);

/* Python calls the function in or below the line of the break, and nothing between the two is compiled. */
bool break_reach_is_run(const struct frame *fr, const struct graph_break *b);

/* Whether one of the calls is at the line. */
bool break_reach_calls_at(const struct call *stack, const struct call *line);
