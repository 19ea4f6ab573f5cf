/* command: describes a subcommand, and the table of all of them: `commands` in commands/cmd.c has a row for each. */
#pragma once

#include <stddef.h>

enum exit_code {
    EXIT_DONE = 0,
    EXIT_FOUND = 1, /* check found a violation; diff found what --fail-on names; --strict and the trace is damaged */
    EXIT_USAGE = 2,
    EXIT_IO = 3,      /* input or output failed */
    EXIT_NOTHING = 4, /* the input has nothing that can be read as a trace */
};

struct options;

struct command {
    const char *name;
    const char *usage;   /* the text after the name */
    const char *summary; /* one line */
    const char *text;    /* for --help, below the usage */
    unsigned mask;       /* its bit in the rows of options */
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
    /* commands that read traces and show what is in them */
    CMD_ALL = CMD_REPORTS | CMD_SUMMARY | CMD_SHOW | CMD_EXPORT,
    CMD_ANY = CMD_ALL | CMD_FINDINGS | CMD_DIGEST | CMD_INDEX | CMD_RUN | CMD_CHECK | CMD_DIFF | CMD_MCP | CMD_FOLLOW
};

extern const struct command commands[];
extern const size_t command_count;

extern const char run_feature[]; /* for --version; empty if `run` does not work */
