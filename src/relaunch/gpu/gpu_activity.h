/*
 * gpu_activity: sets up how a trial's kernels are measured (--gpu-activity): by our library, which the CUDA driver
 * loads into the program; by torch.profiler, through the hook; or by Nsight Systems, if it is installed. One thread.
 */
#pragma once

#include "relaunch/workload/command_line.h"
#include "relaunch/workload/environment.h"

enum gpu_recorder { GPU_NOT_RECORDED, GPU_CUPTI, GPU_KINETO, GPU_NSYS, GPU_RECORDERS };

/* "cupti", "kineto", "nsys"; an empty text means none. False for anything else. */
bool gpu_recorder_of(struct str name, enum gpu_recorder *out);

/* Why it cannot be used on this machine, as a sentence; empty if it can. */
struct str gpu_recorder_missing(struct arena *a, enum gpu_recorder recorder);

/*
 * Makes the recorder write into the existing directory `dir`, through the environment or with a program before the
 * command. True if it needs the hook on PYTHONPATH.
 */
bool gpu_activity_apply(enum gpu_recorder recorder, const char *dir, struct environment *e, struct command_line *line);
