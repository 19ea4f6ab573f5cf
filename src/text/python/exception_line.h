/*
 * exception_line: the line that names an exception, "torch._dynamo.exc.Unsupported: call_method ...", without the
 * traceback above it: the end of a text that was cut, a line that a program printed of an exception it caught, or one
 * behind whatever a logger puts there. Views of the text. Any thread.
 */
#pragma once

#include "util/str.h"

struct exception_name {
    struct str module, type; /* "torch._dynamo.exc", "Unsupported"; module may be empty */
};

/*
 * Takes "module.Type: " or a bare "Type" at the end of its line off the text. False, and nothing is taken, when the
 * text does not begin like that; any word with a colon behind it does.
 */
bool exception_name_take(struct str *text, struct exception_name *out);

/* Whether PyTorch's compiler or Triton raised it, by its module, or by a name that nobody else uses. */
bool exception_is_compilers(const struct exception_name *name);

enum exception_line {
    EXCEPTION_NONE,
    EXCEPTION_ANY,         /* "RuntimeError: ...": something else has to show whose it is */
    EXCEPTION_OF_TORCH,    /* "torch.OutOfMemoryError: ...", of PyTorch, but not of its compiler */
    EXCEPTION_OF_COMPILER, /* also "backend='inductor' raised:", which has lost its name */
};

/* What a line is that begins with it. */
enum exception_line exception_line_begins(struct str line);

/*
 * Where in a line an exception of the compiler begins, -1 when there is none. At most the first 2 KiB are looked at.
 * Code that names an exception (`except torch._dynamo.exc.Unsupported:`) is none.
 */
ptrdiff_t exception_line_find(struct str line);

/*
 * Whether a line has a phrase by which a failure around the compiler is known, whoever prints it: "Cannot find a
 * working triton installation". At most its first 2 KiB are looked at.
 */
bool exception_line_has_phrase(struct str line);

/* Where in a line a sentence of PyTorch's begins that is such a phrase; -1 when there is none. */
ptrdiff_t exception_line_sentence(struct str line);

/* Whether a text has such a phrase, or words of the compiler: those that it puts behind a message, or its modules. */
bool exception_text_is_compilers(struct str text);

/*
 * Words of which every line has one that exception_line_begins, exception_line_find or exception_line_has_phrase says
 * something of, one after the other; empty behind the last.
 */
struct str exception_mark(size_t i);
