/* terminal: what is asked of a terminal. Where there are none (terminal_none.c), no file is one. */
#pragma once

/* The columns of the terminal on fd; 0 when it is none or does not say. */
unsigned terminal_columns(int fd);
