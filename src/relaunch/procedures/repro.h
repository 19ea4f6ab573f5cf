/*
 * repro: runs graphs of a trace by themselves: the fx_graph_runnable that PyTorch writes for each graph is a program
 * that compiles and runs it. The first one is the base, the others are trials. One thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"
#include "util/digest.h"

struct repro {
    struct str name;  /* the name of its file and its trial: "0_1", "0_1_backward", "0_1.rank3" */
    struct str title; /* "[0/1]", "[0/1] backward" */
    struct str text;
    struct digest same; /* of the text without the parts that differ between ranks that did the same */
    struct str failure; /* the exception of its compile in the trace; empty if there was none */
    bool cuda;          /* its inputs are on a CUDA device */
    bool symbolic;      /* its sizes are symbolic */
};

struct repros {
    VEC(struct repro) list;
    size_t processes; /* processes that have what was requested */
    size_t repeated;  /* graphs that another process also has; they are taken once */
    size_t hits;      /* requested compiles that came from a cache: they have no program */
    bool all;
};

/*
 * Takes the programs of one compile ("0/1"), or of all compiles ("all"), from the trace at `path`. False, with the
 * reason in *error, if there is none.
 */
bool repro_take(struct arena *a, const char *path, struct str id, unsigned threads, struct repros *out,
                struct str *error);

/* Call it before rerun_begin: makes a workload that runs one of them. */
void repro_workload(struct arena *a, struct workload *w);

/*
 * Call it after rerun_begin: writes them into the output directory; the first becomes the workload. 0 or -errno with
 * r->failure.
 */
int repro_write(struct rerun *r, struct workload *w, const struct repros *repros);

/* Call it after the base: runs the others and draws conclusions about all of them. 0 or -errno with r->failure. */
int repro_run(struct rerun *r, const struct repros *repros);
