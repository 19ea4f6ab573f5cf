/*
 * gate_formats: what gate_check found, for people and for the programs of a CI. A format is a row of `formats` in
 * gate_formats.c. One thread.
 */
#pragma once

#include "gate/gate.h"
#include "output/files/relative_path.h"
#include "output/text/text.h"

struct gate_report {
    struct arena *arena;
    const struct gate *gate;
    struct source_tree *tree; /* the sources; places are relative to it where the files are there */
    struct str paths;         /* what was checked, as it was given */
    bool has_baseline;
};

struct gate_format {
    const char *name;
    struct str (*write)(const struct gate_report *r); /* the whole text, in the arena; NULL for `text` */
};

/* NULL when there is none of that name. */
const struct gate_format *gate_format_find(struct str name);

/* The list for a terminal, worst first. */
void gate_text(struct text *t, const struct gate_report *r);
/* Markdown for the summary of a job of GitHub Actions ($GITHUB_STEP_SUMMARY): all that the annotations leave out. */
struct str gate_markdown(const struct gate_report *r);
