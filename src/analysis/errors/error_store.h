/*
 * error_store: errors of the store, the rendezvous and the sockets by which processes find each other. No collective
 * has run then, so that no rank is missing in one. Any thread.
 */
#pragma once

#include "analysis/answers/errors.h"

/* Whether it is one: its message names neither a collective nor who watches them. */
bool error_store_is(const struct error *e);

/* Whether Gloo's connection of one process to another broke, which has no recorder of its collectives. */
bool error_store_is_of_gloo(const struct error *e);
