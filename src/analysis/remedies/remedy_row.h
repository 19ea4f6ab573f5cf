/*
 * remedy_row: one remedy against a recompile, with its finding, the condition under which it applies, its words and its
 * text to paste; and conditions that rows of several tables have. Static. Any thread.
 */
#pragma once

#include "analysis/recompiles/recompile_cause.h"

struct remedy {
    enum change change;
    const char *id;                                                      /* the finding's id: "recompile-size" */
    bool (*fits)(struct finder *f, const struct recompile_cause *cause); /* NULL: always */
    const char *fix;
    void (*paste)(struct finder *f, struct finding *x,
                  const struct recompile_cause *cause); /* NULL: nothing to paste */
};

struct remedies {
    const struct remedy *rows;
    size_t n;
};

#define REMEDY_ISOLATE                                                                                                 \
    "compile each with `torch.compile(module, isolate_recompiles=True)`: then it has compiles and a limit of its own."

#define REMEDY_STRINGS                                                                                                 \
    "Strings choose what the code does, and are compiled in: one compile for each value, of a list for each order "    \
    "and number of them. Few are fine: call each case once to warm up, and keep the limit above their number. For "    \
    "one graph compute all of the choices in every call, and weight them by a tensor that is 0 for what is not "       \
    "chosen."

/* A line of the program made it a constant. */
bool remedy_is_specialized(struct finder *f, const struct recompile_cause *cause);
bool remedy_is_dynamic(struct finder *f, const struct recompile_cause *cause);

/* The change is the reason that is known of a compile that was refused. */
bool remedy_reached_limit(struct finder *f, const struct recompile_cause *cause);

/* Before 2.1, sizes and integers did not become dynamic by themselves; of some logs only the year is known. */
bool remedy_may_lack_automatic(const struct recompile_cause *cause);

/* A number of an optimizer: "self.param_groups[0]['lr']". */
bool remedy_is_learning_rate(struct finder *f, const struct recompile_cause *cause);

/* This version can keep the compiles of several modules apart. */
bool remedy_may_isolate(struct finder *f, const struct recompile_cause *cause);

/* A number that changed once, and that the newest compile takes with any value: no more compiles follow. */
bool remedy_is_number_once(struct finder *f, const struct recompile_cause *cause);

/* What changed was a string: "mode == 'fast'". */
bool remedy_is_string(struct finder *f, const struct recompile_cause *cause);

/* The container holds strings, by another guard of the function: "names[0] == 'till'"; or it is the string in it. */
bool remedy_is_list_of_strings(struct finder *f, const struct recompile_cause *cause);

/* What the text says that has the recompile. */
const struct stated *remedy_stated(const struct recompile_cause *cause);

/* The line that made the guard, without its trailing comment. */
struct str remedy_line(const struct guard_reason *g);
