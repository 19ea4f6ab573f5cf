/*
 * join_flights: whose Flight Recorder a dump is of. A dump has a rank and times, but no process id, and its times are
 * those of collectives, which go on long after the last compile. One thread; part of run_finish.
 */
#pragma once

#include "model/model.h"

/* Takes the processes that are nothing but a dump out of r->processes, and gives them to r->dumps. */
void flights_set_aside(struct run *r);

/*
 * Once r->processes have their groups: gives each of r->dumps the groups of the run in which it was made, the last that
 * began before it. Which of several jobs of that time it is follows from its world size and stacks; else a message says
 * that they do not.
 */
void flights_find_groups(struct run *r);

/*
 * After that: dumps complete the process of their rank that compiled most. Where the rank has none, its first dump
 * stands for the process, and comes back into r->processes.
 */
void join_flights(struct run *r);
