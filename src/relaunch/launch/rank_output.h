/*
 * rank_output: one rank of a job whose launcher (mpirun, srun) puts the output of all of them together: runs the rank's
 * command, and keeps what it writes in files of its own, in the form of torchrun's --log-dir. One thread.
 */
#pragma once

/*
 * Runs the words, which end with NULL. *status: how it ended, as a shell would say. 0, or -errno when nothing could be
 * started.
 */
int rank_output_run(const char *dir, const char *const *words, int *status);
