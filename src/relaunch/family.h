/*
 * family: the processes that descend from this one, in whatever session and process group they are: torchrun puts each
 * worker into a session of its own, and a worker whose parent died would otherwise be nobody's. One thread.
 */
#pragma once

#include <stddef.h>

/* From now on a descendant whose parent dies becomes a child of this process, and has to be waited for. */
void family_adopt(void);

/* Sends the signal to all of them; how many there are. */
size_t family_signal(int signal);

/* Kills what is there and what it starts meanwhile, and waits for what has become a child of ours. */
void family_kill(void);
