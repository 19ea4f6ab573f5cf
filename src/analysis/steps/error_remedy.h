/* error_remedy: the setting that a message itself names as what to do ("run with USE_LIBUV=0"). Any thread. */
#pragma once

#include "util/arena.h"
#include "util/str.h"

/*
 * "USE_LIBUV=0" of "run with USE_LIBUV=0 to disable it", "--no-till" of "please pass --no-till"; empty where the
 * message asks for nothing, or for what only prints more or hides the error. In the arena.
 */
struct str error_remedy_named(struct arena *a, struct str message);
