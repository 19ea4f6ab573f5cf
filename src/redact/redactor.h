/*
 * redactor: takes out of texts what a company would not publish. It does not have a list of what to remove, because no
 * such list could be complete: it takes texts apart into words and keeps only those that are known to be Python's or
 * PyTorch's (vocabulary.h). Blanks, punctuation and numbers stay, so that the parsers of guards, stacks and code still
 * work on the result, and different texts stay different. One thread.
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
    bool without_numbers; /* also replace numbers, except for the numbers of dimensions */
};

struct redactor *redactor_new(void);
void redactor_free(struct redactor *r);

/* Appends the redacted text. `prose`: the text was written for people, so words of PyTorch's messages stay. */
void redactor_append(struct redactor *r, struct str text, bool prose, struct buf *out);

/* Copies in the redactor's arena, followed by a NUL byte that the view does not count. */
struct str redactor_code(struct redactor *r, struct str text);
struct str redactor_prose(struct redactor *r, struct str text);
struct str redactor_path(struct redactor *r, struct str path);
/* The name of a function, class or module: its words count as the user's wherever they occur again. */
struct str redactor_name(struct redactor *r, struct str name);
/* A cache key, which is a hash of something private. */
struct str redactor_key(struct redactor *r, struct str key);

/*
 * A command line of pt2trace without its paths and words, in the redactor's arena. Options and the command's name
 * stay.
 */
const char *const *redactor_command(struct redactor *r, const char *const *words, size_t n, const char *command);

/* Writes a JSON object of all placeholders and what they stand for. */
void redactor_write_map(const struct redactor *r, struct buf *out);
