/*
 * bare_line: one line of a trace without what the file put around it: NUL bytes before it (a page that a full disk or
 * a crash left), the prefix of a launcher, colour codes. The reader of traces and payload_read both look at lines
 * through this, so that reading a payload back gives what was read first. Any thread.
 */
#pragma once

#include "input/launcher.h"

enum line_sort {
    LINE_BLANK,   /* nothing, or a lone CR */
    LINE_PAYLOAD, /* begins with a tab */
    LINE_RECORD,  /* begins with a glog prefix; what follows that may still be no record */
    LINE_OTHER,
};

struct bare_line {
    enum line_sort sort;
    struct str text;          /* all of the line from the tab or the glog prefix on; of other lines, all but the NULs */
    struct launcher launcher; /* of payload and record lines */
    size_t nuls;              /* before it */
    bool plain;               /* nothing was taken off */
};

/* `known` as in launcher_split; `colourless` holds a line whose colour codes were removed, until the next call. */
void bare_line(struct str line, struct str known, struct buf *colourless, struct bare_line *out);

/* The text of a payload line: without its tab, and without the CR that the file adds when `crlf` says that it does. */
struct str bare_payload(struct str text, bool crlf);
