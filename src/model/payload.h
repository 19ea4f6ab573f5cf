/*
 * payload: where the text under a record lies. The model never holds payload text: it is read back from its source
 * when a page needs it. payload_read may be called from any thread once reading is over.
 */
#pragma once

#include "input/source.h"
#include "util/buf.h"
#include "util/digest.h"
#include "util/system/file.h"
#include "util/vec.h"

enum payload_flags {
    PAYLOAD_PRESENT = 1,    /* payload lines followed the record */
    PAYLOAD_ANNOUNCED = 2,  /* the record has has_payload */
    PAYLOAD_DIGEST = 4,     /* digest holds what has_payload said */
    PAYLOAD_CHECKED = 8,    /* the text was hashed ... */
    PAYLOAD_BAD = 16,       /* ... and differs */
    PAYLOAD_PREFIXED = 32,  /* something has to be taken off its lines: a launcher's prefix, colours, NUL bytes */
    PAYLOAD_CRLF = 64,      /* lines end in CRLF that the writer did not mean */
    PAYLOAD_LOG = 128,      /* messages of TORCH_LOGS: the lines of each have the same prefix as its first one */
    PAYLOAD_WHOLE = 256,    /* the bytes as they are: a file that is one artifact */
    PAYLOAD_PROSE = 512,    /* for a filter: written for people, not code */
    PAYLOAD_WITHHELD = 1024, /* it is there, but its text is not to be shown */
    PAYLOAD_AWAY = 2048,     /* it was there when a digest was made; its file is not there, or not as it was */

    PAYLOAD_UNREADABLE = PAYLOAD_WITHHELD | PAYLOAD_AWAY,
};

/*
 * Where the messages lie that make one text, in few bytes each: a level log has millions of one line. Written by
 * payload_join; three numbers per message: where it begins behind the end of the one before, its bytes and lines.
 */
struct payload_parts {
    VEC(unsigned char) bytes;
    uint64_t end; /* of the last one in the source */
};

struct payload {
    uint64_t offset;      /* of its first line in the source */
    uint64_t stored;      /* bytes there, tabs, prefixes and newlines included */
    struct payload_parts *parts; /* of several messages; else NULL */
    uint64_t text_bytes;  /* after one tab is stripped from each line and lines are joined by '\n' */
    uint32_t lines;
    uint32_t stream;      /* which writer of a file with launcher prefixes; 0 otherwise */
    struct digest digest;
    uint16_t flags;
};

/* What payloads go through when they are read back. apply is called for pieces that end with a line, and appends. */
struct payload_filter {
    void (*apply)(void *object, struct str text, bool prose, struct buf *out); /* NULL: there is none */
    void *object;
};

/*
 * What is needed to read payloads of one file back. `keys` names the writers of a file with launcher prefixes, by
 * payload.stream; `known_prefix` is a literal prefix learned from the file.
 */
struct payload_source {
    const struct source *source;
    const struct str *keys;
    size_t key_count;
    struct str known_prefix;
    bool timed;             /* of a log: times stand before lines */
    struct payload_filter filter;
};

/* Makes one text of two, which are messages of one log; `next` ends behind all that p holds. */
void payload_join(struct arena *a, struct payload *p, const struct payload *next);

/*
 * Appends the payload's text, at most `max` bytes of it, to out. Bytes are as the writer wrote them, or as the filter
 * made them: not necessarily UTF-8. 0 or -errno (-EIO when the source is shorter than it was).
 */
int payload_read(const struct payload_source *from, const struct payload *p, uint64_t max, struct buf *out);
/* The same piece by piece, so that memory does not grow with the payload. */
int payload_write(const struct payload_source *from, const struct payload *p, uint64_t max, struct sink *out);

/*
 * Whether the payload's lines lie so far apart, between those of other writers, that reading it back means reading a
 * hundred times its size. Thousands of writers could make reading back all of them take for ever: what reads many
 * payloads leaves these out.
 */
bool payload_is_scattered(const struct payload *p);

/* Whether there is a text that may be shown. */
static inline bool payload_may_be_shown(const struct payload *p)
{
    return (p->flags & (PAYLOAD_PRESENT | PAYLOAD_WITHHELD)) == PAYLOAD_PRESENT;
}
