/*
 * paste_chars: repairs of characters within lines; how many lines there are does not change. Private to paste.c. Any
 * thread.
 */
#pragma once

#include "util/arena.h"

/*
 * Each: whether the text shows the damage, and then *text without it, in the arena. Only what stands in the words of a
 * traceback or a message of PyTorch counts as damage: programs may print anything.
 */
bool paste_decode(struct arena *a, struct str *text);     /* UTF-16 and byte-order marks to UTF-8 */
bool paste_tags(struct arena *a, struct str *text);       /* tags of a notebook's page around colored words */
bool paste_entities(struct arena *a, struct str *text);   /* "File &quot;/x.py&quot;" */
bool paste_backslashes(struct arena *a, struct str *text); /* "File \"/x.py\", line 3" with a backslash before each " */
bool paste_typography(struct arena *a, struct str *text); /* no-break spaces, curled quotation marks */
bool paste_scanned(struct arena *a, struct str *text);    /* "torch. _dynamo.exc" of a picture */
bool paste_colors(struct arena *a, struct str *text);    /* "[36m(worker pid=7)[0m" */
bool paste_links(struct arena *a, struct str *text);      /* "[/x.py:3](http://...)" */
bool paste_bold(struct arena *a, struct str *text);       /* "took **3.1 s**" */
bool paste_carets(struct arena *a, struct str *text);     /* "^M" at the end of each line, where a pager shows CR */
bool paste_overprints(struct arena *a, struct str *text); /* a progress bar and CR before what overwrote it */
