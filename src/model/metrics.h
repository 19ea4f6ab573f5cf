/*
 * metrics: the fields of CompilationMetrics (torch/_dynamo/utils.py), from one record of one compile. The table has
 * every field of PyTorch 2.4 to 2.13, with its unit and meaning; a field that is not in the table is kept under its
 * own name. Only values that are not null are stored. Plain data with the model's lifetime.
 */
#pragma once

#include "util/vec.h"

enum metric_unit {
    UNIT_NONE,
    UNIT_COUNT,
    UNIT_US,
    UNIT_MS,
    UNIT_S,
    UNIT_EPOCH_US,
    UNIT_EPOCH_S,
    UNIT_BYTES,
    UNIT_CONFIG
};

enum metric_group {
    METRICS_IDENTITY,
    METRICS_TIME,
    METRICS_GRAPH,
    METRICS_GUARDS,
    METRICS_FAILURE,
    METRICS_CACHE,
    METRICS_CONFIG,
    METRICS_OTHER,
    METRICS_GROUPS
};

struct metric_field {
    const char *key;
    enum metric_group group;
    enum metric_unit unit;
    const char *title; /* its meaning, in words */
};

extern const struct metric_field metric_fields[];
extern const size_t metric_field_count;

/* NULL for a field that is not in the table: a newer PyTorch wrote it, and it is shown under its own name. */
const struct metric_field *metric_field_find(struct str key);
const char *metric_group_title(enum metric_group g);

enum metric_type { METRIC_INT, METRIC_DOUBLE, METRIC_BOOL, METRIC_STR, METRIC_LIST };

struct metric {
    const struct metric_field *field; /* NULL for an unknown field, see key */
    struct str key;
    enum metric_type type;
    union {
        int64_t i;
        double d;
        bool b;
        struct str s; /* or JSON text, for an object */
        struct {
            struct str *v;
            size_t n;
        } list;
    };
};

enum metrics_kind { METRICS_FORWARD, METRICS_BACKWARD, METRICS_RUNTIME, METRICS_BACKWARD_RUNTIME, METRICS_KINDS };

struct metrics {
    enum metrics_kind kind;
    uint64_t line; /* of the record */
    VEC(struct metric) values;
};

/* NULL if the record has no such field or it is null. */
const struct metric *metrics_get(const struct metrics *m, const char *key);

/* A number of either type as int64; false if it is missing or not a number. */
bool metrics_i64(const struct metrics *m, const char *key, int64_t *out);
/* Empty if it is missing or not a string. */
struct str metrics_str(const struct metrics *m, const char *key);
