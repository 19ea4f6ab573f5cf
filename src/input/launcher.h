/*
 * launcher: the prefixes that launchers, container runtimes and terminals put before every line of a process's output,
 * and therefore before the lines of a trace that went through them. Any thread.
 *
 *   [rank0]:  [trainer0|1]:   [default0]:   [1,0]<stdout>:   (EngineCore pid=42)   2026-11-21T07:54:38.027Z
 *   stdout F   web-1  |   3: (srun --label)   node-3: (pdsh)   [2026-11-21 07:54:38,027]   and ANSI color codes
 *
 * A line of a trace begins with a tab (payload) or with a glog prefix (record), so a prefix is only recognized if one
 * of the two follows it.
 */
#pragma once

#include "util/buf.h"

struct launcher {
    struct str prefix; /* all of it; line lifetime, empty if there is none */
    struct str key;    /* the part that names the writer, without times: equal for all lines of a process */
    int rank;          /* if the prefix has it, else -1 */
};

/*
 * Splits the prefix off: *rest is the line without it. `known` is a prefix seen earlier in this file that the grammar
 * above does not cover (or empty); it is compared literally. Returns false if neither a tab nor a record follows;
 * *rest is then the whole line.
 */
bool launcher_split(struct str line, struct str known, struct launcher *out, struct str *rest);

/*
 * The prefix of a line about which nothing else is known: times, and one token that names a writer (two if the second
 * is "[rank0]:"). False if there is none. The result is a guess: any text may begin like that.
 */
bool launcher_take(struct str line, struct launcher *out, struct str *rest);
/* Whether a key has the form of a rank: "[rank0]:", "[default0]:", "[trainer0|1]:". */
bool launcher_names_rank(struct str key);
/* Whether it contains the number of a rank or of a process: "(VllmWorker rank=4 pid=842)" does, "node-3:" does not. */
bool launcher_names_process(struct str key);

/* Appends s without ANSI escape sequences (CSI, and OSC up to its end). */
void ansi_strip(struct buf *out, struct str s);
static inline bool ansi_present(struct str s)
{
    return str_chr(s, '\x1b') >= 0;
}
