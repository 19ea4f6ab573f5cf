/*
 * labels: names that the user gives to artifacts and frames, from a YAML file (--labels, docs/guide/labels.md):
 *
 *     artifacts:
 *       - name: shop_*          # '*' stands for any text
 *         title: Report of the shop
 *         group: Shop           # a stage of the pipeline, or a heading of its own
 *         language: json
 *     frames:
 *       - function: forward
 *         file: "*attention.py"
 *         label: attention block
 *         group: Model
 *
 * The first matching rule counts. One thread.
 */
#pragma once

#include "model/model.h"

struct labels_error {
    uint64_t line; /* 0 if the error has no line */
    struct str text;
};

struct artifact_label {
    struct str name;                   /* pattern */
    struct str title, group, language; /* empty: unchanged */
};

struct frame_label {
    struct str function, file; /* patterns; an empty one matches anything */
    struct str label, group;
};

struct labels {
    VEC(struct artifact_label) artifacts;
    VEC(struct frame_label) frames;
};

/* False with *error set. Everything is allocated in the arena. */
bool labels_parse(struct arena *a, struct str text, struct labels *out, struct labels_error *error);

/* Renames what the rules match. Texts of `labels` must outlive the run. */
void labels_apply(struct arena *a, const struct labels *labels, struct run *run);
