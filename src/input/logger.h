/*
 * logger: what a logger of any program puts before a message: a time, a level, names, in any order that is in use.
 *
 *   2024-05-06 07:08:09,123 - shop.train - INFO - text     logging, as most programs set it up
 *   05-06-2024 07:08:09 ERROR [shop:shop.py:sell:0151] text
 *   [INFO|shop.py:151] 2024-05-06 07:08:09,123 >> text      DEBUG:shop.train:text
 *   2024-05-06 07:08:09.123 | ERROR    | shop:sell:151 - text
 *   INFO 05-06 07:08:09 [shop.py:151] text                  2024-05-06 07:08:09 [info     ] text
 *
 * PyTorch's own prefix is read by glog.h. Any thread.
 */
#pragma once

#include "util/str.h"

/* Takes the prefix off a line; *level is a letter as in glog.h. False, with nothing taken, if the line has no level. */
bool logger_take(struct str *line, char *level);

/* Whether a logger wrote the line and says that nothing failed: INFO, DEBUG and below. */
bool logger_only_informs(struct str line);
