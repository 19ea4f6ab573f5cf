#include "cmd/cmd.h"
#include "cmd/confine.h"

#include "util/system/file.h"
#include "util/system/signals.h"
#include "util/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct command commands[] = {
    {"report", "[OPTIONS] PATH...", "print the summary and write the report (the default)",
     "PATH is a TORCH_TRACE directory, a trace file, a text with TORCH_LOGS output or\n"
     "tracebacks, a torchrun --log-dir or torch_compile_debug directory (files may be\n"
     "gzip), or - for standard input; several are read together. The report is\n"
     "DIR/index.html, one file that can be attached to a bug report, and\n"
     "DIR/report.json, the same facts for programs.\n",
     CMD_REPORT, cmd_report},
    {"summary", "[OPTIONS] PATH...", "print the summary alone",
     "Fast: few payloads are read. The exit status is as for report.\n", CMD_SUMMARY, cmd_summary},
    {"show", "[OPTIONS] PATH [ID] [WHAT]", "print one thing from a trace or a log",
     "  show DIR                  all compiles\n"
     "  show DIR 0/1              what is known of compile [0/1]\n"
     "  show DIR 0/1 output_code  its output code; any artifact by its name or a short\n"
     "                            one: graph, joint, forward, backward, post_grad,\n"
     "                            output_code, guards, runnable\n"
     "  show DIR 0/1 metrics      its metrics; also: stack, inputs, symbols\n"
     "  show DIR 0/1 guards --failed\n"
     "                            its guards that later calls did not fit\n"
     "  show DIR train_step       the compiles of a function\n"
     "  show DIR train.py:31      all that is known of a line\n"
     "  show DIR --grep PATTERN   lines of graphs, code, logs (a regular expression)\n"
     "  show DIR 8f14e45f         the payload with this MD5 (6 digits or more), as the\n"
     "                            report names it\n"
     "On a terminal long output goes through $PAGER, or less -R.\n",
     CMD_SHOW, cmd_show},
    {"export", "--format FORMAT [OPTIONS] PATH...", "print the facts in another format",
     "Formats, and whom they are for:\n"
     "  markdown   an issue as PyTorch's form asks for it, findings first, up to 60 kB\n"
     "  json       programs: what report.json holds\n"
     "  tables     databases: the lists of report.json, one JSON object a line; with\n"
     "             -o DIR/ each in a file of its own\n"
     "  csv        spreadsheets, data frames: the same tables, a file each (-o DIR)\n"
     "  sqlite     SQL: the same tables in a database (-o FILE)\n"
     "  raw        scripts: every record as it was written, one JSON object a line\n"
     "  perfetto   Perfetto, chrome://tracing, speedscope: the timeline\n"
     "  speedscope https://www.speedscope.app: the timeline, a profile for each track\n"
     "  collapsed  flame graphs: stacks of the timeline, with microseconds\n"
     "  sarif      editors and code review: findings with their places\n"
     "  junit      CIs that show tests: a case for each finding, which fails from\n"
     "             severity high on\n"
     "  tlparse    programs that read tlparse's JSON files and payloads (-o DIR)\n",
     CMD_EXPORT, cmd_export},
    {"digest", "[OPTIONS] PATH... -o FILE.digest", "keep what was read in a small file, for merge",
     "A digest holds all that is in a report but the payloads (graphs, code), of which\n"
     "it knows where they are. One per rank, made where the trace lies; see merge.\n",
     CMD_DIGEST, cmd_digest},
    {"merge", "[OPTIONS] FILE.digest...", "one report of many digests",
     "The report is the same as from one call on all the traces. Payloads are read\n"
     "from the files that the digests were made of, where these are as they were.\n"
     "With -o OUT.digest the digests become one, which can be merged again.\n",
     CMD_MERGE, cmd_merge},
    {"index", "[OPTIONS] DB [PATH...]", "keep many runs in a database, and show how they changed",
     "DB is an SQLite file, which is made when it is not there. What lies directly in\n"
     "PATH is one source of runs, and so is each of its folders; a source of which no\n"
     "file changed is not read again. --report writes a page of what is in DB;\n"
     "--remove takes the runs of PATH out of it, be their files there or not.\n",
     CMD_INDEX, cmd_index},
    {"run", "[OPTIONS] [--] CMD [ARGS...]", "run a program with tracing, and report",
     "CMD is run as it is, in an environment that makes PyTorch trace and log what\n"
     "fits the question; its output is passed on and kept. Traces, logs, the report\n"
     "and workload.yaml, which runs the same again (-c), go into a new directory.\n",
     CMD_RUN, cmd_run},
    {"follow", "[OPTIONS] PATH...", "watch compiles while a program runs",
     "PATH is the directory in TORCH_TRACE, which need not be there yet, or what\n"
     "report takes. Says what is being compiled and for how long, and prints compiles,\n"
     "graph breaks, recompiles and errors as they come, with what to do; ranks that\n"
     "write nothing while others do. Ends with Ctrl-C. What only the end of a run\n"
     "decides is in report's findings.\n",
     CMD_FOLLOW, cmd_follow},
    {"check", "[LIMITS] PATH...", "fail when a run has more than a CI allows",
     "PATH is what report takes, or a report.json. Exits with 1 when something is\n"
     "beyond the limits, and lists it, worst first. Without limits: no errors, no\n"
     "recompile limit, no critical finding. With --baseline only what is new counts,\n"
     "and without limits that is any graph break, recompile or error, and any finding\n"
     "from medium on.\n"
     "\n"
     "  pt2trace check --max-graph-breaks 0 --own-path src/shop TRACES\n"
     "\n"
     "--allow takes the id of a finding (break-print), the number of a type of graph\n"
     "break (GB0025), a file or a pattern (vendor/*), or a line (train.py:31). A\n"
     "policy file has the same words as keys, with _ for -, and `functions:` with\n"
     "limits for each.\n",
     CMD_CHECK, cmd_check},
    {"diff", "[OPTIONS] A [B]", "say what differs between two runs",
     "A and B are what report takes, or a report.json: two runs of one program, before\n"
     "and after a change, or with two versions of PyTorch. With --ranks or --epochs\n"
     "one PATH is enough:\n"
     "\n"
     "  pt2trace diff --ranks 0,1 TRACES\n"
     "  pt2trace diff --epochs 1,2 TRACES\n"
     "\n"
     "Functions are matched by file and name or by their graph, compiles by their\n"
     "graphs, graph breaks by what they are and the code around them. Times differ\n"
     "when it is by half a second and a fifth at least, and by more than repeats\n"
     "(run --repeats) of one run do.\n",
     CMD_DIFF, cmd_diff},
    {"mcp", "[--allow-run] [DIR...]", "serve agents (Model Context Protocol) on stdin and stdout",
     "For the settings of an agent: the command is pt2trace, its argument mcp. Tools\n"
     "summarize a trace, list and explain findings, show artifacts in slices, search,\n"
     "compare and check. Only what lies in DIR is read, where any is given. Programs\n"
     "are run only with --allow-run. Text of a trace is fenced and called data.\n",
     CMD_MCP, cmd_mcp},
    {"findings", "[OPTIONS] [ID...|PATH...]", "list what can be found, or what was found in PATH",
     "Without an ID, all findings that there are: what each detects, what decides its\n"
     "severity, and where PyTorch's documentation says more. With IDs their pages:\n"
     "what a report says, a program that has it, the program mended, and which tests\n"
     "prove it. With paths: the findings of these traces and logs, with their ids.\n",
     CMD_FINDINGS, cmd_findings},
};
const size_t command_count = sizeof commands / sizeof *commands;

