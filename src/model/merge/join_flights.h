/*
 * join_flights: finds the process of a Flight Recorder dump. A dump has a rank and times, but no process id, and its
 * times are those of collectives, which continue long after the last compile. One thread; part of run_finish.
 */
#pragma once

#include "model/model.h"

/* Moves the processes that consist only of a dump from r->processes to r->dumps. */
void flights_set_aside(struct run *r);

/*
 * Call it when r->processes have their groups: gives each of r->dumps the group of the run in which it was made, that
 * is, the last run that began before it. If several jobs ran at that time, world sizes and stacks decide; if they do
 * not, a message says so.
 */
void flights_find_groups(struct run *r);

/*
 * Call it after that: a dump is added to the process of its rank that compiled most. If the rank has no process, its
 * first dump becomes one and returns to r->processes.
 */
void join_flights(struct run *r);
