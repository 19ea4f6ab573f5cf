/*
 * guard_tree: reads the guards of one compile from the text that PyTorch writes.
 *
 *   TREE_GUARD_MANAGER:                       dynamo_cpp_guards_str, and TORCH_LOGS=guards, 2.3 and later
 *   +- RootGuardManager
 *   | +- GuardManager: source=L['x'], accessed_by=FrameLocalsGuardAccessor(...), type=<class 'torch.Tensor'>, ...
 *   | | +- TENSOR_MATCH: check_tensor(...)  # user line of code  # file.py:93 in f (HINT: ...)
 *   Guard latency = 62.04 us
 *
 * and, before it, the JSON list of dynamo_guards (2.3, 2.4: objects with code, stack, user_stack) and the flat list of
 * checks under "GUARDS:" in the log. Source: torch/csrc/dynamo/guards.cpp and torch/_dynamo/guards.py
 * (GuardManagerWrapper, CheckFunctionManager). Nodes are in the arena; strings are views of the text (for JSON, of
 * copies in the arena). Hostile text results in a flat or truncated tree, never in an error. Any thread.
 */
#pragma once

#include "util/vec.h"

struct guard_node {
    struct guard_node *parent;
    VEC(struct guard_node *) children;
    unsigned depth;          /* 0 at the root; at most LIMIT_GUARD_DEPTH, deeper nodes become siblings */
    bool is_guard;           /* a leaf check, not a manager */
    struct str kind;         /* "TENSOR_MATCH", "GuardManager", …; for flat lists it is inferred from the check */
    struct str text;         /* the check itself, without comments; for a manager, everything after "Kind: " */
    struct str source;       /* for managers: L['x']; for guards: their manager's source */
    struct str accessor;     /* for managers: "FrameLocalsGuardAccessor(key='x', framelocals_idx=0)" */
    struct str type;         /* for managers: "<class 'torch.Tensor'>" */
    struct str user_code;    /* the line that caused the guard; may be empty */
    struct str user_file;    /* as written: often relative or shortened; PyTorch's own file if user_code is empty */
    int64_t user_line;       /* 0 unknown */
    struct str user_function;
    int64_t user_string; /* for JSON: the file, as an index into the process's string table; -1 none */
    struct str hint;     /* the text in (HINT: ...), or PyTorch's remark about the guard */
};

struct guard_tree {
    struct guard_node *root;         /* never NULL; has no children if nothing was understood */
    VEC(struct guard_node *) guards; /* the leaves, in order */
    double latency_us;               /* negative if the text does not say */
    size_t lines, lines_unknown;     /* non-blank lines; of these, the lines in no known form */
    bool checks_only;            /* comments were not read */
};

/* From the text of dynamo_cpp_guards_str or of the logging artifact `guards`. */
void guard_tree_parse(struct arena *a, struct str text, struct guard_tree *out);
/* The same without the comments (members user_… and hint), in less than half the time. */
void guard_tree_parse_checks(struct arena *a, struct str text, struct guard_tree *out);

/* Whether a line of a tree is a check, that is, a leaf with node->is_guard set. */
bool guard_tree_line_is_check(struct str line);

/* From the payload of dynamo_guards. False if it is not the JSON list. */
bool guard_tree_parse_json(struct arena *a, struct str text, struct guard_tree *out);
