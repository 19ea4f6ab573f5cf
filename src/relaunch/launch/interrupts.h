/*
 * interrupts: SIGINT, SIGTERM, SIGHUP and SIGQUIT, which would end this program: held while it runs others, so that it
 * ends those first, and reports on them. Signals that are ignored (nohup) stay so. Threads that are made later hold
 * them, too. One thread.
 */
#pragma once

/* From now on they are held; SIGWINCH, too, which says that the terminal has another size. Any number of calls. */
void interrupts_hold(void);

/* For a process that is to become another program: signals are as they were before. */
void interrupts_restore(void);

/* A descriptor that is readable when one came. */
int interrupts_fd(void);

/* The next that came; 0 when there is none. SIGWINCH counts. */
int interrupts_next(void);

/* Takes all that came while nobody looked. The first of them that ends programs, or 0. */
int interrupts_pending(void);

/* From now on the first one prints `notice`, and the second ends this program as it would without interrupts_hold. */
void interrupts_warn_first(const char *notice);
