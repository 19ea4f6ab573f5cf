/*
 * shell_death: what shells, CI, IDEs, notebooks and the C library say of a process that a signal ended, in one line.
 * Static; any thread.
 */
#pragma once

#include "util/str.h"

/* What it died of, as bash calls it ("Segmentation fault"); empty if the line says nothing of the kind. */
struct str shell_death(struct str line);

/* The same of a line that has it within other words, an exit code or a signal; or "Kernel died", of a notebook. */
struct str shell_exit(struct str line);

/* "Segmentation fault", "Bus error" or "Aborted" where the text begins with it, as behind a native stack; or empty. */
struct str shell_signal(struct str text);

/* Without the time that a CI puts before each line: "2024-05-20T14:03:01.7720493Z ". */
struct str shell_without_time(struct str line);

/* The i-th of the words that such a line has; empty after the last. */
struct str shell_words(size_t i);

/* "free(): invalid next size (fast)", "double free or corruption (out)": the C library ends the process with it. */
bool shell_is_of_heap(struct str line);
