/*
 * terminal: a pseudo-terminal for a program's output if our own output is a terminal, so that the program still writes
 * to one and keeps its colors, progress bars and width. The program's input is the real terminal, which it shares with
 * us as under `time`, so job control and Ctrl-C are the terminal's own. One thread.
 */
#pragma once

#include <stdbool.h>

/* Whether this process has a controlling terminal. */
bool terminal_is_there(void);

/*
 * Opens a pseudo-terminal with the size and modes of `like`, a terminal. ends[0] is for us to read from, ends[1] for
 * the program. The program's output arrives unchanged. 0 or -errno.
 */
int terminal_open(int like, int ends[2]);

/* Turns the terminal behind `end` (its ends[0]) into one as terminal_open makes it. */
void terminal_adopt(int end, int like);

/* Gives it the size of `like`. */
void terminal_resize(int end, int like);
