/*
 * artifact_info: the catalogue of artifact names: what each is, where in the pipeline it belongs, in what language it
 * is written, how much it helps, and what it is used for: comparing ranks, finding kernels, following a graph through
 * passes. Names that PyTorch builds (resume functions, passes, vLLM) match by prefix or suffix. Static data.
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

/* What ranks are compared in. The kinds of divergences from DIVERGENCE_REASONS on, causes before consequences. */
enum rank_facet {
    FACET_REASONS,
    FACET_BREAKS,
    FACET_STATUS,
    FACET_GRAPH,
    FACET_JOINT,
    FACET_PARTITION,
    FACET_COLLECTIVES,
    FACET_POST_GRAD,
    FACET_TENSORS,
    FACET_SIZES, /* of graphs that are the same but for the sizes of tensors */
    FACET_CACHE,
    FACET_CODE,
    FACET_GUARDS,
    FACETS
};

/* All guards of a compile: as a tree in text, or as a list in JSON. */
enum guards_form { GUARDS_NONE, GUARDS_TEXT, GUARDS_JSON };

/* A graph on its way through Inductor. */
enum lineage_part {
    PART_NONE,
    PART_BEFORE, /* enters Inductor */
    PART_OPENS,  /* the first that is written of a graph of its own */
    PART_AFTER,  /* what Inductor lowers */
    PART_CODE,
    PART_MAP,    /* between nodes and kernels */
};

/* What is read from an artifact to find kernels, and the code that they came from. */
enum kernel_source { KERNELS_NONE, KERNELS_BEFORE, KERNELS_AFTER, KERNELS_CODE, KERNELS_AOT_CODE, KERNELS_MAP };

/* A graph before, between or after passes. */
enum pass_role { ROLE_NONE, ROLE_BEGIN, ROLE_STEP, ROLE_END };

struct artifact_info {
    const char *name;  /* "x" exactly, "x*" a prefix, "*x" a suffix */
    const char *title; /* in words; NULL where only labels know it and give none: the artifact's name */
    const char *group; /* a heading of its own instead of the stage's, from labels; or NULL */
    const char *alias; /* what `pt2trace show` also takes, or NULL */
    enum stage stage;
    enum language language;
    /* Payloads stay out of a report that grows too large in this order, the highest first. 0 .. 9 */
    uint8_t bulk;
    bool for_people;        /* PyTorch's prose: in other texts, a word that is no name of PyTorch's is the user's */
    bool calls;             /* it may call collectives */
    enum guards_form guards;
    enum rank_facet facet;  /* that ranks are compared in by it; FACET_REASONS, which no artifact is, for none */
    enum lineage_part part;
    enum kernel_source kernels;
    enum pass_role role;
    const char *chain;      /* which passes it is before or after, where the name does not say so */
};

/* NULL when the name is not in the catalogue. */
const struct artifact_info *artifact_info_find(struct str name);

/* Walks the catalogue: i from 0, NULL at the end. */
const struct artifact_info *artifact_info_at(size_t i);
