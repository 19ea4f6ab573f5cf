/*
 * paste: what copying by hand does to console text, undone: marks of quoting and of viewers before the lines, lines
 * that were cut at the width of a window, indentation that was lost, quotation marks and blanks of typography, HTML's
 * entities, colors whose escape was lost, links made of paths, UTF-16. What is said of the text (places, messages) is
 * then read as from the original.
 *
 * A text without such damage is never touched: each repair is made where its traces are seen, and those that change
 * what lines are only when more lines then read as PyTorch and Python write them. Any thread.
 */
#pragma once

#include "util/arena.h"
#include "util/vec.h"

enum paste_damage {
    PASTE_ENCODING = 1,   /* UTF-16, or a byte-order mark */
    PASTE_CHARACTERS = 2, /* blanks and quotation marks of typography, entities */
    PASTE_COLORS = 4,    /* color codes without their escape */
    PASTE_LINKS = 8,
    PASTE_WRAPPED = 16,
    PASTE_PREFIX = 32, /* before each line: quoted, numbered, logged */
    PASTE_INDENT = 64,
    PASTE_ESCAPED = 128, /* "\n" for the end of a line, as in JSON */
    PASTE_ORDER = 256,   /* the newest line first */
    PASTE_FOLDED = 512,  /* one for like lines of several workers */
    PASTE_HEADER = 1024, /* of a traceback, in a library's wording */
};

struct paste {
    unsigned damage; /* enum paste_damage */
    struct str text;
    /*
     * Of lines that were cut: the number of each line of `text` in the original, from 1. Empty when all lines are
     * where they were.
     */
    VEC(uint32_t) numbers;
    uint32_t added; /* lines of `text` that the original lacks: headers, the first line of a message */
};

/* Larger texts are not copied by hand, and are read as they are. */
enum { PASTE_MAX = 8 << 20 };

/* False when there is nothing to repair. Otherwise *out has the text as it was; in the arena. */
bool paste_mend(struct arena *a, struct str text, struct paste *out);

/* "quoted or numbered lines, lost indentation": what was repaired, for people. In the arena. */
struct str paste_words(struct arena *a, unsigned damage);
