/*
 * experiment_file: an experiment as run.json, which `pt2trace run` leaves beside its report, and back. Any thread.
 */
#pragma once

#include "model/experiment.h"
#include "util/formats/json.h"

/* Whether a file that begins so is one, of any version. */
bool experiment_sniff(struct str beginning);

/* JSON, with a newline at its end. */
void experiment_write(const struct experiment *x, struct buf *out);

/* Parts that report.json has in the same form. */
json_t *experiment_checks_json(const struct trial *t);
json_t *experiment_ranks_json(const struct trial *t);
json_t *experiment_stacks_json(const struct trial *t);
json_t *experiment_changes_json(const struct trial *t);
json_t *experiment_fixes_json(const struct experiment *x);
json_t *experiment_texts_json(const struct str *texts, size_t n);

/* Empty when *out was filled; else what is wrong with it, for a person. Texts live in the arena. */
struct str experiment_read(struct arena *a, struct str text, struct experiment *out);
