/*
 * redactor: takes out of texts what a company would not publish. It has no list of what to take out, as no list could
 * be complete: it takes every word apart and keeps those that are known to be Python's or PyTorch's (vocabulary.h).
 * Blanks, punctuation and numbers stay, so that what reads guards, stacks or code reads what is left just as well, and
 * different texts stay different. One thread.
 */
#pragma once

#include "redact/path.h"
#include "redact/placeholder.h"
#include "redact/word.h"

struct redactor {
    struct arena *arena;
    struct placeholders placeholders;
    struct words words;
    struct buf text;      /* the last result */
    bool without_numbers; /* numbers are replaced, too, but for those that say which dimension */
};

struct redactor *redactor_new(void);
void redactor_free(struct redactor *r);

/* Appends. `prose` is what was written for people: words of PyTorch's messages stay. */
void redactor_append(struct redactor *r, struct str text, bool prose, struct buf *out);

/* Copies in the redactor's arena, followed by a NUL byte that the view does not count. */
struct str redactor_code(struct redactor *r, struct str text);
struct str redactor_prose(struct redactor *r, struct str text);
struct str redactor_path(struct redactor *r, struct str path);
/* A function, a class, a module: its words are the user's, wherever they come again. */
struct str redactor_name(struct redactor *r, struct str name);
/* A cache key, which is a digest of what it is the key of. */
struct str redactor_key(struct redactor *r, struct str key);

/*
 * A command line of ours without the paths and words in it, in the redactor's arena. Options stay, and the name of the
 * command.
 */
const char *const *redactor_command(struct redactor *r, const char *const *words, size_t n, const char *command);

/* Writes what every placeholder stands for as JSON. */
void redactor_write_map(const struct redactor *r, struct buf *out);
