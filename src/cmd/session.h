/*
 * session: what every command does around its own work: threads, progress, loading, complaints.
 */
#pragma once

#include "analysis/answers.h"
#include "cmd/cmd.h"
#include "load/load.h"
#include "output/text.h"

struct session {
    const struct options *options;
    struct pool *pool;
    struct run *run;
    struct arena *arena;     /* of the answers */
    struct answers answers;
};

/* Loads `paths` and makes the answers. 0, or the exit status after a complaint. Call session_end in either case. */
int session_begin(struct session *s, const struct options *o, const char *const *paths, size_t n,
                  const struct trace_options *trace);
void session_end(struct session *s);

/* The exit status of a command that worked: EXIT_IO when an input failed, EXIT_FOUND where --strict asks for it. */
int session_status(const struct session *s);

/* Writes what is in t to stdout; EXIT_IO when that fails. */
int session_print(const struct session *s, struct text *t);

/* An empty text for stdout, with its width and colours. */
struct text session_text(const struct session *s);
