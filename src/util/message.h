/*
 * message: facts about the health of the input. A damaged trace never makes a call fail: it becomes a message with a
 * code from the catalog below, the file and line it is about, and a bounded text; the report shows them under "Trace
 * health". Each input file has its own list (one thread); the run's list is all of them in order. Adding one: a row in
 * MESSAGE_CODES.
 */
#pragma once

#include "util/vec.h"

#include <stdarg.h>

/* info: worth knowing; warning: something in the trace is missing or was repaired; error: something was lost */
enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR };

#define MESSAGE_CODES(X)                                                                                               \
    X(BAD_LINE, ERROR, "line-not-understood", "The line is neither a record nor part of a payload.")                   \
    X(BAD_JSON, ERROR, "record-not-json", "The record's JSON could not be parsed; the record is counted, not used.")   \
    X(REPAIRED_JSON, WARNING, "json-repaired", "The JSON was outside the standard and was read after a repair.")       \
    X(BAD_FIELD, WARNING, "field-ignored",                                                                             \
      "A field has another type than PyTorch writes; the rest of the record is used.")                                 \
    X(BAD_PAYLOAD_JSON, WARNING, "payload-not-json", "A payload that should be JSON is not; it is kept as text.")      \
    X(BAD_DIGEST, ERROR, "payload-digest-mismatch",                                                                    \
      "Checksum mismatch: the payload's MD5 differs from the one that PyTorch recorded.")                              \
    X(BAD_DIGEST_TEXT, WARNING, "payload-digest-malformed",                                                            \
      "has_payload is not an MD5 digest, so the payload cannot be checked.")                                           \
    X(NO_PAYLOAD, ERROR, "payload-missing", "The record announces a payload but none follows.")                        \
    X(STRAY_PAYLOAD, ERROR, "payload-without-record",                                                                  \
      "Payload lines follow a record that announces none, or no record at all.")                                       \
    X(TRUNCATED, ERROR, "file-truncated", "The file ends in the middle of a record.")                                  \
    X(LOST_NEWLINE, WARNING, "newline-missing", "Two records are on one line; both are used.")                         \
    X(NOT_UTF8, WARNING, "not-utf8", "Bytes that are not UTF-8 are shown as U+FFFD.")                                  \
    X(NUL_BYTES, WARNING, "nul-bytes",                                                                                 \
      "NUL bytes in the file, as happens after a full disk or a lost page; shown as U+FFFD.")                          \
    X(LONG_LINE, ERROR, "line-too-long", "The line is longer than the limit; the rest was dropped.")                   \
    X(LONG_PAYLOAD, WARNING, "payload-too-long", "Only the beginning of the payload was analyzed; all of it is kept.") \
    X(MENDED, INFO, "text-mended",                                                                                     \
      "The text differs from the program's output; the damage was repaired before it was read.")                       \
    X(UNKNOWN_KIND, INFO, "unknown-kind",                                                                              \
      "A kind of record that this version of pt2trace does not know; kept and shown.")                                 \
    X(UNKNOWN_STRING, WARNING, "unknown-string", "A file name refers to an entry that is not in the string table.")    \
    X(BAD_STRING, WARNING, "string-table-entry", "An entry of the string table is malformed or out of range.")         \
    X(FORK_PARENT, INFO, "strings-from-parent", "A forked process uses the string table of its parent's file.")        \
    X(SECOND_PROCESS, INFO, "second-process", "The file holds records of more than one process; they are kept apart.") \
    X(NO_COMPILE_ID, INFO, "no-compile-id", "Records that belong to a compile have no compile id.")                    \
    X(BAD_COMPILE_ID, WARNING, "compile-id-malformed",                                                                 \
      "The compile id of a record cannot be used; the record is kept without one.")                                    \
    X(JOBS_SEPARATED, INFO, "jobs-separated",                                                                          \
      "Jobs ran at the same time; their processes were assigned to them by content.")                                  \
    X(JOBS_MIXED, WARNING, "jobs-mixed",                                                                               \
      "A rank exists several times at once: from another job, or from an extra process of the same job; shown as "     \
      "one run.")                                                                                                      \
    X(DUMP_AMBIGUOUS, WARNING, "dump-ambiguous",                                                                       \
      "A Flight Recorder dump may belong to any of several concurrent jobs; it is shown with the newest.")             \
    X(RESET, INFO, "compile-ids-restart", "Compile ids start again (torch._dynamo.reset()); shown as epochs.")         \
    X(EVENT_UNMATCHED, INFO, "event-unmatched",                                                                        \
      "A timed event has a beginning without an end, or an end without a beginning.")                                  \
    X(FILE_REPEATED, INFO, "file-repeated", "Two files have the same contents, which count once.")                     \
    X(RANK_CONFLICT, WARNING, "rank-conflict", "Records of one process, or the file's name, disagree on the rank.")    \
    X(DEPTH_LIMIT, WARNING, "limit-reached", "A list in the trace is longer than the limit; the rest was dropped.")    \
    X(GZIP_DAMAGED, ERROR, "gzip-damaged", "The compressed file is damaged or truncated; the readable part is used.")  \
    X(GAVE_UP, ERROR, "reading-stopped",                                                                               \
      "The rest of the file was not read: it is not a trace, or it is made to be endless.")                            \
    X(READ_ERROR, ERROR, "read-error", "The file could not be read to its end.")                                       \
    X(PAYLOAD_LOST, ERROR, "payload-lost",                                                                             \
      "A payload could not be read back: its file has changed since it was read.")                                     \
    X(FILE_AWAY, WARNING, "file-not-here",                                                                             \
      "The file that a digest was made from is missing or has changed: its payloads are left out.")                    \
    X(GPU_NOT_RECORDED, WARNING, "gpu-not-recorded",                                                                   \
      "The GPU activity of a process was not recorded, or not until its end.")                                         \
    X(GPU_LOST, WARNING, "gpu-activity-lost", "GPU activities were lost while they were recorded.")                    \
    X(INPUT_CHANGED, WARNING, "file-changed", "The file changed while it was being reported on.")

