/* pager: long texts for people. Where no program can be started (pager_none.c), there is none. One thread. */
#pragma once

#include "util/str.h"

/* Before anything is read: what pager_show may need, when `fd` is a terminal and PAGER is neither empty nor cat. */
void pager_prepare(int fd);

/*
 * Shows the text in $PAGER, or in less -R, when pager_prepare found a terminal and the text is longer than it. False
 * when it is to be printed as it is.
 */
bool pager_show(int fd, struct str text);
