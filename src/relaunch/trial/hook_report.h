/*
 * hook_report: reads what the hook reported about a launch: which processes imported PyTorch, and with which settings;
 * the calls of torch.compile; what did not apply; and where the processes were when they were asked. The user's
 * processes write these files, so they are read like any untrusted input. Texts live in the arena. One thread.
 */
#pragma once

#include "model/experiment.h"

struct hook_process {
    int64_t pid, rank, attempt; /* rank: -1 if there is none */
    struct str torch, executable;
    struct str trace;      /* TORCH_TRACE, as PyTorch saw it */
    bool tool;             /* a launcher, or a compile worker */
    bool forked;           /* from another process in the list */
    setting_list settings; /* the settings that were requested */
};

struct hook_call {
    struct str backend, mode, dynamic; /* as the program gave them; empty: not given */
    bool options;
    bool changed; /* by the requested changes */
};

struct hook_report {
    size_t pythons; /* processes that loaded the hook, whatever they imported later */
    VEC(struct hook_process) processes;
    VEC(struct hook_call) calls;
    VEC(struct str) patched; /* names of patches (patch.h) that are in the program, once per process */
    VEC(struct str) refused; /* requested changes that did not apply, as sentences */
    /* the directory of another `pt2trace run` that the program is or starts; empty if there is none */
    struct str inner;
};

/* Reads the file; the result is empty if there is none. */
void hook_report_read(struct arena *a, const char *path, struct hook_report *out);

/* If this program itself was started by a `pt2trace run`, reports our directory to it. */
void hook_report_ourselves(struct str directory);

/* The first process that was not forked from another one, and is not a tool; NULL if there is none. */
const struct hook_process *hook_report_main(const struct hook_report *r);

const struct hook_process *hook_report_find(const struct hook_report *r, int64_t pid);

/*
 * Reads the stacks that processes wrote into a directory, in the order of process ids. Each process creates a file at
 * its start; files of processes that were never asked are empty, and are removed. Returns the number of files.
 */
size_t hook_stacks_read(struct arena *a, const char *dir, struct trial *t);

/* The lines of a file, each once, at most `max`. */
typedef VEC(struct str) hook_lines;
void hook_lines_read(struct arena *a, const char *path, size_t max, hook_lines *out);
