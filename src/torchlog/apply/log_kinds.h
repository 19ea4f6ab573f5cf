/*
 * log_kinds: the messages of TORCH_LOGS, one row each: which artifact of logging they belong to, how they begin, what
 * becomes of them. An artifact without a row is kept under its own name, counted and shown.
 *
 * Adding one: a row in log_kinds.c, its function in an apply_*.c (none is needed for a text that is only kept), and a
 * row in model/artifact_info.c that says what the kept text is.
 */
#pragma once

#include "trace/record.h"

enum log_kind_flags {
    LOG_TRACING = 1,   /* Dynamo says it while it traces: what it traces, it traces in one go */
    LOG_ONCE = 2,      /* ... once per compile: a second time, ids begin again */
    LOG_ONCE_PER_ATTEMPT = 4,
    LOG_REASONS = 8,   /* ... why it is compiled again: first, and once */
    LOG_ENDS = 16,     /* said when a compile is done, and once */
    LOG_RESET = 32,    /* ids begin again after it */
    LOG_FRAME = 64,    /* it names the frame it is about, see log_frame.h */
    LOG_JOINED = 128,  /* all messages of a compile make one text */
    LOG_FIRST = 256,   /* of joined messages: it begins a text of its own */
    LOG_HEADLESS = 512, /* its beginning is clear enough to know it without a prefix */
    LOG_FACTS = 1024,  /* the text is not kept by the reader; apply may do so */
    LOG_PART = 2048,   /* it also stands within a message that has the same apply */
    LOG_ALONE = 4096,  /* it is mostly part of another message, and one of its own where that is missing */
    LOG_WARNS = 8192,  /* what it says at level W is for the user to act on; others go on without what they skip */
    LOG_ASIDE = 16384, /* a text that has no other message is not about compiling */
};

struct log_kind {
    const char *artifact; /* as in [__artifact]; "" for the log of a module; NULL for text without any prefix */
    const char *begins;   /* with what its messages begin, several separated by '\n'; NULL for anything */
    const char *has;      /* what their first line holds besides; NULL for nothing in particular */
    unsigned flags;
    const char *name;     /* artifact of the compile under which its text is kept; NULL: as `artifact` */
    void (*apply)(struct record *rec); /* NULL: it is only kept */
};

extern const struct log_kind log_kinds[];
extern const size_t log_kind_count;

/*
 * The row of a message by the artifact in its prefix (empty for none) and its first line; NULL when there is none.
 * Without an artifact, `headless` asks only for rows with LOG_HEADLESS.
 */
const struct log_kind *log_kind_find(struct str artifact, struct str first, bool headless);

/* The row of a line that programs print behind prefixes of their own, and where in the line its text is; NULL: none. */
const struct log_kind *log_kind_within(struct str line, size_t *at);

/* Quick: false when no row with LOG_HEADLESS begins as this line does, indentation aside. */
bool log_kind_may_begin(struct str line);

/* Whether a text begins one more message of the kind. False for kinds that begin with anything. */
bool log_kind_begins(const struct log_kind *k, struct str text);

/*
 * Whether a line that by itself would begin a message of kind k is part of one of kind `open`, which has no prefix
 * either: further lines of a text that is joined anyway.
 */
bool log_kind_takes(const struct log_kind *open, const struct log_kind *k);

/* Whether a line without prefix is of a message that has one before its first line alone, as in 2.0. */
bool log_kind_goes_on_bare(const struct log_kind *k, struct str line);

/* Whether the traceback behind this text of a message belongs to it: a graph break of PyTorch 2.5 and earlier. */
bool log_kind_has_traceback(const struct log_kind *k, struct str text);

/* Whether this text of such a message ends within the traceback, so that the exception itself is still to come. */
bool log_kind_in_traceback(const struct log_kind *k, struct str text);

/* Whether a line without prefix is of a text that began without one. *state is 0 at its first line. */
bool log_kind_goes_on(const struct log_kind *k, unsigned *state, struct str line);
