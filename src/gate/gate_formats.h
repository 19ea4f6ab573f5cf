/*
 * gate_formats: the result of gate_check for people and for CI systems. A format is a row of `formats` in
 * gate_formats.c. One thread.
 */
#pragma once

#include "gate/gate.h"
#include "output/files/relative_path.h"
#include "output/text/text.h"

struct gate_report {
    struct arena *arena;
    const struct gate *gate;
    struct source_tree *tree; /* the sources; paths are relative to it if the files are there */
    struct str paths;         /* the inputs, as they were given */
    bool has_baseline;
};

struct gate_format {
    const char *name;
    struct str (*write)(const struct gate_report *r); /* the whole text, in the arena; NULL for `text` */
};

/* NULL if there is no format of that name. */
const struct gate_format *gate_format_find(struct str name);

/* The list for a terminal, worst first. */
void gate_text(struct text *t, const struct gate_report *r);
/* Markdown for the job summary of GitHub Actions ($GITHUB_STEP_SUMMARY), including what the annotations leave out. */
struct str gate_markdown(const struct gate_report *r);
