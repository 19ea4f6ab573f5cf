/*
 * mustache: fills templates with JSON values. It is the language of the mustache specification with its optional
 * modules ~inheritance ({{<parent}}, {{$block}}) and ~dynamic-names ({{>*key}}), without lambdas.
 *
 * A set of templates is parsed once and is read-only from then on: any number of threads may render from it, each
 * with a context and a sink of its own. Output goes to the sink as it is made; the memory in use depends on how deep
 * templates are nested, not on how much is written.
 *
 * What the specification leaves open:
 * - Not shown by {{#x}}, shown by {{^x}}: a missing value, null, false, "" and []. 0 is a value (rank 0) and shown.
 * - {{x}} is empty for a missing value, null, an array and an object. Reals have up to 15 digits, or up to 17 where
 *   fewer would read back as another number; a whole real has no decimal point.
 * - Arguments of {{<parent}} reach every template that is rendered within it; where there are several of one name the
 *   outermost is taken.
 * - Indentation before a {{>partial}} that stands alone on its line goes before each line of the partial's template,
 *   also empty ones, but not before lines of inserted values. So a partial inside <pre> must not be indented.
 */
#pragma once

#include "util/arena.h"
#include "util/system/file.h"

#include <jansson.h>

enum {
    /*
     * Templates (and arguments of parents) being rendered within each other. What is deeper is left out, so a partial
     * that includes itself for data of any depth comes to an end, and rendering needs less than 512 KiB of stack.
     */
    MUSTACHE_DEPTH_MAX = 64,
};

struct template_text {
    const char *name;
    struct str text; /* must outlive the set */
};

struct mustache;

/* What to make of a {{>name}} or {{<name}} that the set does not have. */
enum mustache_missing {
    MUSTACHE_MISSING_IS_ERROR,
    MUSTACHE_MISSING_IS_EMPTY, /* as the specification has it */
};

/*
 * Parses a set of templates into the arena. A template that is not right is an error in our program, not in its
 * input: then the result is NULL and *error is a text in the arena, "NAME:LINE: what is wrong". There is nothing to
 * gain from parsing lazily: 10 KB with 400 tags take a third of a millisecond.
 */
struct mustache *mustache_new(struct arena *a, const struct template_text *texts, size_t count,
                              enum mustache_missing missing, struct str *error);

/*
 * Writes the template `name`, which must be in the set, filled with context. False when something was left out
 * because it was nested deeper than MUSTACHE_DEPTH_MAX; a template that includes itself without end is stopped soon.
 */
bool mustache_render(const struct mustache *m, const char *name, const json_t *context, struct sink *out);
