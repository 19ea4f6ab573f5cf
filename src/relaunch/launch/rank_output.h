/*
 * rank_output: runs one rank of a job whose launcher (mpirun, srun) mixes the output of all ranks, and stores the
 * rank's output in files of its own, in the layout of torchrun's --log-dir. One thread.
 */
#pragma once

/*
 * Runs the words, which end with NULL. *status: the exit status as in a shell. 0, or -errno if nothing could be
 * started.
 */
int rank_output_run(const char *dir, const char *const *words, int *status);
