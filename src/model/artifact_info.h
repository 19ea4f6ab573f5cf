/*
 * artifact_info: the catalogue of artifact names: what each is, where in the pipeline it belongs, in what language it
 * is written and how telling it is. Names that PyTorch builds (resume functions, passes, vLLM) match by prefix or
 * suffix. Static data.
 *
 * Adding one: a row in artifact_info.c.
 */
#pragma once

#include "util/str.h"

/* In pipeline order: the order in which a compile's artifacts are shown. */
enum stage {
    STAGE_DYNAMO,
    STAGE_PRE_GRAD,
    STAGE_JOINT,
    STAGE_AOT,
    STAGE_POST_GRAD,
    STAGE_CODE,
    STAGE_KERNELS,
    STAGE_RUNTIME,
    STAGE_GUARDS,
    STAGE_CACHE,
    STAGE_DISTRIBUTED,
    STAGE_EXPORT,
    STAGE_OTHER,
    STAGE_COUNT
};

/* For people: a heading of the report. */
const char *stage_title(enum stage s);

enum language { LANG_TEXT, LANG_FX, LANG_PYTHON, LANG_CPP, LANG_JSON, LANG_BYTECODE };

/* What the page highlights by: "text", "fx", "python", "cpp", "json", "bytecode". */
const char *language_name(enum language l);

struct artifact_info {
    const char *name;  /* "x" exactly, "x*" a prefix, "*x" a suffix */
    const char *title; /* in words; NULL where only labels know it and give none: the artifact's name */
    const char *group; /* a heading of its own instead of the stage's, from labels; or NULL */
    const char *alias; /* what `pt2trace show` also takes, or NULL */
    enum stage stage;
    enum language language;
    /* Payloads stay out of a report that grows too large in this order, the highest first. 0 .. 9 */
    uint8_t bulk;
};

/* NULL when the name is not in the catalogue. */
const struct artifact_info *artifact_info_find(struct str name);

/* Walks the catalogue: i from 0, NULL at the end. */
const struct artifact_info *artifact_info_at(size_t i);
