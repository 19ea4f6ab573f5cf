/*
 * check_text: compares the texts of two launches: numbers within a tolerance, everything else exactly. A number is
 * equal to an earlier one if |now - then| <= atol + rtol * |then|; NaN only equals NaN, and an infinity only itself.
 * Pure.
 */
#pragma once

#include "model/experiment.h"
#include "relaunch/workload/workload.h"

/*
 * The tolerance for numbers in texts if the workload does not give one: `tol` of torch._dynamo.utils.same, with which
 * PyTorch tests its own compiler in float32. Arrays and tensors have types, see hook/compare.py.
 */
#define CHECK_TOLERANCE 1e-4

enum { CHECK_SHOWN = 200 };

struct check_result {
    enum check_outcome outcome;
    char why[512];           /* why nothing was compared; or the difference, if it is not a number */
    char where[CHECK_SHOWN]; /* the place with the largest difference, and what was there: cut if it is long */
    char then[CHECK_SHOWN], now[CHECK_SHOWN];
    double max_abs, max_rel; /* INFINITY: a number instead of NaN or infinity, or relative to 0 */
    uint64_t values;         /* number of values compared */
    double worst;            /* how many times the tolerance the largest difference is */
};

/* Whether the whole text is a number: "0.25", "-1e-5", ".5", "inf", "nan", "NaN", "Infinity". */
bool check_number(struct str text, double *out);

/* Takes the next word, or the text up to it, off a non-empty line: "loss=0.5," is "loss", "=", "0.5" and ",". */
struct str check_piece(struct str *line);

/* Equal texts; or numbers, not both whole, that are equal within the default tolerance. */
bool check_same_piece(struct str then, struct str now);

/* Compares two files as text, line by line, with numbers as numbers; as bytes if one contains NUL. */
void check_lines(const struct check *c, struct str then, struct str now, struct check_result *r);

/* Compares, one after another, what the first group (or the whole match) of the expression matches in two texts. */
void check_matches(const struct check *c, struct str then, struct str now, struct check_result *r);

/* How often the expression matches; UINT64_MAX if it is invalid. */
uint64_t check_match_count(struct str pattern, struct str text);
