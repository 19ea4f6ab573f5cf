/*
 * debug_file: the files that TORCH_COMPILE_DEBUG=1 and the minifier leave behind, recognized by their paths. Any
 * thread.
 *
 *   run_2026_11_21_08_10_31_248992-pid_357/           local time and process id (torch/_dynamo/utils.py, get_debug_dir)
 *     torchdynamo/debug.log                           messages of torch._dynamo without any prefix
 *     torchinductor/aot_model___0_debug.log           messages of AOTAutograd
 *     torchinductor/model__0_forward_1.0/             one graph: NAME__AOTID_GRAPH_NUMBER.COUNTER, or NAME.debug
 *       fx_graph_runnable.py, ir_pre_fusion.txt, output_code.py, ...       (torch/_inductor/debug.py)
 *     minifier/minifier_launcher.py, minifier/checkpoints/                 (torch/_dynamo/repro)
 *
 * A single graph's folder is recognized without the run's folder around it.
 */
#pragma once

#include "input/glog.h"

struct debug_file {
    struct glog began; /* when the folder of the run was created, and by which process; month 0 if there is none */
    /* the graph's folder, or another part that distinguishes files of one name; a view into the path */
    struct str graph;
    struct str name;    /* the artifact that the whole file is; empty if it is none */
    struct str why_not; /* set if the file is of no use */
    bool is_log;        /* messages without any prefix, all of one process */
};

/* Empty for a path that does not belong to such a directory. Views point into the path, or are static. */
struct debug_file debug_file_of(struct str path);

/* The 0 of "model__0_forward_1.0". False if the name of the folder has none. */
bool debug_file_aot_id(struct str graph, uint64_t *id);
