/*
 * remedies_objects: remedies where modules, functions, types, containers or settings change, and where nothing is known
 * of the change. Static. Any thread.
 */
#pragma once

#include "analysis/remedies/remedy_row.h"

/* The last row always fits. */
extern const struct remedies remedies_objects;

/* Every call is another case: the code itself fills a container or defines a class, or the guard fails always. */
bool remedies_objects_are_endless(struct finder *f, const struct recompile_cause *cause);

/* A class that a function defines, and that was another one again and again; and what to say. */
bool recompile_is_of_local_class(struct finder *f, const struct recompile_cause *cause);
struct str recompile_local_class_words(struct arena *a, const struct recompile_cause *cause);

/* The compiled code appends to a deque, which may be full at some length. */
bool recompile_is_of_deque(struct finder *f, const struct recompile_cause *cause);

/* The object is one of torch/optim, which the program does not make. */
bool recompile_is_of_optimizer(struct finder *f, const struct recompile_cause *cause);

/*
 * PyTorch says that sizes of parameters, which differ between the modules, need not be compiled in, and this version
 * cannot compile each module for itself.
 */
bool recompile_is_of_parameter_sizes(struct finder *f, const struct recompile_cause *cause);

/* The function is the forward of a checkpoint's wrapper, and it is the class of the wrapper that differs. */
bool recompile_is_of_layers(struct finder *f, const struct recompile_cause *cause);

/* The class of `self` differs. How many classes there will be is not known. */
bool recompile_is_of_own_class(struct finder *f, const struct recompile_cause *cause);

/* No reason is known, because the text ends before it. */
bool recompile_reason_is_cut(struct finder *f, const struct recompile_cause *cause);

/* The text has neither the reason nor the compile before: an excerpt, which shows nothing wrong. */
bool recompile_begins_later(struct finder *f, const struct recompile_cause *cause);

/* A few compiles of several modules, each called by its own name, such as a draft model and a target model. */
bool recompile_is_one_per_line(struct finder *f, const struct recompile_cause *cause);
