/*
 * inputs: what a compile made of the sizes and numbers that were passed to the function: constants, or symbols that
 * stand for any value, or symbols that a line of the code turned into constants. Asked of the symbols, specializations
 * and tensors that the trace has of a compile (2.4 and later). Read-only on the model; results in the arena given.
 *
 * An input is named by its source as PyTorch writes it, L['x'], and the dimension, or INPUT_NUMBER for a Python number,
 * or INPUT_DTYPE for what a tensor holds.
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

/* *at: the line that made it a constant, where that is known; else NULL. */
enum input_state input_state_of(const struct compile *c, struct str source, int64_t dim, const struct call **at);

/* "L['x'].size()[0]", whatever follows: L['x'] and 0. False for another text. */
bool input_parse_size(struct str text, struct str *source, int64_t *dim);

/* The value in that compile, as text; empty when unknown. */
struct str input_value(struct arena *a, const struct compile *c, struct str source, int64_t dim);

/* Whether it lies in memory as torch.ones would make it; unknown with a size that is not. */
enum input_layout { LAYOUT_UNKNOWN, LAYOUT_CONTIGUOUS, LAYOUT_OTHER };
enum input_layout input_layout(const struct tensor *t);

/* The tensor of that source as the compile saw it last; NULL when it saw none. */
const struct tensor *input_tensor(const struct compile *c, struct str source);

struct input_change {
    struct str source;
    int64_t dim;
    struct str from, to; /* values in the earlier and in the later compile */
};

struct input_changes {
    VEC(struct input_change) list;
};

/* All sizes of tensors, those of modules and parameters aside, that differ between two compiles of one function. */
void input_size_changes(struct arena *a, const struct compile *earlier, const struct compile *later,
                        struct input_changes *out);

/* All dtypes of tensors, parameters among them, that differ; dim is INPUT_DTYPE. */
void input_dtype_changes(struct arena *a, const struct compile *earlier, const struct compile *later,
                         struct input_changes *out);

/* The first size of a module's own tensor that differs: one module keeps its sizes, so it is another. */
bool input_module_change(struct arena *a, const struct compile *earlier, const struct compile *later,
                         struct input_change *out);

/* All sizes of tensors, those of modules aside, that the compile takes in any value. from and to are the size. */
void input_dynamic_sizes(struct arena *a, const struct compile *c, struct input_changes *out);

/*
 * After mark_dynamic(source, dim) failed since the code made the size a constant: the other inputs that had the same
 * size and are not dynamic. Marking them as well helps where the two were only combined with each other. from is the
 * size, to is empty.
 */
void inputs_to_mark_too(struct arena *a, const struct compile *c, struct str source, int64_t dim,
                        struct input_changes *out);
