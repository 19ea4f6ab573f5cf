/*
 * pt2trace: what it finds in traces and logs of torch.compile, for programs: libpt2trace.
 *
 *     const char *paths[] = {"/tmp/trace"};
 *     struct pt2trace *t = pt2trace_open(paths, 1, 0);
 *     const struct pt2trace_value *findings = pt2trace_get(t, "findings");
 *
 *     if (pt2trace_error(t))
 *         fprintf(stderr, "%s\n", pt2trace_error(t));
 *     for (size_t i = 0; i < pt2trace_size(findings); i++)
 *         puts(pt2trace_text(pt2trace_member(pt2trace_at(findings, i), "title")));
 *     pt2trace_close(t);
 *
 * The facts are those of report.json, whose schema (schema/report.schema.json) says what each means. What the trace
 * does not say is null. Values and texts live until pt2trace_close.
 *
 * Link with `pkg-config --libs libpt2trace`. One thread at a time may be in this library. It prints nothing, handles no
 * signals, and changes no setting of the process; it starts threads, which end before a call returns. Where memory
 * cannot be had, the process ends.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What was read. */
struct pt2trace;
/* A value in it: an object, a list, a text, a number, true, false or null. NULL stands for one that is not there. */
struct pt2trace_value;

/* "0.2.0" */
const char *pt2trace_version(void);

enum pt2trace_flags {
    PT2TRACE_LATEST = 1, /* only the newest run of the job */
    PT2TRACE_VERIFY = 2, /* check the digests of all payloads */
    PT2TRACE_REDACT = 4, /* replace names, paths and texts by placeholders */
};

/*
 * Reads what the paths stand for: directories, traces, logs, digests, or one report.json. Never NULL: whether it worked
 * is what pt2trace_error says. To be closed in either case.
 */
struct pt2trace *pt2trace_open(const char *const *paths, size_t n, unsigned flags);
void pt2trace_close(struct pt2trace *t); /* NULL is fine */

/* Why the last call of pt2trace_open or pt2trace_query failed, for people; NULL when it did not. Until the next call.
 */
const char *pt2trace_error(const struct pt2trace *t);

/* --- iterate ------------------------------------------------------------------------------------------------------ */

enum pt2trace_type {
    PT2TRACE_MISSING, /* there is no such value */
    PT2TRACE_NULL,    /* it is not known */
    PT2TRACE_BOOL,
    PT2TRACE_INTEGER,
    PT2TRACE_REAL,
    PT2TRACE_TEXT,
    PT2TRACE_LIST,
    PT2TRACE_OBJECT,
};

/* By keys and positions with dots between them: "totals.graph_breaks", "findings.0.title". "" is everything. */
const struct pt2trace_value *pt2trace_get(const struct pt2trace *t, const char *path);
/* The same within a value. */
const struct pt2trace_value *pt2trace_member(const struct pt2trace_value *v, const char *path);

enum pt2trace_type pt2trace_type(const struct pt2trace_value *v);

/* Of a list or an object, how many values are in it, each of them, and the keys of an object. */
size_t pt2trace_size(const struct pt2trace_value *v);
const struct pt2trace_value *pt2trace_at(const struct pt2trace_value *v, size_t i);
const char *pt2trace_key(const struct pt2trace_value *v, size_t i);

/* What a value is, or where it is of another type, the one given: "" of texts. */
const char *pt2trace_text(const struct pt2trace_value *v);
int64_t pt2trace_integer(const struct pt2trace_value *v, int64_t otherwise);
double pt2trace_real(const struct pt2trace_value *v, double otherwise); /* of integers, too */
int pt2trace_bool(const struct pt2trace_value *v, int otherwise);

/* --- JSON, SQL ---------------------------------------------------------------------------------------------------- */

/* A value as JSON; NULL of none. To be given to pt2trace_free. */
char *pt2trace_json(const struct pt2trace_value *v);
void pt2trace_free(char *json);

/*
 * Runs one SELECT on the tables that `pt2trace export --format sqlite` writes, and calls `row` with each row of its
 * result, an object by the names of its columns, which lives as long as the call; until it returns 0. Returns 0, or -1
 * with pt2trace_error.
 */
int pt2trace_query(struct pt2trace *t, const char *sql, int (*row)(void *object, const struct pt2trace_value *row),
                   void *object);

#ifdef __cplusplus
}
#endif
