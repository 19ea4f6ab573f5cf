/* cmd: the subcommands. Each has a row of `commands` in cmd.c and a file that turns options into calls. */
#pragma once

#include "cmd/command.h"
#include "cmd/options.h"

#include <sys/types.h>

int cmd_report(const struct options *o);
int cmd_summary(const struct options *o);
int cmd_show(const struct options *o);
int cmd_export(const struct options *o);
int cmd_findings(const struct options *o);
int cmd_digest(const struct options *o);
int cmd_merge(const struct options *o);
int cmd_index(const struct options *o);
int cmd_run(const struct options *o);
int cmd_check(const struct options *o);
int cmd_diff(const struct options *o);
int cmd_follow(const struct options *o);
int cmd_mcp(const struct options *o);

/* The main command on these paths: the summary, and the report in o->output. Returns the exit status. */
int report_paths(const struct options *o, const char *const *paths, size_t n);

/*
 * Checks, before anything is read, whether a report can be written to its place. 0, or the exit status after an error
 * message.
 */
int report_check_output(const struct options *o);

/*
 * Follows a directory while a program runs, in a child process that prints to standard error. Returns its id, or -1.
 * Terminate it when the program has ended: it then prints what is new by then.
 */
pid_t follow_apart(const struct options *o, const char *path);
void follow_apart_end(pid_t child);
