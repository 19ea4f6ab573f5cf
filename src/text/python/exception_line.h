/*
 * exception_line: recognizes the line of an exception, "torch._dynamo.exc.Unsupported: call_method ...", without the
 * traceback above it: the end of a text that was cut, a line printed for an exception that was caught, or a line after
 * a logger's prefix. Views of the text. Any thread.
 */
#pragma once

#include "util/str.h"

struct exception_name {
    struct str module, type; /* "torch._dynamo.exc", "Unsupported"; module may be empty */
};

/*
 * Takes "module.Type: ", or a bare "Type" at the end of its line, off the text. False, with nothing taken, if the text
 * does not begin like that; any word followed by a colon does.
 */
bool exception_name_take(struct str *text, struct exception_name *out);

/* Whether PyTorch's compiler or Triton raised it, by its module, or by a name that no other project uses. */
bool exception_is_compilers(const struct exception_name *name);

enum exception_line {
    EXCEPTION_NONE,
    EXCEPTION_ANY,         /* "RuntimeError: ...": something else must show where it comes from */
    EXCEPTION_OF_TORCH,    /* "torch.OutOfMemoryError: ...", from PyTorch, but not from its compiler */
    EXCEPTION_OF_COMPILER, /* includes "backend='inductor' raised:", which has lost its name */
};

/* Which kind of exception a line begins with. */
enum exception_line exception_line_begins(struct str line);

/*
 * Where in a line an exception of the compiler begins; -1 if there is none. Searches at most the first 2 KiB. Code
 * that names an exception (`except torch._dynamo.exc.Unsupported:`) does not count.
 */
ptrdiff_t exception_line_find(struct str line);

/*
 * Whether a line contains a phrase that identifies a failure of the compiler or its environment, whichever program
 * prints it: "Cannot find a working triton installation". Searches at most the first 2 KiB.
 */
bool exception_line_has_phrase(struct str line);

/*
 * A sentence of a message that is wrapped: its line is long and ends with a letter or a comma, and the next line begins
 * with a lower-case word that is no label ("wandb: ").
 */
bool exception_line_is_open(struct str line);
bool exception_line_continues(struct str next);

/* Where in a line a sentence of PyTorch's begins that is such a phrase; -1 if there is none. */
ptrdiff_t exception_line_sentence(struct str line);

/*
 * Whether a text contains such a phrase, or words of the compiler: those that it appends to a message, or its modules.
 */
bool exception_text_is_compilers(struct str text);

/*
 * The i-th of the words that mark these lines: every line that exception_line_begins, exception_line_find or
 * exception_line_has_phrase recognizes contains one. Empty after the last.
 */
struct str exception_mark(size_t i);
