/*
 * inputs: what a compile did with the sizes and numbers passed to the function: constants, symbols that stand for any
 * value, or symbols that a line of code turned into constants. Known from the symbols, specializations and tensors
 * that the trace has for a compile (2.4 and later). Read-only on the model; results in the arena given. An input is
 * identified by its source as PyTorch writes it, L['x'], and the dimension, or INPUT_NUMBER for a Python number, or
 * INPUT_DTYPE for a tensor's dtype.
 */
#pragma once

#include "model/model.h"
#include "util/vec.h"

enum { INPUT_NUMBER = -1, INPUT_DTYPE = -2 };

enum input_state {
    INPUT_UNKNOWN,     /* the trace does not say */
    INPUT_STATIC,      /* a constant from the start */
    INPUT_DYNAMIC,     /* any value */
    INPUT_SPECIALIZED, /* a symbol that became a constant */
};

/* *at: the line that made it a constant, if known; else NULL. */
enum input_state input_state_of(const struct compile *c, struct str source, int64_t dim, const struct call **at);

/* Parses "L['x'].size()[0]", with any text after it, into L['x'] and 0. False for another text. */
bool input_parse_size(struct str text, struct str *source, int64_t *dim);

/*
 * Whether a guard of the compile sets the size equal to an expression of numbers that are inputs too: x.split(lengths)
 * needs the lengths' sum. *number (may be NULL): the source of one of these.
 */
bool input_is_tied_to_number(const struct compile *c, struct str source, int64_t dim, struct str *number);

/* The value in that compile, as text; empty if unknown. */
struct str input_value(struct arena *a, const struct compile *c, struct str source, int64_t dim);

/* Whether it has the memory layout of torch.ones; unknown if a size is symbolic. */
enum input_layout { LAYOUT_UNKNOWN, LAYOUT_CONTIGUOUS, LAYOUT_OTHER };
enum input_layout input_layout(const struct tensor *t);

/* The tensor of that source as the compile last recorded it; NULL if it recorded none. */
const struct tensor *input_tensor(const struct compile *c, struct str source);

struct input_change {
    struct str source;
    int64_t dim;
    struct str from, to; /* values in the earlier and in the later compile */
};

struct input_changes {
    VEC(struct input_change) list;
};

/* All sizes of tensors that differ between two compiles of one function, except those of modules and parameters. */
void input_size_changes(struct arena *a, const struct compile *earlier, const struct compile *later,
                        struct input_changes *out);

/* All dtypes of tensors that differ, including parameters; dim is INPUT_DTYPE. */
void input_dtype_changes(struct arena *a, const struct compile *earlier, const struct compile *later,
                         struct input_changes *out);

/* The first size that differs in a module's own tensors: a module keeps its sizes, so it is another module. */
bool input_module_change(struct arena *a, const struct compile *earlier, const struct compile *later,
                         struct input_change *out);

/* All dynamic sizes of tensors, except those of modules. from and to are the size. */
void input_dynamic_sizes(struct arena *a, const struct compile *c, struct input_changes *out);

/*
 * After mark_dynamic(source, dim) failed because the code made the size a constant: the other inputs that had the same
 * size and are not dynamic. Marking them too helps if the two were only combined with each other. from is the size, to
 * is empty.
 */
void inputs_to_mark_too(struct arena *a, const struct compile *c, struct str source, int64_t dim,
                        struct input_changes *out);
