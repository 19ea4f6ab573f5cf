/*
 * facts: the facts of a PATH of check and diff, whether it is a trace, a log, a digest or a report.json. One thread.
 */
#pragma once

#include "cmd/session.h"
#include "gate/snapshot.h"

/*
 * Reads `path`. EXIT_DONE, or the exit status after a complaint. Call session_end and snapshot_free in either case; the
 * session of a report.json has no run, only an arena.
 */
int facts_begin(const struct options *o, const char *path, struct session *s, struct snapshot *out);
/* ... of a part of it, which a report.json cannot be asked for. */
int facts_of_part(const struct options *o, const char *path, struct run_part *part, struct session *s,
                  struct snapshot *out);

/* A report.json. EXIT_DONE, or the exit status after a complaint. */
int facts_of_report(const char *path, struct arena *a, struct snapshot *out);

/* Of what session_begin loaded: by way of the report that would be written of it. As facts_begin. */
int facts_of_session(struct session *s, struct snapshot *out);

/* Writes a text to a file, or to standard output for "-". EXIT_DONE, or EXIT_IO after a complaint. */
int facts_write(const char *path, struct str text);
