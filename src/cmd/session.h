/*
 * session: what every command does around its own work: threads, progress, loading, complaints.
 */
#pragma once

#include "analysis/answers/answers.h"
#include "cmd/cmd.h"
#include "load/load.h"
#include "output/text/text.h"
#include "redact/redact_run.h"
#include "view/view.h"

struct session {
    const struct options *options;
    struct pool *pool;
    struct pool *alone; /* a pool of this thread, where one is needed */
    struct run *run;
    struct redactor *redactor;  /* NULL when nothing is to be replaced */
    const char *const *command; /* as given, for reports, or what is left of it */
    struct arena *arena;        /* of the answers */
    struct answers answers;
};

/* Loads `paths` and makes the answers. 0, or the exit status after a complaint. Call session_end in either case. */
int session_begin(struct session *s, const struct options *o, const char *const *paths, size_t n,
                  const struct trace_options *trace);
/* ... and of them only a rank or an epoch. */
int session_begin_part(struct session *s, const struct options *o, const char *path, struct run_part *part);
void session_end(struct session *s);
struct follow;
/* The same, in a copy of the process, of files that are being written. EXIT_NOTHING while there is nothing, without a
 * word. */
int session_follow(struct session *s, const struct options *o, struct follow *follow);
/*
 * Loads them for a digest: s->run holds the inputs as they were read. 0, or the exit status after a complaint;
 * EXIT_NOTHING when there is nothing in them.
 */
int session_read(struct session *s, const struct options *o, const struct trace_options *trace);

/* Of what session_read loaded: with --redact or --skeleton replaces names, paths and texts. */
void session_redact_inputs(struct session *s);

/* What reports say of themselves. */
struct about session_about(const struct session *s);

/* After the output: writes the file of --redact-map, if it was asked for. EXIT_IO after a complaint. */
int session_write_map(const struct session *s);

/*
 * The end of a command whose status is rc so far: after EXIT_DONE writes the file of --redact-map and takes the status
 * of the session; then session_end. The exit status.
 */
int session_finish(struct session *s, int rc);

/* The exit status of a command that worked: EXIT_IO when an input failed, EXIT_FOUND where --strict asks for it. */
int session_status(const struct session *s);

/*
 * The threads that may read payloads back: one alone where they are redacted, as placeholders are numbered in the order
 * in which they are met.
 */
struct pool *session_output_pool(struct session *s);

/* Writes what is in t to where the summary goes; EXIT_IO when that is standard output and fails. */
int session_print(const struct session *s, struct text *t);

/* An empty text for that, with its width and colors. */
struct text session_text(const struct session *s);

/* A whole command: reads the PATHs and prints, but with -q, what `write` makes of the answers. The exit status. */
int session_summarize(const struct options *o, void (*write)(struct text *t, const struct answers *answers));
