/*
 * gpu_activity: how a trial's kernels are measured (--gpu-activity): by a library of ours that the CUDA driver loads
 * into the program, by torch.profiler through the hook, or by Nsight Systems where it is installed. One thread.
 */
#pragma once

#include "relaunch/workload/command_line.h"
#include "relaunch/workload/environment.h"

enum gpu_recorder { GPU_NOT_RECORDED, GPU_CUPTI, GPU_KINETO, GPU_NSYS, GPU_RECORDERS };

/* "cupti", "kineto", "nsys"; an empty text is none. False for any other. */
bool gpu_recorder_of(struct str name, enum gpu_recorder *out);

/* Why it cannot be used on this machine: a sentence; empty when it can. */
struct str gpu_recorder_missing(struct arena *a, enum gpu_recorder recorder);

/*
 * Makes the recorder write into `dir`, which is there: by the environment, or by a program before the command. True
 * when the hook has to be on PYTHONPATH for it.
 */
bool gpu_activity_apply(enum gpu_recorder recorder, const char *dir, struct environment *e, struct command_line *line);
