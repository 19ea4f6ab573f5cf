#include "cmd/commands/cmd.h"

const struct command commands[] = {
    {"report", "[OPTIONS] PATH...", "print the summary and write the report (the default)",
     "PATH is a TORCH_TRACE directory, a trace file, a text with TORCH_LOGS output or\n"
     "tracebacks, a torchrun --log-dir or torch_compile_debug directory (files may be\n"
     "gzip), or - for standard input; several are read together. The report is\n"
     "DIR/index.html, one file that can be attached to a bug report, and\n"
     "DIR/report.json, the same facts for programs.\n",
     CMD_REPORT, cmd_report},
    {"summary", "[OPTIONS] PATH...", "print only the summary",
     "Fast: few payloads are read. The exit status is as for report.\n", CMD_SUMMARY, cmd_summary},
    {"show", "[OPTIONS] PATH [ID] [WHAT]", "print one thing from a trace or a log",
     "  show DIR                  all compiles\n"
     "  show DIR 0/1              everything about compile [0/1]\n"
     "  show DIR 0/1 output_code  its output code; any artifact by its name or a short\n"
     "                            one: graph, joint, forward, backward, post_grad,\n"
     "                            output_code, guards, runnable\n"
     "  show DIR 0/1 metrics      its metrics; also: stack, inputs, symbols\n"
     "  show DIR 0/1 guards --failed\n"
     "                            its guards that failed in later calls\n"
     "  show DIR train_step       the compiles of a function\n"
     "  show DIR train.py:31      everything about a line\n"
     "  show DIR --grep PATTERN   matching lines of graphs, code, logs (a regex)\n"
     "  show DIR 8f14e45f         the payload with this MD5 (6 digits or more), as the\n"
     "                            report names it\n"
     "On a terminal long output goes through $PAGER, or less -R.\n",
     CMD_SHOW, cmd_show},
    {"export", "--format FORMAT [OPTIONS] PATH...", "print the facts in another format",
     "Formats, and who they are for:\n"
     "  markdown   an issue as PyTorch's form requires it, findings first, up to 60 kB\n"
     "  json       programs: the contents of report.json\n"
     "  tables     databases: the lists of report.json, one JSON object per line;\n"
     "             with -o DIR/ each in a file of its own\n"
     "  csv        spreadsheets, data frames: the same tables, a file each (-o DIR)\n"
     "  sqlite     SQL: the same tables in a database (-o FILE)\n"
     "  raw        scripts: every record as it was written, one JSON object per line\n"
     "  perfetto   Perfetto, chrome://tracing, speedscope: the timeline\n"
     "  speedscope https://www.speedscope.app: the timeline, a profile for each track\n"
     "  collapsed  flame graphs: stacks of the timeline, with microseconds\n"
     "  sarif      editors and code review: findings with their places\n"
     "  junit      CIs that show tests: a case for each finding, which fails from\n"
     "             severity high on\n"
     "  tlparse    programs that read tlparse's JSON files and payloads (-o DIR)\n",
     CMD_EXPORT, cmd_export},
    {"digest", "[OPTIONS] PATH... -o FILE.digest", "write the records to a small file, for merge",
     "A digest contains everything in a report except the payloads (graphs, code), for\n"
     "which it records the location. Make one per rank, next to its trace; see merge.\n",
     CMD_DIGEST, cmd_digest},
    {"merge", "[OPTIONS] FILE.digest...", "one report of many digests",
     "The report is the same as from one call with all the traces. Payloads are read\n"
     "from the files that the digests were made from, if they have not changed.\n"
     "With -o OUT.digest the digests become one, which can be merged again.\n",
     CMD_MERGE, cmd_merge},
    {"index", "[OPTIONS] DB [PATH...]", "keep many runs in a database, and show how they changed",
     "DB is an SQLite file, which is created if it does not exist. The files directly\n"
     "in PATH are one source of runs, and so is each of its folders; a source without\n"
     "changed files is not read again. --report writes a page about the runs in DB;\n"
     "--remove removes the runs of PATH, whether their files still exist or not.\n",
     CMD_INDEX, cmd_index},
    {"run", "[OPTIONS] [--] CMD [ARGS...]", "run a program with tracing, and report",
     "CMD is run unchanged, in an environment that makes PyTorch trace and log what\n"
     "the question needs; its output is passed on and kept. Traces, logs, the report\n"
     "and workload.yaml, which repeats the run (-c), go into a new directory.\n",
     CMD_RUN, cmd_run},
    {"follow", "[OPTIONS] PATH...", "watch compiles while a program runs",
     "PATH is the directory in TORCH_TRACE, which need not exist yet, or any PATH of\n"
     "report. Shows what is being compiled and for how long, and prints compiles,\n"
     "graph breaks, recompiles and errors as they happen, with advice; also ranks that\n"
     "write nothing while others do. Ends with Ctrl-C. Verdicts that need the end of\n"
     "the run are in report's findings.\n",
     CMD_FOLLOW, cmd_follow},
    {"check", "[LIMITS] PATH...", "fail if a run exceeds the limits of a CI",
     "PATH is any PATH of report, or a report.json. Exits with 1 if something exceeds\n"
     "the limits, and lists it, worst first. Without limits: no errors, no recompile\n"
     "limit, no critical finding. With --baseline only new things count, and without\n"
     "limits that is any graph break, recompile or error, and any finding of severity\n"
     "medium or worse.\n\n"
     "  pt2trace check --max-graph-breaks 0 --own-path src/shop TRACES\n\n"
     "--allow takes the id of a finding (break-print), the number of a type of graph\n"
     "break (GB0025), a file or a pattern (vendor/*), or a line (train.py:31). A\n"
     "policy file has the same words as keys, with _ for -, and `functions:` with\n"
     "limits for each.\n",
     CMD_CHECK, cmd_check},
    {"diff", "[OPTIONS] A [B]", "show the differences between two runs",
     "A and B are PATHs of report, or report.json files: runs of one program, before\n"
     "and after a change, or with two versions of PyTorch. With --ranks or --epochs\n"
     "one PATH is enough:\n\n"
     "  pt2trace diff --ranks 0,1 TRACES\n"
     "  pt2trace diff --epochs 1,2 TRACES\n\n"
     "Functions are matched by file and name or by their graph, compiles by their\n"
     "graphs, graph breaks by their kind and the code around them. Times differ if\n"
     "the difference is at least half a second and 20 %, and more than between repeats\n"
     "(run --repeats) of one run.\n",
     CMD_DIFF, cmd_diff},
    {"mcp", "[--allow-run] [DIR...]", "serve agents (Model Context Protocol) on stdin and stdout",
     "For the settings of an agent: the command is pt2trace, its argument mcp. Tools\n"
     "summarize a trace, list and explain findings, show artifacts in slices, search,\n"
     "compare and check. If DIR is given, only files in it are read. Programs are run\n"
     "only with --allow-run. Text from a trace is fenced and labeled as data.\n",
     CMD_MCP, cmd_mcp},
    {"findings", "[OPTIONS] [ID...|PATH...]", "list all findings, or the findings in PATH",
     "Without an ID, all kinds of findings: what each detects, what determines its\n"
     "severity, and a link to PyTorch's documentation. With IDs their pages: the text\n"
     "of the report, an example program, the fixed program, and which tests prove it.\n"
     "With paths: the findings in these traces and logs, with their ids.\n",
     CMD_FINDINGS, cmd_findings},
};
const size_t command_count = sizeof commands / sizeof *commands;
