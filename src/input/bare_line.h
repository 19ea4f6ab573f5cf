/*
 * bare_line: one line of a trace without what surrounds it in the file: NUL bytes (a page that a full disk or a crash
 * left), the prefix of a launcher, color codes. The trace reader and payload_read both use it, so that reading a
 * payload back gives the same text as the first time. Any thread.
 */
#pragma once

#include "input/launcher.h"

enum line_sort {
    LINE_BLANK,   /* nothing, or a lone CR */
    LINE_PAYLOAD, /* begins with a tab */
    LINE_RECORD,  /* begins with a glog prefix; what follows may still not be a record */
    LINE_OTHER,
};

struct bare_line {
    enum line_sort sort;
    /* payload and record lines: from the tab or the glog prefix on; other lines: all but the NUL bytes */
    struct str text;
    struct launcher launcher; /* only for payload and record lines */
    size_t nuls;              /* NUL bytes before it */
    bool plain;               /* nothing was removed */
};

/* `known`: see launcher_split. `colorless` holds a line whose color codes were removed, until the next call. */
void bare_line(struct str line, struct str known, struct buf *colorless, struct bare_line *out);

/*
 * The text of a payload line: without its tab, and without the CR at its end if `crlf` says that the file has added
 * one.
 */
struct str bare_payload(struct str text, bool crlf);
