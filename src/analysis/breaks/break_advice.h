/* break_advice: the description of one graph break and the advice against it: the result of break_fix. Plain data. */
#pragma once

#include "analysis/breaks/break_site.h"

/* How severe a break of this kind can be, regardless of its surroundings. */
enum break_weight {
    BREAK_COUNTS,   /* depends on the operators around it */
    BREAK_IS_HIGH,  /* the model is not compiled because of it */
    BREAK_IS_LOW,   /* intended, or nothing is lost: at most low */
    BREAK_IS_KNOWN, /* by design, and nothing can be done: only a fact */
};

struct break_fix {
    enum break_kind kind;
    enum break_weight weight;
    const char *id;      /* the finding's id: "break-print" */
    struct str what;     /* for a title: "`print(…)`"; empty: use PyTorch's type, which is the best description */
    struct str fix;      /* sentences; never empty */
    struct str paste;    /* may be empty */
    struct str where;    /* in words, the place of a pattern; may be empty */
    bool is_setting;     /* the text to paste is a literal setting; otherwise a pattern */
    /* the line that reads a value from a tensor that the break creates: the advice is for both; 0 if there is none */
    int64_t read_line;
    /* a setting helps if the code after the break accepts a value that is only known when the graph runs */
    bool may_be_setting;
    bool excluded;     /* a library's code calls a function that torch.compiler.disable excludes */
    bool raised;       /* the program's own `raise` */
    bool shows_source; /* show the line of code in the title, to identify the break */
    struct break_site site;
};

/* The text to paste sets an option of Dynamo, maybe behind an import: it has its place in the program's own code. */
static inline bool break_fix_pastes_setting(const struct break_fix *fix)
{
    return str_starts(fix->paste, STR("torch._dynamo.config.")) ||
           str_has(fix->paste, STR("\ntorch._dynamo.config."));
}
