/*
 * hook_report: what the hook reported of a launch: which processes imported PyTorch, and with which settings; which
 * calls of torch.compile there were; what did not fit; where the processes were when they were asked. The files are
 * written by the user's processes: they are read as any input is. Texts live in the arena. One thread.
 */
#pragma once

#include "model/experiment.h"

struct hook_process {
    int64_t pid, rank, attempt; /* rank -1: none */
    struct str torch, cuda, python, executable;
    struct str trace;      /* TORCH_TRACE, as PyTorch saw it */
    bool tool;             /* a launcher, or a compile worker */
    bool forked;           /* from another that is listed */
    setting_list settings; /* of the names that were asked for */
};

struct hook_call {
    struct str backend, mode, dynamic, fullgraph; /* as the program gave them; empty: not given */
    bool options;
    bool changed; /* by what was asked */
};

struct hook_report {
    size_t pythons; /* processes that loaded the hook, whatever they imported then */
    VEC(struct hook_process) processes;
    VEC(struct hook_call) calls;
    VEC(struct str) patched; /* names of patches (patch.h) that are in the program, each once per process */
    VEC(struct str) refused; /* what was asked and did not fit, as sentences */
    struct str inner; /* the directory of a `pt2trace run` that the program is, or starts; empty: there is none */
};

/* What lies in the file; nothing when there is none. */
void hook_report_read(struct arena *a, const char *path, struct hook_report *out);

/* When this program itself was started by a `pt2trace run`: that one learns of our directory. */
void hook_report_ourselves(struct str directory);

/* The first process that was not forked from another, and is no tool; NULL when there is none. */
const struct hook_process *hook_report_main(const struct hook_report *r);

const struct hook_process *hook_report_find(const struct hook_report *r, int64_t pid);

/*
 * Stacks that processes wrote into a directory, in the order of their process ids. Each process makes a file at start:
 * those of processes that were never asked are empty, and removed. Returns how many files there were.
 */
size_t hook_stacks_read(struct arena *a, const char *dir, struct trial *t);

/* The lines of a file, each once, at most `max`. */
typedef VEC(struct str) hook_lines;
void hook_lines_read(struct arena *a, const char *path, size_t max, hook_lines *out);