enum message_code {
#define X(name, severity, key, meaning) MSG_##name,
    MESSAGE_CODES(X)
#undef X
        MSG_COUNT
};

struct message_info {
    const char *key;     /* as in report.json */
    const char *meaning; /* one sentence for people */
    enum severity severity;
};

extern const struct message_info message_infos[MSG_COUNT];

struct message {
    enum message_code code;
    struct str file; /* rank lifetime */
    uint64_t line;   /* from 1; 0 if the message is about the whole file */
    struct str text; /* what was found there, limited in length; may be empty */
    uint64_t count;  /* more than 1 in the last message of a code, which stands for all beyond the limit */
};

/* One list. Beyond MESSAGES_PER_CODE, messages of a code are only counted. */
enum { MESSAGES_PER_CODE = 20, MESSAGE_TEXT_MAX = 240 };

struct messages {
    struct arena *arena;
    struct str file;
    VEC(struct message) list;
    uint64_t counts[MSG_COUNT];
};

void messages_init(struct messages *m, struct arena *arena, struct str file);

/* Adds one; the text is cut to less than MESSAGE_TEXT_MAX bytes, between characters. */
void message_add(struct messages *m, enum message_code code, uint64_t line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void message_vadd(struct messages *m, enum message_code code, uint64_t line, const char *fmt, va_list ap)
    __attribute__((format(printf, 4, 0)));

/* Adds all messages of another list (of the same arena and file), including those that were only counted. */
void messages_take(struct messages *m, const struct messages *from);

/*
 * Call once, after everything else. Sorts the messages by line, with those about the whole file last, and adds, for
 * each code over the limit, a message that counts the rest.
 */
void messages_finish(struct messages *m);

const char *severity_name(enum severity s);
