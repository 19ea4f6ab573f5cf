/*
 * artifact_info: the catalog of artifact names. For each it says what the artifact is, which stage of the pipeline it
 * belongs to, its language, how much it helps, and what it is used for: comparing ranks, finding kernels, following a
 * graph through passes. Names that PyTorch builds (resume functions, passes, vLLM) match by prefix or suffix. Static
 * data. Adding one: a row in artifact_info.c.
 */
#pragma once

#include "util/str.h"

/* In pipeline order, which is the order in which a compile's artifacts are shown. */
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

/* A heading of the report. */
const char *stage_title(enum stage s);

enum language { LANG_TEXT, LANG_FX, LANG_PYTHON, LANG_CPP, LANG_JSON, LANG_BYTECODE };

/* The language for syntax highlighting in the page: "text", "fx", "python", "cpp", "json", "bytecode". */
const char *language_name(enum language l);

/*
 * The aspects in which ranks are compared: the kinds of divergences from DIVERGENCE_REASONS on, causes before
 * consequences.
 */
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
    FACET_SIZES, /* the graphs are the same except for the sizes of tensors */
    FACET_CACHE,
    FACET_CODE,
    FACET_GUARDS,
    FACETS
};

/* The form of all guards of a compile: a tree in text, or a list in JSON. */
enum guards_form { GUARDS_NONE, GUARDS_TEXT, GUARDS_JSON };

/* A graph on its way through Inductor. */
enum lineage_part {
    PART_NONE,
    PART_BEFORE, /* the graph that enters Inductor */
    PART_OPENS,  /* the first graph written for an independent graph */
    PART_AFTER,  /* the graph that Inductor lowers */
    PART_CODE,
    PART_MAP, /* a map between nodes and kernels */
};

/* What an artifact contributes to finding kernels and the code they came from. */
enum kernel_source { KERNELS_NONE, KERNELS_BEFORE, KERNELS_AFTER, KERNELS_CODE, KERNELS_AOT_CODE, KERNELS_MAP };

/* The position of a graph: before, between or after passes. */
enum pass_role { ROLE_NONE, ROLE_BEGIN, ROLE_STEP, ROLE_END };

/*
 * The rows that code asks for; the others are ARTIFACT_OTHER. Outside of the catalog, and of the tables of what readers
 * find in files, no source has a name as text: it asks artifact_is (model.h).
 */
enum artifact_id {
    ARTIFACT_OTHER,
    ARTIFACT_DYNAMO_OUTPUT_GRAPH,
    ARTIFACT_DYNAMO_GRAPH_BREAK_REASON,
    ARTIFACT_DYNAMO_ERROR,
    ARTIFACT_RECOMPILE_REASONS,
    ARTIFACT_DYNAMO_SIDE_EFFECTS,
    ARTIFACT_ORIGINAL_BYTECODE,
    ARTIFACT_DUMP_FILE,
    ARTIFACT_BEFORE_PRE_GRAD_GRAPH,
    ARTIFACT_AOT_JOINT_GRAPH,
    ARTIFACT_AOT_FORWARD_GRAPH,
    ARTIFACT_AOT_BACKWARD_GRAPH,
    ARTIFACT_AOT_INFERENCE_GRAPH,
    ARTIFACT_EAGER_COMPILE_BACKWARDS_FAILURE,
    ARTIFACT_BEFORE_POST_GRAD_GRAPH,
    ARTIFACT_INDUCTOR_POST_GRAD_GRAPH,
    ARTIFACT_FX_GRAPH_READABLE,
    ARTIFACT_FX_GRAPH_RUNNABLE,
    ARTIFACT_INDUCTOR_OUTPUT_CODE,
    ARTIFACT_INDUCTOR_PROVENANCE_TRACKING_NODE_MAPPINGS,
    ARTIFACT_INDUCTOR_PROVENANCE_TRACKING_KERNEL_STACK_TRACES,
    ARTIFACT_TRITON_KERNEL_INFO,
    ARTIFACT_INDUCTOR_RUNTIME_AND_TENSOR_META,
    ARTIFACT_GRAPH_EXECUTION,
    ARTIFACT_DYNAMO_CPP_GUARDS_STR,
    ARTIFACT_FX_GRAPH_CACHE_HIT,
    ARTIFACT_INDUCTOR_COLLECTIVE_SCHEDULE,
    ARTIFACT_EXPORTED_PROGRAM,
    ARTIFACT_VLLM_COMPILE_EVENT,
    ARTIFACT_VLLM_COMPILATION_CONFIG,
    ARTIFACT_VLLM_PIECEWISE_SPLIT_GRAPH,
    ARTIFACT_VLLM_PIECEWISE_COMPILE_START,
    ARTIFACT_AUTOTUNING,
    ARTIFACT_IDS
};

struct artifact_info {
    enum artifact_id id;
    const char *name;  /* "x" exactly, "x*" a prefix, "*x" a suffix */
    const char *title; /* in words; NULL if only labels know the artifact and give no title: its name is used */
    const char *group; /* a heading from labels that replaces the stage's; or NULL */
    const char *alias; /* another name that `pt2trace show` accepts, or NULL */
    enum stage stage;
    enum language language;
    /* If a report grows too large, payloads are left out in this order, the highest first. 0 .. 9 */
    uint8_t bulk;
    bool for_people; /* PyTorch's prose; in any other text, a word that is not PyTorch's is the user's */
    bool calls;      /* the code may call collectives */
    enum guards_form guards;
    enum rank_facet facet; /* the aspect of ranks that it shows; FACET_REASONS, which is no artifact's, if none */
    enum lineage_part part;
    enum kernel_source kernels;
    enum pass_role role;
    const char *chain; /* the passes it comes before or after, if the name does not say so */
};

/* NULL if the name is not in the catalog. */
const struct artifact_info *artifact_info_find(struct str name);

/* The name of a row; empty for ARTIFACT_OTHER. */
struct str artifact_name(enum artifact_id id);

/* Walks the catalog: i from 0, NULL at the end. */
const struct artifact_info *artifact_info_at(size_t i);
