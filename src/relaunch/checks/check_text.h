/*
 * check_text: what two launches wrote, compared: numbers within a tolerance, anything else as it stands. A number is
 * the same as one before when |now - then| <= atol + rtol * |then|; NaN is the same as NaN and as nothing else, an
 * infinity as itself. Pure.
 */
#pragma once

#include "model/experiment.h"
#include "relaunch/workload/workload.h"

/*
 * What a number in a text is allowed to be off when the workload does not say: `tol` of torch._dynamo.utils.same, to
 * which PyTorch holds its own compiler in float32. Arrays and tensors have a type, see hook/compare.py.
 */
#define CHECK_TOLERANCE 1e-4

enum { CHECK_SHOWN = 200 };

struct check_result {
    enum check_outcome outcome;
    char why[512];           /* why nothing was compared; or what is different, where it is not a number */
    char where[CHECK_SHOWN]; /* the worst place, and what stood there: cut when it is long */
    char then[CHECK_SHOWN], now[CHECK_SHOWN];
    double max_abs, max_rel; /* INFINITY: there is a number in place of NaN or infinity, or relative to 0 */
    uint64_t values;         /* numbers and texts that were compared */
    double worst;            /* how often the tolerance fits into the difference, in the worst place */
};

/* "0.25", "-1e-5", ".5", "inf", "nan", "NaN", "Infinity"; the whole of it. */
bool check_number(struct str text, double *out);

/* The next word of a line that is not empty, or what stands up to it: "loss=0.5," is "loss", "=", "0.5" and ",". */
struct str check_piece(struct str *line);

/* The same text; or numbers, not both whole, that the default tolerance lets pass. */
bool check_same_piece(struct str then, struct str now);

/* Two files as texts, line by line, the numbers in them as numbers; as bytes when there is a NUL in one. */
void check_lines(const struct check *c, struct str then, struct str now, struct check_result *r);

/* What the first groups (or whole matches) of the expression are in two texts, one after the other. */
void check_matches(const struct check *c, struct str then, struct str now, struct check_result *r);

/* How often the expression matches; UINT64_MAX when it is no expression. */
uint64_t check_match_count(struct str pattern, struct str text);
