/*
 * guard_tree: the guards of one compile, from the text PyTorch writes.
 *
 *   TREE_GUARD_MANAGER:                       dynamo_cpp_guards_str, and TORCH_LOGS=guards, 2.3 and later
 *   +- RootGuardManager
 *   | +- GuardManager: source=L['x'], accessed_by=FrameLocalsGuardAccessor(...), type=<class 'torch.Tensor'>, ...
 *   | | +- TENSOR_MATCH: check_tensor(...)  # user line of code  # file.py:93 in f (HINT: ...)
 *   Guard latency = 62.04 us
 *
 * and, before it, the JSON list of dynamo_guards (2.3, 2.4: objects with code, stack, user_stack) and the flat list of
 * checks under "GUARDS:" in the log. Source: torch/csrc/dynamo/guards.cpp and torch/_dynamo/guards.py
 * (GuardManagerWrapper, CheckFunctionManager). Nodes are in the arena, strings are views of the text (of copies in the
 * arena for JSON). Hostile text gives a flat or cut tree, never an error. Any thread.
 */
#pragma once

#include "util/vec.h"

struct guard_node {
    struct guard_node *parent;
    VEC(struct guard_node *) children;
    unsigned depth;          /* 0 at the root; at most LIMIT_GUARD_DEPTH, what is deeper becomes siblings */
    bool is_guard;           /* a leaf check, not a manager */
    struct str kind;         /* "TENSOR_MATCH", "GuardManager", …; made from the check in flat lists */
    struct str text;         /* the check itself, without comments; all after "Kind: " for a manager */
    struct str source;       /* managers: L['x']; guards: their manager's */
    struct str accessor;     /* managers: "FrameLocalsGuardAccessor(key='x', framelocals_idx=0)" */
    struct str type;         /* managers: "<class 'torch.Tensor'>" */
    struct str user_code;    /* the line that made the guard; may be empty */
    struct str user_file;    /* as written: often relative or shortened; PyTorch's own file when user_code is empty */
    int64_t user_line;       /* 0 unknown */
    struct str user_function;
    int64_t user_string;     /* JSON: the file, as an index into the process's string table; -1 none */
    struct str hint;         /* of (HINT: ...), or PyTorch's remark on the guard */
};

struct guard_tree {
    struct guard_node *root;     /* never NULL; without children when nothing was understood */
    VEC(struct guard_node *) guards; /* the leaves, in order */
    double latency_us;           /* < 0 when the text does not say */
    size_t lines, lines_unknown; /* lines that are not blank; those in no known form */
    bool checks_only;            /* comments were not read */
};

/* From the text of dynamo_cpp_guards_str or of the log artifact `guards`. */
void guard_tree_parse(struct arena *a, struct str text, struct guard_tree *out);
/* The same without what comments say (members user_… and hint), in less than half of the time. */
void guard_tree_parse_checks(struct arena *a, struct str text, struct guard_tree *out);

/* Whether a line of a tree is a check: a leaf, which node->is_guard is set of. */
bool guard_tree_line_is_check(struct str line);

/* From the payload of dynamo_guards. False when it is not the JSON list. */
bool guard_tree_parse_json(struct arena *a, struct str text, struct guard_tree *out);
