/*
 * options: the command line. All options are rows of one table in options.c, so that the parser, --help and the
 * documentation agree.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct command;

enum { LIST_MAX = 64 };

/* The values of an option that can be given several times. */
struct option_list {
    const char *v[LIST_MAX];
    int n;
};

struct options {
    const struct command *command;
    const char *const *argv; /* as given, for report.json */
    int argc;
    const char *const *args; /* the remaining arguments: paths; valid until the next call of options_parse */
    int args_n;

    const char *output; /* --output */
    bool overwrite;
    bool latest;
    bool no_browser;
    bool strict;
    bool strict_compile_id;
    const char *custom_header; /* --custom-header-html: raw HTML */
    const char *artifacts;     /* none, overflow, all */
    const char *max_html_size;
    uint64_t max_html_bytes;
    const char *jobs;
    unsigned threads;
    const char *color; /* auto, always, never */
    bool quiet;
    bool no_sandbox;
    bool verify, no_verify;
    bool accepted;            /* options that ask for what is done anyway */
    const char *port;         /* from tlparse's server: accepted as well */
    int text_fd;              /* where the summary goes; 1 is standard output */
    const char *labels;       /* --labels: a file */
    const char *source_root;  /* a directory */
    const char *rank;         /* show: of one rank */
    const char *grep;         /* show: a regular expression */
    bool allow_run;           /* mcp: a tool that runs programs */
    bool once, json;          /* follow */
    const char *html;         /* follow: a directory for the page */
    bool failed;              /* show: only guards that failed */
    const char *reader;       /* export --format markdown: the value "agent" */
    const char *format;       /* export: a row of export.c */
    const char *title, *note; /* the sender's words */
    bool redact, skeleton;
    const char *redact_map; /* a file that lists what the placeholders stand for */
    struct check_options {
        const char *policy, *baseline; /* files */
        const char *graph_breaks, *recompiles, *compile_time, *fail_on;
        bool no_errors, no_recompile_limit, cache_hits;
        struct option_list fullgraph, own_paths, allow;
    } check;
    struct option_list diff_fail_on;
    const char *ranks, *epochs;        /* diff: "0,1": one for each side */
    const char *commit, *host, *label; /* index: facts about the runs */
    bool gate;                         /* index: fail if the newest runs are worse */
    bool report;                       /* index: write the page of the database */
    bool remove;                       /* index: remove the runs of these paths */
    bool markdown;                     /* findings: as a table */
    struct run_options {
        const char *config; /* -c: a workload file */
        const char *why;    /* a row of analysis/answers/questions.c */
        const char *python, *directory, *launcher, *ranks, *repeats, *time_limit, *kill_after, *gpus, *torch_logs;
        struct option_list environment; /* NAME=VALUE, or NAME to take it out */
        bool follow;
        bool cold, warm, show_logs, exit_zero;
        bool ablate, bisect, minify, fix;
        bool fullgraph; /* what-if runs in addition to the base */
        const char *dynamic, *backend, *mode, *recompile_limit, *disable, *set;
        struct option_list checks, check_files;
        const char *rtol, *atol, *fix_limit;
        const char *rank_output;  /* this process is one rank, started by a launcher that we started */
        const char *repro;        /* a compile id: run only its graph, from a trace */
        const char *gpu_activity; /* cupti, kineto, nsys */
        bool gpu;                 /* the workload needs a GPU */
    } run;
    bool help, version;
};

/*
 * Parses argv. Returns 0, or the exit status to end with (after usage errors, and after --help and --version, which
 * print).
 */
int options_parse(struct options *o, int argc, char **argv);

/* Prints the help of a command, or of the program if NULL. */
void options_help(const struct command *c);
