/*
 * payload: the location of the text under a record. The model never holds payload text: it is read back from its
 * source when it is needed. payload_read may be called from any thread once reading is over.
 */
#pragma once

#include "input/limits.h"
#include "input/source.h"
#include "util/buf.h"
#include "util/digest.h"
#include "util/system/file.h"
#include "util/vec.h"

enum payload_flags {
    PAYLOAD_PRESENT = 1,     /* payload lines followed the record */
    PAYLOAD_ANNOUNCED = 2,   /* the record has has_payload */
    PAYLOAD_DIGEST = 4,      /* digest holds the digest in has_payload */
    PAYLOAD_CHECKED = 8,     /* the text was hashed ... */
    PAYLOAD_BAD = 16,        /* ... and the digest differs */
    PAYLOAD_PREFIXED = 32,   /* its lines contain something to remove: a launcher's prefix, colors, NUL bytes */
    PAYLOAD_CRLF = 64,       /* lines end with CRLF, and the CR was not written by PyTorch */
    PAYLOAD_LOG = 128,       /* messages of TORCH_LOGS: all lines of a message have the prefix of its first one */
    PAYLOAD_WHOLE = 256,     /* the bytes as they are: the whole file is one artifact */
    PAYLOAD_PROSE = 512,     /* for a filter: text written for people, not code */
    PAYLOAD_WITHHELD = 1024, /* the text exists, but must not be shown */
    PAYLOAD_BARE = 2048,     /* of PAYLOAD_LOG: lines without that prefix belong to the first message, too */
    PAYLOAD_AWAY = 4096,     /* it existed when a digest was made, but its file is missing or has changed */

    PAYLOAD_UNREADABLE = PAYLOAD_WITHHELD | PAYLOAD_AWAY,
};

/*
 * The locations of the messages that make up one text, in a few bytes each, because a log may have millions of
 * one-line messages. Written by payload_join; three numbers per message: the distance from the end of the previous
 * one, its bytes, and twice its lines, plus 1 if it is PAYLOAD_BARE.
 */
struct payload_parts {
    VEC(unsigned char) bytes;
    uint64_t end; /* the end of the last one in the source */
};

struct payload {
    uint64_t offset;             /* of its first line, in the source */
    uint64_t stored;             /* bytes in the source, including tabs, prefixes and newlines */
    struct payload_parts *parts; /* if it consists of several messages; else NULL */
    uint64_t text_bytes;         /* the length of the text, without the tab of each line, joined by ' ' */
    uint32_t lines;
    uint32_t stream; /* the writer, in a file with launcher prefixes; otherwise 0 */
    struct digest digest;
    uint16_t flags;
};

/*
 * A filter that payloads pass through when they are read back. apply is called with pieces that end with a line, and
 * appends the result.
 */
struct payload_filter {
    void (*apply)(void *object, struct str text, bool prose, struct buf *out); /* NULL: there is no filter */
    void *object;
};

/*
 * What is needed to read back payloads of one file. `keys` are the writers of a file with launcher prefixes, by
 * payload.stream; `known_prefix` is a literal prefix learned from the file.
 */
struct payload_source {
    const struct source *source;
    const struct str *keys;
    size_t key_count;
    struct str known_prefix;
    bool timed; /* for a log: lines begin with a time */
    struct payload_filter filter;
};

/* Joins two texts, which are messages of one log; `next` ends after everything that p contains. */
void payload_join(struct arena *a, struct payload *p, const struct payload *next);

/*
 * How much of a payload is read into memory, and of all payloads together by one reader (model/read/artifact_text.h).
 * Whoever reads payloads names the row whose purpose is his own; a trace may be large, and is hostile.
 */
#define READ_NO_LIMIT UINT64_MAX
#define PAYLOAD_BUDGETS(X)                                                                                             \
    /* the first line of generated code */                                                                             \
    X(READ_FIRST_LINE, 512, READ_NO_LIMIT)                                                                             \
    /* the head of a program: its settings come before the graph, and take less than this */                           \
    X(READ_HEAD, 16 << 10, READ_NO_LIMIT)                                                                              \
    /* graphs and code that findings look at */                                                                        \
    X(READ_FINDINGS, 256 << 10, 16 << 20)                                                                              \
    /* guard trees that findings compare: the failed guard may come after those of all parameters, 50 kB per layer */  \
    X(READ_GUARDS, 8 << 20, 16 << 20)                                                                                  \
    /* small records (cache keys, events, pieces of vLLM), and a quick look at any */                                  \
    X(READ_SMALL, 1 << 20, READ_NO_LIMIT)                                                                              \
    /* any text that is parsed */                                                                                      \
    X(READ_TEXT, LIMIT_PAYLOAD_TEXT, READ_NO_LIMIT)                                                                    \
    /* a text that is compared with another rank's, searched, or run: it should be complete */                         \
    X(READ_COMPLETE, 64 << 20, READ_NO_LIMIT)                                                                          \
    /* what a person asked for */                                                                                      \
    X(READ_ALL, READ_NO_LIMIT, READ_NO_LIMIT)

enum payload_budget {
#define X(budget, one, all) budget,
    PAYLOAD_BUDGETS(X)
#undef X
};

/* Whether all of it may be read. */
bool payload_fits(const struct payload *p, enum payload_budget budget);
/* The most bytes of all payloads that one reader reads. */
uint64_t payload_budget_all(enum payload_budget budget);

/*
 * Appends the payload's text, or its beginning, to out. Bytes are as they were written, or as the filter changed them:
 * not necessarily UTF-8. 0 or -errno (-EIO if the source is shorter than before).
 */
int payload_read(const struct payload_source *from, const struct payload *p, enum payload_budget budget,
                 struct buf *out);
/* The same, but at most `left` bytes: what is left of the budget of a reader. */
int payload_read_rest(const struct payload_source *from, const struct payload *p, enum payload_budget budget,
                      uint64_t left, struct buf *out);
/* The whole text, piece by piece, so that memory does not grow with the payload. */
int payload_write(const struct payload_source *from, const struct payload *p, struct sink *out);

/*
 * Whether the payload's lines are so far apart, between lines of other writers, that reading it back means reading a
 * hundred times its size. With thousands of writers, reading all of them back could take forever, so code that reads
 * many payloads skips these.
 */
bool payload_is_scattered(const struct payload *p);

/* Whether there is a text that may be shown. */
static inline bool payload_may_be_shown(const struct payload *p)
{
    return (p->flags & (PAYLOAD_PRESENT | PAYLOAD_WITHHELD)) == PAYLOAD_PRESENT;
}
