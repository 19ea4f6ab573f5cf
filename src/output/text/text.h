/*
 * text: plain text for a terminal or a pipe: columns, wrapping, and colors if wanted. Text from a trace is made
 * harmless (utf8_make_harmless), so that no escape sequence reaches a terminal. One thread.
 */
#pragma once

#include "util/arena.h"
#include "util/buf.h"

enum text_style { TEXT_PLAIN, TEXT_BOLD, TEXT_DIM, TEXT_RED, TEXT_YELLOW, TEXT_GREEN, TEXT_BLUE };

struct text {
    struct buf buf; /* the output so far */
    struct arena *arena;
    unsigned width; /* in columns */
    bool color;
    bool unicode;  /* the output may contain more than ASCII */
    bool terminal; /* the output is a terminal, not a file or a pipe */
    bool links;    /* ... that supports hyperlinks (OSC 8) */
};

void text_str(struct text *t, enum text_style style, struct str s);
void text_printf(struct text *t, enum text_style style, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* s; in a terminal with hyperlinks, a link to the file at an absolute path. */
void text_file(struct text *t, enum text_style style, struct str s, struct str path);
void text_newline(struct text *t);

/*
 * One paragraph: `head` (already indented) on the first line, followed by s, wrapped at blanks to the width; following
 * lines are indented by `indent`. A word longer than a line is split. Line breaks in s are kept.
 */
void text_paragraph(struct text *t, struct str head, enum text_style head_style, unsigned indent, enum text_style style,
                    struct str s);

/* s in exactly `columns` columns: padded on the right (or on the left), or cut with an ellipsis. */
void text_cell(struct text *t, enum text_style style, struct str s, unsigned columns);
void text_cell_right(struct text *t, enum text_style style, struct str s, unsigned columns);

/* Whether to use colors on fd: it is a terminal, NO_COLOR is unset, TERM is not dumb. */
bool text_wants_color(int fd);
/* Whether the terminal identifies itself as one that supports hyperlinks; others print parts of them. */
bool text_knows_links(void);
/* COLUMNS if set, else the width of the terminal on fd; 80 if fd is not a terminal, or is absurdly narrow. */
unsigned text_width(int fd);
