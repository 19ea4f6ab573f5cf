/*
 * terminal: a pseudo-terminal for what a program writes, where our own output goes to a terminal, so that the program
 * still writes to one: colors, progress bars and its width stay. Its input is the terminal itself, which it shares with
 * us as any program does with `time`: job control and Ctrl-C are the terminal's own. One thread.
 */
#pragma once

#include <stdbool.h>

/* Whether this process has a controlling terminal. */
bool terminal_is_there(void);

/*
 * A pseudo-terminal of the size and modes of `like`, a terminal. ends[0] is for us, to read from, ends[1] for the
 * program. What the program writes comes out as it was written. 0 or -errno.
 */
int terminal_open(int like, int ends[2]);

/* Makes the one behind `end` (its [0]) what terminal_open makes. */
void terminal_adopt(int end, int like);

/* Gives it the size of `like`. */
void terminal_resize(int end, int like);
