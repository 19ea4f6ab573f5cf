/*
 * interrupts: SIGINT, SIGTERM, SIGHUP and SIGQUIT, which would end this program. They are blocked while it runs other
 * programs, so that it can end those first, and report on them. Ignored signals (nohup) stay ignored. Threads that
 * start later block them, too. One thread.
 */
#pragma once

/*
 * Blocks them from now on, and also SIGWINCH, which signals that the terminal's size changed. May be called several
 * times.
 */
void interrupts_hold(void);

/* For a process that is about to become another program: restores signals as they were before. */
void interrupts_restore(void);

/* A descriptor that is readable if a signal has arrived. */
int interrupts_fd(void);

/* The next signal that arrived; 0 if there is none. SIGWINCH counts. */
int interrupts_next(void);

/* Takes all signals that have arrived. Returns the first one that ends programs, or 0. */
int interrupts_pending(void);

/*
 * From now on the first signal prints `notice`, and the second ends this program as it would without interrupts_hold.
 */
void interrupts_warn_first(const char *notice);
