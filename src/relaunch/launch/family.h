/*
 * family: the descendants of this process, in any session and process group: torchrun puts each worker into its own
 * session, and daemons fork twice. One thread.
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/* From now on, a descendant whose parent dies becomes a child of this process, which must wait for it. */
void family_adopt(void);

enum family_part {
    FAMILY_ALL,
    FAMILY_GROUP,   /* members of one process group: those that a terminal would signal together */
    FAMILY_STOPPED, /* processes stopped by SIGSTOP or similar: they notice no signal until SIGCONT */
    FAMILY_CATCHING /* processes with a handler for the signal, which would terminate any other */
};

/* Sends the signal to this part of the family (`group` is for FAMILY_GROUP). Returns how many processes received it. */
size_t family_signal(enum family_part part, pid_t group, int signal);
