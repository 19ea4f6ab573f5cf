/* session: what every command does around its own work: threads, progress, loading, error messages. */
#pragma once

#include "analysis/answers/answers.h"
#include "analysis/code/kernels.h"
#include "cmd/command.h"
#include "cmd/options.h"
#include "load/load.h"
#include "output/text/text.h"
#include "redact/redact_run.h"
#include "view/view.h"

struct session {
    const struct options *options;
    struct pool *pool;
    struct pool *alone; /* a pool with only this thread, if one is needed */
    struct run *run;
    struct redactor *redactor;  /* NULL if nothing is redacted */
    const char *const *command; /* as given, for reports, or redacted */
    struct arena *arena;        /* holds the answers */
    struct answers answers;
    struct kernel_store kernels; /* for report_write */
};

/*
 * Loads `paths` and makes the answers. 0, or the exit status after an error message. Call session_end in either case.
 */
int session_begin(struct session *s, const struct options *o, const char *const *paths, size_t n,
                  const struct trace_options *trace);
/* ... for a report: other threads read the output code meanwhile. */
int session_begin_report(struct session *s, const struct options *o, const char *const *paths, size_t n,
                         const struct trace_options *trace);
/* ... for a gate, which a text that only names PyTorch does not pass: nothing ran in it. */
int session_begin_gate(struct session *s, const struct options *o, const char *path, const struct trace_options *trace);
/* ... of one rank or epoch only. */
int session_begin_part(struct session *s, const struct options *o, const char *path, struct run_part *part);
void session_end(struct session *s);
struct follow;
/*
 * The same, in a forked copy of the process, for files that are still being written. EXIT_NOTHING, without a message,
 * while there is nothing.
 */
int session_follow(struct session *s, const struct options *o, struct follow *follow);
/*
 * Loads them for a digest: s->run then has the unmerged inputs. 0, or the exit status after an error message;
 * EXIT_NOTHING if they contain nothing.
 */
int session_read(struct session *s, const struct options *o, const struct trace_options *trace);

/* For what session_read loaded: applies --redact or --skeleton. */
void session_redact_inputs(struct session *s);

/* The facts about the report itself. */
struct about session_about(const struct session *s);

/* Call it after the output: writes the file of --redact-map, if requested. EXIT_IO after an error message. */
int session_write_map(const struct session *s);

/*
 * Ends a command whose status so far is rc: after EXIT_DONE writes the file of --redact-map and uses the status of the
 * session; then calls session_end. Returns the exit status.
 */
int session_finish(struct session *s, int rc);

/* The exit status of a command that worked: EXIT_IO if an input failed, EXIT_FOUND if --strict requires it. */
int session_status(const struct session *s);

/*
 * The threads that may read payloads back: only one if payloads are redacted, because placeholders are numbered in the
 * order in which they are met.
 */
struct pool *session_output_pool(struct session *s);

/* Writes t to the summary's destination; EXIT_IO if that is standard output and writing fails. */
int session_print(const struct session *s, struct text *t);

/* An empty text for that destination, with its width and colors. */
struct text session_text(const struct session *s);

/*
 * A whole command: reads the PATHs and, unless -q is given, prints what `write` makes of the answers. Returns the exit
 * status.
 */
int session_summarize(const struct options *o, void (*write)(struct text *t, const struct answers *answers));
