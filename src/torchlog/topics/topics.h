/*
 * topics: subjects of which a text without an error speaks, and whose answer is known, by words that stand anywhere in
 * it. Any thread.
 */
#pragma once

#include "text/stated/prose.h"
#include "torchlog/numbers/series.h"

/*
 * The topic of the text for this complaint or, if its writer makes none, for what the text is about: "TITLE: the line
 * that names it"; empty if there is none. Of several, the one of whose words the longest are in it. The first 64 KiB
 * of the text are read: what a person writes is shorter.
 */
struct series_found topics_find(struct arena *a, struct str text, enum complaint complaint, enum complaint subject);
