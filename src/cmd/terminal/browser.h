/* browser: shows the report that was written. Where no program can be started (browser_none.c), nothing is shown. */
#pragma once

/*
 * Before anything is read: what browser_open may need, for the page in `directory`. Only where text_fd is a terminal,
 * of a person with a desktop, never in a job.
 */
void browser_prepare(const char *directory, int text_fd);

/* Shows the page; nothing where it was not prepared. */
void browser_open(void);
