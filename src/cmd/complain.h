/* complain: messages for the person who called a command. Any thread. */
#pragma once

/* "pt2trace: ..." on stderr, with a newline. */
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
