/* terminal: questions about a terminal. On systems without terminals (terminal_none.c), no file is one. */
#pragma once

/* The width of the terminal on fd in columns; 0 if it is not a terminal or does not say. */
unsigned terminal_columns(int fd);
