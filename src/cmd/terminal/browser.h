/* browser: opens the report in a browser. On systems that cannot start programs (browser_none.c), nothing happens. */
#pragma once

/*
 * Call it before anything is read: prepares browser_open for the page in `directory`. Only if text_fd is a terminal of
 * a user with a desktop, never in a batch job.
 */
void browser_prepare(const char *directory, int text_fd);

/* Opens the page; does nothing if it was not prepared. */
void browser_open(void);
