/*
 * cmd: the subcommands. One row of `commands` in main.c per subcommand, one file each; they turn options into calls.
 */
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