void complain(const char *fmt, ...)
{
    struct buf b = {0};
    va_list ap;

    buf_str(&b, STR("pt2trace: "));
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    /* The text may contain file names from someone's archive: no escape sequence may reach the terminal. */
    utf8_make_harmless(b.p, b.n, false);
    buf_char(&b, '\n');
    fwrite(b.p, 1, b.n, stderr);
    buf_free(&b);
}

/*
 * If the caller closed a standard descriptor, the next file that is opened would get its number, and messages for the
 * terminal would go into that file. /dev/null takes its place, opened in the opposite direction, so that using it is
 * still an error.
 */
static void hold_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            _exit(EXIT_IO);
}

/* The output of --help and --version is only written now. A reader that stops early is no error. */
static int flush_help(int status)
{
    if (fflush(stdout) == 0 || errno == EPIPE)
        return status;
    complain("standard output: %s", strerror(errno));
    return EXIT_IO;
}

int main(int argc, char **argv)
{
    struct options o;
    int rc;

    hold_standard_descriptors();

    /*
     * If a reader goes away (`| head`), write() returns an error instead of a signal; so does a file at its size
     * limit.
     */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    signals_clean_up();
    if (argc < 2) {
        options_help(NULL);
        return flush_help(EXIT_USAGE);
    }
    rc = options_parse(&o, argc, argv);
    if (rc)
        return rc < 0 ? flush_help(EXIT_DONE) : rc;
    rc = o.command->run(&o);
    confine_end();
    return rc;
}
