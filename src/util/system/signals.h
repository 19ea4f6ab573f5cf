/*
 * signals: SIGINT, SIGTERM and SIGHUP end the program, and leave no temporary file behind. Where there are no signals
 * (signals_none.c), the functions do nothing.
 */
#pragma once

/* Makes them, where they are not ignored, remove the temporary files and end the program. */
void signals_clean_up(void);

/* Makes them remove one file or empty directory more, before those that were named earlier. */
void signals_remove(const char *path);
/* Forgets those whose names begin like this: from now on they may be files of another process. */
void signals_forget_below(const char *path);

/*
 * These signals wait. For all threads but the one that makes files, which must not go on making them while they are
 * removed; and for that one while files get their places, until signals_unblock.
 */
void signals_block(void);
void signals_unblock(void);
