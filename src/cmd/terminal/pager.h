/*
 * pager: shows long texts in a pager. On systems that cannot start programs (pager_none.c), there is none. One thread.
 */
#pragma once

#include "util/str.h"

/* Call it before anything is read: prepares pager_show if `fd` is a terminal and PAGER is neither empty nor cat. */
void pager_prepare(int fd);

/*
 * Shows the text in $PAGER, or in less -R, if pager_prepare found a terminal and the text does not fit on it. False if
 * the caller should print it.
 */
bool pager_show(int fd, struct str text);
