/*
 * mustache: fills templates with JSON values. It implements the part of the mustache language that the templates use:
 * {{x}}, {{{x}}}, {{#x}}, {{^x}}, {{>x}} and {{.}}. Comments, delimiters, dotted names and inheritance are errors.
 *
 * A set of templates is parsed once and is read-only from then on: any number of threads may render from it, each
 * with a context and a sink of its own. Output goes to the sink as it is made; memory depends on how deep templates
 * are nested, not on how much is written.
 *
 * Where the specification leaves a choice:
 * - {{#x}} is skipped, and {{^x}} shown, for a missing value, null, false, "" and []. 0 counts as a value (rank 0).
 * - {{x}} is empty for a missing value, null, an array and an object. Reals have up to 15 digits, or up to 17 where
 *   fewer would read back as another number; a whole real has no decimal point.
 */
#pragma once

#include "util/arena.h"
#include "util/system/file.h"

#include <jansson.h>

enum {
    /*
     * Templates rendered inside each other. Deeper ones are left out, so that a partial that includes itself comes to
     * an end whatever the data, and rendering needs less than 512 KiB of stack.
     */
    MUSTACHE_DEPTH_MAX = 64,
};

struct template_text {
    const char *name;
    struct str text; /* must outlive the set */
};

struct mustache;

/*
 * Parses a set of templates into the arena. A malformed template is a bug of ours, not of our input: the result is
 * then NULL, and *error is a text in the arena, "NAME:LINE: what is wrong".
 */
struct mustache *mustache_new(struct arena *a, const struct template_text *texts, size_t count, struct str *error);

/*
 * Writes the template `name`, which must be in the set, filled with context. False if anything was left out because it
 * was nested deeper than MUSTACHE_DEPTH_MAX; a template that includes itself without end is stopped soon.
 */
bool mustache_render(const struct mustache *m, const char *name, const json_t *context, struct sink *out);
