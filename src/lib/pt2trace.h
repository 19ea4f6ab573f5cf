/*
 * pt2trace: libpt2trace, the program's findings about traces and logs of torch.compile as a library.
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
 * The facts are those of report.json, whose schema (schema/report.schema.json) says what each means. A fact that the
 * trace does not record is null. Values and texts live until pt2trace_close.
 *
 * Link with `pkg-config --libs libpt2trace`. One thread at a time may be in this library. It prints nothing, handles
 * no signals, and changes no setting of the process; it starts threads, which end before a call returns. If memory
 * runs out, the process ends.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The facts of what was read. */
struct pt2trace;
/* A value among them: an object, a list, a text, a number, true, false or null. NULL stands for a missing value. */
struct pt2trace_value;

/* "0.2.0" */
const char *pt2trace_version(void);

enum pt2trace_flags {
    PT2TRACE_LATEST = 1, /* only the newest run of the job */
    PT2TRACE_VERIFY = 2, /* check the digests of all payloads */
    PT2TRACE_REDACT = 4, /* replace names, paths and texts with placeholders */
};

/*
 * Reads what the paths stand for: directories, traces, logs, digests, or one report.json. Never NULL; pt2trace_error
 * says whether it worked. Call pt2trace_close in either case.
 */
struct pt2trace *pt2trace_open(const char *const *paths, size_t n, unsigned flags);
void pt2trace_close(struct pt2trace *t); /* NULL is allowed */

/*
 * Why the last call of pt2trace_open or pt2trace_query failed, in words for people; NULL if it did not. Valid until
 * the next call.
 */
const char *pt2trace_error(const struct pt2trace *t);

/* --- iterate ------------------------------------------------------------------------------------------------------ */

enum pt2trace_type {
    PT2TRACE_MISSING, /* there is no such value */
    PT2TRACE_NULL,    /* the value is unknown */
    PT2TRACE_BOOL,
    PT2TRACE_INTEGER,
    PT2TRACE_REAL,
    PT2TRACE_TEXT,
    PT2TRACE_LIST,
    PT2TRACE_OBJECT,
};

/* A value by its path of keys and positions: "totals.graph_breaks", "findings.0.title". "" is everything. */
const struct pt2trace_value *pt2trace_get(const struct pt2trace *t, const char *path);
/* The same, starting from a value. */
const struct pt2trace_value *pt2trace_member(const struct pt2trace_value *v, const char *path);

enum pt2trace_type pt2trace_type(const struct pt2trace_value *v);

/* For a list or an object: the number of values in it, each of them, and, for an object, their keys. */
size_t pt2trace_size(const struct pt2trace_value *v);
const struct pt2trace_value *pt2trace_at(const struct pt2trace_value *v, size_t i);
const char *pt2trace_key(const struct pt2trace_value *v, size_t i);

/* The value itself, or the default given if it has another type; for texts that is "". */
const char *pt2trace_text(const struct pt2trace_value *v);
int64_t pt2trace_integer(const struct pt2trace_value *v, int64_t otherwise);
double pt2trace_real(const struct pt2trace_value *v, double otherwise); /* accepts integers, too */
int pt2trace_bool(const struct pt2trace_value *v, int otherwise);

/* --- JSON, SQL ---------------------------------------------------------------------------------------------------- */

/* A value as JSON; NULL if there is none. Free it with pt2trace_free. */
char *pt2trace_json(const struct pt2trace_value *v);
void pt2trace_free(char *json);

/*
 * Runs one SELECT on the tables that `pt2trace export --format sqlite` writes, and calls `row` with each row of the
 * result until it returns 0. A row is an object keyed by column name, which is valid during the call. Returns 0, or -1
 * with pt2trace_error.
 */
int pt2trace_query(struct pt2trace *t, const char *sql, int (*row)(void *object, const struct pt2trace_value *row),
                   void *object);

#ifdef __cplusplus
}
#endif
