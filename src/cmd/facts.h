/*
 * facts: the facts of a PATH for check and diff, whether it is a trace, a log, a digest or a report.json. One thread.
 */
#pragma once

#include "cmd/session.h"
#include "gate/snapshot.h"

/*
 * Reads `path`. EXIT_DONE, or the exit status after an error message. Call session_end and snapshot_free in either
 * case; for a report.json, the session has no run, only an arena.
 */
int facts_begin(const struct options *o, const char *path, struct session *s, struct snapshot *out);
/* ... of part of it, which a report.json does not allow. */
int facts_of_part(const struct options *o, const char *path, struct run_part *part, struct session *s,
                  struct snapshot *out);

/* Reads a report.json. EXIT_DONE, or the exit status after an error message. */
int facts_of_report(const char *path, struct arena *a, struct snapshot *out);

/* The facts of what session_begin loaded, from the report that would be written. Returns the same as facts_begin. */
int facts_of_session(struct session *s, struct snapshot *out);

/* Writes a text to a file, or to standard output for "-". EXIT_DONE, or EXIT_IO after an error message. */
int facts_write(const char *path, struct str text);
