/*
 * family: the processes that descend from this one, in whatever session and process group they are: torchrun puts each
 * worker into a session of its own, daemons fork twice. One thread.
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/* From now on a descendant whose parent dies becomes a child of this process, which has to wait for it. */
void family_adopt(void);

enum family_part {
    FAMILY_ALL,
    FAMILY_GROUP,   /* members of one process group: those that a terminal would signal together */
    FAMILY_STOPPED, /* processes that SIGSTOP or the like stopped: they notice no signal until SIGCONT */
    FAMILY_CATCHING /* processes with a handler for the signal, which would end any other */
};

/* Sends the signal to this part of the family (`group` is for FAMILY_GROUP). Returns how many got it. */
size_t family_signal(enum family_part part, pid_t group, int signal);
