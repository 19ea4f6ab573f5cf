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
    LOG_JOINED = 2,    /* all messages of a compile make one text */
    LOG_HEADLESS = 4,  /* its beginning is clear enough to tell it without a prefix */
    LOG_FACTS = 8,     /* the text is not kept as an artifact of its compile */
};

struct log_kind {
    const char *artifact; /* as in [__artifact]; "" for the log of a module; NULL for text without any prefix */
    const char *begins;   /* with what its messages begin, several separated by '\n'; NULL for anything */
    unsigned flags;
    const char *name;     /* artifact of the compile under which its text is kept; NULL: as `artifact` */
    void (*apply)(struct record *rec); /* NULL: it is only kept */
    /* Of LOG_HEADLESS, whether one more line is of the text, with what it remembers (0 at first). NULL: any line is. */
    bool (*goes_on)(unsigned *state, struct str line);
};

extern const struct log_kind log_kinds[];
extern const size_t log_kind_count;

/*
 * The row of a message by the artifact in its prefix (empty for none) and its first line; NULL when there is none.
 * Without an artifact, `headless` asks only for rows with LOG_HEADLESS.
 */
const struct log_kind *log_kind_find(struct str artifact, struct str first, bool headless);

/* Quick: false when no row with LOG_HEADLESS begins as this line does, indentation aside. */
bool log_kind_may_begin(struct str line);

/* Whether a text begins one more message of the kind. False for kinds that begin with anything. */
bool log_kind_begins(const struct log_kind *k, struct str text);
