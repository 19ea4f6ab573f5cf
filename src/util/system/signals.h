/*
 * signals: SIGINT, SIGTERM and SIGHUP end the program without leaving temporary files behind. On systems without
 * signals (signals_none.c), the functions do nothing.
 */
#pragma once

/* Makes these signals, unless they are ignored, remove the temporary files and end the program. */
void signals_clean_up(void);

/* Adds a file or empty directory to remove, before those added earlier. */
void signals_remove(const char *path);
/* Forgets all names that begin with this path: from now on they may belong to another process. */
void signals_forget_below(const char *path);

/*
 * Holds these signals back until signals_unblock. For all threads except the one that makes files, which must not keep
 * making files while they are removed; and for that one while it moves files to their places.
 */
void signals_block(void);
void signals_unblock(void);
