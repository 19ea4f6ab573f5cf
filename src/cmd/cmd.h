/*
 * cmd: the subcommands. One row of `commands` in main.c per subcommand, one file each; they turn options into calls.
 */
#pragma once

#include "cmd/options.h"

#include <stddef.h>
#include <sys/types.h>

enum exit_code {
    EXIT_DONE = 0,
    EXIT_FOUND = 1, /* check found a violation, diff what --fail-on names; --strict and the trace is damaged */
    EXIT_USAGE = 2,
    EXIT_IO = 3,      /* input or output failed */
    EXIT_NOTHING = 4, /* nothing in the input could be read as a trace */
};

struct command {
    const char *name;
    const char *usage;   /* what follows the name */
    const char *summary; /* one line */
    const char *text;    /* for --help, below the usage */
    unsigned mask;       /* its bit in option rows */
    int (*run)(const struct options *o);
};

enum command_mask {
    CMD_REPORT = 1,
    CMD_SUMMARY = 2,
    CMD_SHOW = 4,
    CMD_EXPORT = 8,
    CMD_FINDINGS = 16,
    CMD_DIGEST = 32,
    CMD_MERGE = 64,
    CMD_INDEX = 128,
    CMD_RUN = 256,
    CMD_CHECK = 512,
    CMD_DIFF = 1024,
    CMD_MCP = 2048,
    CMD_FOLLOW = 4096,
    CMD_REPORTS = CMD_REPORT | CMD_MERGE,
    CMD_ALL = CMD_REPORTS | CMD_SUMMARY | CMD_SHOW | CMD_EXPORT, /* that read traces and show what is in them */
    CMD_ANY = CMD_ALL | CMD_FINDINGS | CMD_DIGEST | CMD_INDEX | CMD_RUN | CMD_CHECK | CMD_DIFF | CMD_MCP | CMD_FOLLOW
};

extern const struct command commands[];
extern const size_t command_count;

int cmd_report(const struct options *o);
int cmd_summary(const struct options *o);
int cmd_show(const struct options *o);
int cmd_export(const struct options *o);
int cmd_findings(const struct options *o);
int cmd_digest(const struct options *o);
int cmd_merge(const struct options *o);
int cmd_index(const struct options *o);
int cmd_run(const struct options *o);
extern const char run_feature[]; /* for --version; empty where `run` does not work */
int cmd_check(const struct options *o);
int cmd_diff(const struct options *o);
int cmd_follow(const struct options *o);
int cmd_mcp(const struct options *o);

/* The main job on these paths: the summary, and the report in o->output. The exit status. */
int report_paths(const struct options *o, const char *const *paths, size_t n);

/* Before anything is read: whether a report may go where it should. 0, or the exit status after a complaint. */
int report_check_output(const struct options *o);

/*
 * Follows a directory while a program runs, in a process of its own that prints to standard error. Its id, or -1; to be
 * ended when the program ended, which makes it say what is new by then.
 */
pid_t follow_apart(const struct options *o, const char *path);
void follow_apart_end(pid_t child);

/* "pt2trace: ..." on stderr, with a newline. */
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
