/*
 * guard_facts: what a compile was specialized for, according to its guards: the state of each value that was checked.
 * With it, two compiles of a function can be compared, and the guards of the next compile show what a failed guard
 * leaves open ("has changed"). Read from the tree in dynamo_cpp_guards_str (2.4 and later); without a tree,
 * or when the finder's budget for payloads is used up, there are no facts. One thread.
 */
#pragma once

#include "analysis/find/find.h"

struct guard_facts;

/* The record with the guard tree, or NULL. */
const struct artifact *compile_guard_tree(const struct compile *c);

/* Never NULL. Valid until guard_facts_forget. */
const struct guard_facts *guard_facts_of(struct finder *f, const struct compile *c);

/* Frees all facts: trees are large, and each function is looked at only once. */
void guard_facts_forget(struct finder *f);

/* A value for which two compiles of a function have different guards. */
struct guard_difference {
    struct str source;   /* L['extra'], or the kind of check if there is no source: "GLOBAL_STATE" */
    struct str variable; /* the variable it is reached from: "extra" */
    struct str check;    /* of the earlier compile; the value in the later one fails it */
};

struct guard_differences {
    VEC(struct guard_difference) list;
    size_t alone; /* number of values that only the earlier compile checked: unknown whether they changed */
    bool tensors; /* tensors differ too: their sizes, dtypes, strides; they are not in the list */
    bool known;   /* both compiles have facts */
};

/* "past" of L['past'][0] or list(L['past'].keys())[0]; a source without a variable is returned as it is. */
struct str guard_variable(struct str source);

/* The result lives as long as the facts. */
void guard_facts_compare(struct finder *f, const struct guard_facts *earlier, const struct guard_facts *later,
                         struct guard_differences *out);

/* The number of variables that differ; all tensors together count as one, because their sizes change together. */
size_t guard_differences_count(const struct guard_differences *d);

/* "`past`, `flag`": the variables, except the one that this source is reached from. In the finder's arena. */
struct str guard_differences_words(struct finder *f, const struct guard_differences *d, struct str but);

/* Of a value that was compared by identity, and is now compared by its type, without a name in 2.6 and earlier. */
#define VALUE_OF_A_TYPE "an object"

/*
 * The value for which a guard failed, in words, in the compile with these facts: "3", "a tensor", "Tree". In the
 * finder's arena; empty if the facts do not show it.
 */
struct str guard_facts_now(struct finder *f, const struct guard_facts *facts, const struct guard_reason *failed);

/* The type of a value by its source, L['fn']: "torch.nn.modules.container.Sequential" (2.7 and later), or empty. */
struct str guard_facts_type(const struct guard_facts *facts, struct str source);

/*
 * Whether the value with this name, "experts" of L['self']._modules['experts'], is a list, a dict or a module of
 * modules.
 */
bool guard_facts_has_items(const struct guard_facts *facts, struct str name);

/* Tensors are checked: a different size or dtype causes another compile. */
bool guard_facts_have_tensors(const struct guard_facts *facts);

/* The index of the variable L['x'] in the function, from 0: parameters come first. -1 unknown (2.6 and earlier). */
int64_t guard_facts_position(const struct guard_facts *facts, struct str source);

/* The first variable after that index that is a function or a method, as its source; empty if there is none. */
struct str guard_facts_function_behind(const struct guard_facts *facts, int64_t position);

enum { KEYS_SHOWN = 4 };

struct guard_keys {
    size_t n;
    struct str words; /* "`mask`, `labels`": at most KEYS_SHOWN; in the finder's arena */
};

/* The number of keys of a dict that are known by their index: all keys, if the code iterates over the dict. */
size_t guard_facts_counted_keys(const struct guard_facts *facts, struct str dict);

/* Keys of a dict, L['features'], that are in the guards of `to` but not of `from`: only those that the code uses. */
void guard_facts_keys_added(struct finder *f, const struct guard_facts *from, const struct guard_facts *to,
                            struct str dict, struct guard_keys *out);
