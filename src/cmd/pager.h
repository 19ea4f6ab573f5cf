/* pager: long texts for people. Where no program can be started (pager_none.c), there is none. One thread. */
#pragma once

#include "util/str.h"

/*
 * Shows the text in $PAGER, or in less -R, when `fd` is a terminal and the text is longer than it. False when it is to
 * be printed as it is: no terminal, no pager, or PAGER is empty or cat.
 */
bool pager_show(int fd, struct str text);
