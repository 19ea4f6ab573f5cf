/*
 * guard_facts: what a compile was made for, as its guards say: of each value that was looked at, what it was. So two
 * compiles of a function can be compared, and what a failed guard leaves open ("is now something else") is known from
 * the guards of the compile that followed. Read from the tree in dynamo_cpp_guards_str (2.4 and later); where there is
 * none, or the finder has read enough payloads, there are no facts. One thread.
 */
#pragma once

#include "analysis/find/find.h"

struct guard_facts;

/* The record that has the tree of guards, or NULL. */
const struct artifact *compile_guard_tree(const struct compile *c);

/* Never NULL. Valid until guard_facts_forget. */
const struct guard_facts *guard_facts_of(struct finder *f, const struct compile *c);

/* Frees all facts: trees are large, and a function is looked at once. */
void guard_facts_forget(struct finder *f);

/* A value that two compiles of a function were made for differently. */
struct guard_difference {
    struct str source;   /* L['extra'], or what kind of check it is where there is no source: "GLOBAL_STATE" */
    struct str variable; /* that leads to it: "extra" */
    struct str check;    /* of the earlier compile, which the value in the later fails */
};

struct guard_differences {
    VEC(struct guard_difference) list;
    size_t alone; /* values that only the earlier compile looked at: whether they are the same is unknown */
    bool tensors; /* tensors differ as well: their sizes, dtypes, strides; they are not in the list */
    bool known;   /* both compiles have facts */
};

/* "past" of L['past'][0] or list(L['past'].keys())[0]; a source without a variable stays. */
struct str guard_variable(struct str source);

/* As long as the facts. */
void guard_facts_compare(struct finder *f, const struct guard_facts *earlier, const struct guard_facts *later,
                         struct guard_differences *out);

/* In how many variables they differ; all tensors together are one, since their sizes move together. */
size_t guard_differences_count(const struct guard_differences *d);

/* "`past`, `flag`": the variables but the one that leads to this source. In the finder's arena. */
struct str guard_differences_words(struct finder *f, const struct guard_differences *d, struct str but);

/*
 * What the value of a failed guard is in the compile with these facts, in words: "3", "a tensor", "Tree". In the
 * finder's arena; empty when they do not show it.
 */
struct str guard_facts_now(struct finder *f, const struct guard_facts *facts, const struct guard_reason *failed);

/* The type of a value by its source, L['fn']: "torch.nn.modules.container.Sequential" (2.7 and later), or empty. */
struct str guard_facts_type(const struct guard_facts *facts, struct str source);

/* Whether a value of this name, "experts" of L['self']._modules['experts'], is a list, a dict or a module of modules.
 */
bool guard_facts_has_items(const struct guard_facts *facts, struct str name);

/* Tensors are checked: another size or dtype of one of them is another compile. */
bool guard_facts_have_tensors(const struct guard_facts *facts);

/* Which variable of the function it is, L['x'], from 0: parameters come first. -1 unknown (2.6 and earlier). */
int64_t guard_facts_position(const struct guard_facts *facts, struct str source);

/* The first variable behind that position that is a function or a method, as its source; empty for none. */
struct str guard_facts_function_behind(const struct guard_facts *facts, int64_t position);

enum { KEYS_SHOWN = 4 };

struct guard_keys {
    size_t n;
    struct str words; /* "`mask`, `labels`": at most KEYS_SHOWN; in the finder's arena */
};

/* How many keys of a dict are known by their position: all, where the code goes through the dict. */
size_t guard_facts_counted_keys(const struct guard_facts *facts, struct str dict);

/* Keys of a dict, L['features'], that the guards of `to` know and those of `from` do not: only what the code uses. */
void guard_facts_keys_added(struct finder *f, const struct guard_facts *from, const struct guard_facts *to,
                            struct str dict, struct guard_keys *out);
