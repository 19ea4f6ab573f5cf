/*
 * prose: what the writer of a pasted text says in sentences of their own, beside logs, code and stacks: what works, and
 * what is wrong where nothing raises. English only. A sentence that denies proves nothing. Any thread.
 */
#pragma once

#include "util/str.h"

/* What is wrong; the more certain sign comes first. */
enum complaint { COMPLAINT_NONE, COMPLAINT_WRONG, COMPLAINT_HANG, COMPLAINT_MEMORY, COMPLAINT_COMPILING,
                 COMPLAINT_SLOW, COMPLAINTS };

/* What a backend does: Dynamo alone ("eager"), AOTAutograd, too ("aot_eager"), and Inductor, too. */
enum backend_named { BACKEND_EAGER, BACKEND_AOT_EAGER, BACKEND_INDUCTOR, BACKENDS_NAMED };

struct prose {
    bool eager_works;   /* the same works without the compiler */
    bool float32_works; /* results agree in float32 */
    struct str trial; /* a sentence on what makes it work, or is needed for it to fail, a view of the text: the first
                       * that names an option, or else the first */
    bool trial_of_option;
    bool concurrent;    /* several calls are made at the same time */
    bool sequential_works; /* one call after the other works */
    bool one_place;     /* ranks stand at one line */
    bool right[BACKENDS_NAMED], wrong[BACKENDS_NAMED]; /* said of backends; both false: nothing is, or both */
    struct str complaints[COMPLAINTS]; /* the first sentence of each kind, a view of the text; empty if there is none */
};

void prose_read(struct str text, struct prose *out);

/* Whether a line is a writer's paragraph: words more than signs, and more than one sentence, or of the writer's own. */
bool prose_is_paragraph(struct str line);

/* Whether one of the words or phrases (separated by '\n') is in it, and is no part of a longer word. */
bool prose_has_word(struct str s, struct str words);

/* Whether the beginning of a line has one of the words (in small letters, separated by '\n'), in whatever letters. */
bool prose_has_line(struct str text, const char *words);

/* Whether a sentence has one of `any`, one of `result` unless that is NULL, and none of `denied`, in any letters. */
bool prose_has_sentence(struct str text, const char *any, const char *result, const char *denied);

/* Takes what stands before the next comma, or before what parts clauses ("but"). */
struct str prose_next_part(struct str *sentence);

/* Whether a part says under which condition all is well: "it trains fine with torch 2.8.0". */
bool prose_says_cured(struct str part);

/* The first kind that the writer complains of, not only beside another one ("Also ..."). */
enum complaint prose_complaint(const struct prose *p);
