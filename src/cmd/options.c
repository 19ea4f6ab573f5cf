#include "cmd/options.h"

#include "cmd/command.h"
#include "cmd/complain.h"
#include "output/export/export.h"
#include "util/formats/database.h"
#include "util/formats/deflate.h"
#include "util/formats/yaml.h"
#include "util/mem.h"
#include "util/nearest.h"
#include "util/str.h"
#include "util/system/pool.h"
#include "util/system/sandbox.h"

#include <getopt.h>
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { THREADS_MAX = 256 };

struct option_row {
    const char *name;
    char letter;
    const char *argument; /* its name in --help; NULL for a flag; with "..." it can be given several times */
    unsigned commands;
    size_t offset;    /* the offset of a bool or a const char * in struct options */
    const char *help; /* NULL: internal */
};

#define FIELD(f) offsetof(struct options, f)

static const struct option_row rows[] = {
    {"output", 'o', "DIR", CMD_REPORT, FIELD(output), "where the report goes (default: pt2trace_out)"},
    {"output", 'o', "OUT", CMD_MERGE, FIELD(output),
     "where the report goes (default: pt2trace_out);\nOUT.digest makes a digest of all instead"},
    {"output", 'o', "FILE", CMD_DIGEST, FIELD(output), "the digest (default: pt2trace.digest)"},
    {"overwrite", 0, NULL, CMD_REPORTS | CMD_INDEX, FIELD(overwrite),
     "accepted for scripts: a report that pt2trace wrote\nthere is replaced anyway"},
    {"latest", 0, NULL, CMD_ALL | CMD_CHECK | CMD_DIFF, FIELD(latest),
     "only the newest run of the job in the directory"},
    {"no-browser", 0, NULL, CMD_REPORTS, FIELD(no_browser), "do not open the report"},
    {"artifacts", 0, "WHICH", CMD_REPORTS, FIELD(artifacts),
     "payloads as files too: none, all, or those left out\nof the page (overflow); default none"},
    {"max-html-size", 0, "SIZE", CMD_REPORTS | CMD_FOLLOW, FIELD(max_html_size),
     "maximum size of the page (default 25M)"},
    {"labels", 0, "FILE", CMD_REPORTS | CMD_SUMMARY, FIELD(labels), "your own names for artifacts and frames (YAML)"},
    {"source-root", 0, "DIR", CMD_CHECK, FIELD(source_root),
     "where the sources are (default: here): places are\nrelative to it"},
    {"source-root", 0, "DIR", CMD_ALL, FIELD(source_root),
     "take lines of code that the trace lacks from files\nbelow DIR, if they are the traced ones"},
    {"for", 0, "agent", CMD_EXPORT, FIELD(reader), "for an agent: texts from the trace are fenced"},
    {"grep", 0, "PATTERN", CMD_SHOW, FIELD(grep), "lines of payloads that match it (as grep -E)"},
    {"failed", 0, NULL, CMD_SHOW, FIELD(failed), "only guards that failed in later calls"},
    {"rank", 0, "N", CMD_SHOW, FIELD(rank), "only of this rank"},
    {"strict", 0, NULL, CMD_REPORTS | CMD_SUMMARY | CMD_EXPORT, FIELD(strict), "exit with 1 if the trace is damaged"},
    {"strict-compile-id", 0, NULL, CMD_REPORTS | CMD_SUMMARY | CMD_EXPORT, FIELD(strict_compile_id),
     "exit with 1 if a compile's records have no id"},
    {"custom-header-html", 0, "HTML", CMD_REPORTS, FIELD(custom_header), "put this at the top of the page, as it is"},
    {"format", 0, "FORMAT", CMD_EXPORT, FIELD(format), "one of those above"},
    {"output", 'o', "FILE", CMD_EXPORT, FIELD(output), "where it goes (default: standard output)"},
    {"title", 0, "TEXT", CMD_REPORTS | CMD_INDEX | CMD_EXPORT, FIELD(title), "title at the top of the report"},
    {"note", 0, "TEXT", CMD_REPORTS | CMD_EXPORT, FIELD(note), "your note to the reader, below the title"},
    {"redact", 0, NULL, CMD_ALL | CMD_DIGEST, FIELD(redact), "replace your names, paths and texts by placeholders"},
    {"skeleton", 0, NULL, CMD_ALL | CMD_DIGEST, FIELD(skeleton),
     "keep only ids, times, counts and kinds: no code,\nno messages, no payloads"},
    {"redact-map", 0, "FILE", CMD_ALL | CMD_DIGEST, FIELD(redact_map),
     "write the meaning of placeholders; keep it private"},
    {"max-graph-breaks", 0, "N", CMD_CHECK, FIELD(check.graph_breaks), "at most N graph breaks (distinct places)"},
    {"max-recompiles", 0, "N", CMD_CHECK, FIELD(check.recompiles), "at most N recompiles on a rank"},
    {"max-compile-time", 0, "TIME", CMD_CHECK, FIELD(check.compile_time), "at most 90s, 1.5s, 15min, 2h of compiling"},
    {"no-errors", 0, NULL, CMD_CHECK, FIELD(check.no_errors), "nothing fails"},
    {"no-recompile-limit", 0, NULL, CMD_CHECK, FIELD(check.no_recompile_limit),
     "no function reaches the recompile limit"},
    {"require-cache-hits", 0, NULL, CMD_CHECK, FIELD(check.cache_hits), "every cache lookup is a hit"},
    {"fail-on", 0, "SEVERITY", CMD_CHECK, FIELD(check.fail_on),
     "no finding of this severity or worse: critical,\nhigh, medium, low, info"},
    {"fullgraph", 0, "FUNC...", CMD_CHECK, FIELD(check.fullgraph), "FUNC (or file.py:FUNC) is compiled, as one graph"},
    {"own-path", 0, "DIR...", CMD_CHECK, FIELD(check.own_paths),
     "count only graph breaks and recompiles whose\ninnermost line outside PyTorch is below DIR"},
    {"allow", 0, "WHAT...", CMD_CHECK, FIELD(check.allow), "ignore this"},
    {"policy", 0, "FILE", CMD_CHECK, FIELD(check.policy), "limits from a file (YAML)"},
    {"baseline", 0, "FILE", CMD_CHECK, FIELD(check.baseline), "a report.json: ignore what it already has"},
    {"format", 0, "FORMAT", CMD_DIFF, FIELD(format), "text (the default), markdown, json, html: a page"},
    {"fail-on", 0, "WHAT...", CMD_DIFF, FIELD(diff_fail_on),
     "exit with 1 if there are new breaks, recompiles,\nerrors, findings, other graphs, more time, or any\ndifference"},
    {"ranks", 0, "A,B", CMD_DIFF, FIELD(ranks), "rank A of the first PATH, and rank B of the second,\nor of the same"},
    {"epochs", 0, "A,B", CMD_DIFF, FIELD(epochs),
     "compiles between two calls of\ntorch._dynamo.reset(): the first is epoch 1"},
    {"output", 'o', "FILE", CMD_DIFF, FIELD(output), "where it goes (default: standard output)"},
    {"format", 0, "FORMAT", CMD_CHECK, FIELD(format), "text (the default), github, gitlab, junit, sarif,\njson"},
    {"output", 'o', "FILE", CMD_CHECK, FIELD(output), "where it goes (default: standard output)"},
    {"verify", 0, NULL, CMD_ALL | CMD_DIGEST, FIELD(verify), "check digests of payloads (report and export do)"},
    {"no-verify", 0, NULL, CMD_ALL | CMD_DIGEST, FIELD(no_verify), "do not check them (default of summary and show)"},
    {"jobs", 'j', "N", CMD_ALL | CMD_DIGEST | CMD_INDEX | CMD_CHECK | CMD_DIFF | CMD_FOLLOW, FIELD(jobs),
     "threads to use (default: one per processor)"},
    {"once", 0, NULL, CMD_FOLLOW, FIELD(once), "print the current state, and exit"},
    {"json", 0, NULL, CMD_FOLLOW, FIELD(json), "one JSON object per line, for programs"},
    {"html", 0, "DIR", CMD_FOLLOW, FIELD(html),
     "also write a report to DIR, which reloads itself\n"
     "until following ends"},
    {"no-sandbox", 0, NULL, CMD_ALL | CMD_DIGEST | CMD_INDEX | CMD_CHECK | CMD_DIFF | CMD_FOLLOW, FIELD(no_sandbox),
     "keep access to files other than those named"},
    {"report", 0, NULL, CMD_INDEX, FIELD(report), "write a page with trends and regressions"},
    {"gate", 0, NULL, CMD_INDEX, FIELD(gate),
     "exit with 1 if the newest run of a program is\nworse than the previous one, and list how"},
    {"commit", 0, "ID", CMD_INDEX, FIELD(commit), "the commit of your code in these runs"},
    {"host", 0, "NAME", CMD_INDEX, FIELD(host), "the machine of these runs"},
    {"label", 0, "TEXT", CMD_INDEX, FIELD(label), "your label for them: only runs with the same label\nare compared"},
    {"remove", 0, NULL, CMD_INDEX, FIELD(remove), "remove the runs of PATH from DB; files stay"},
    {"output", 'o', "DIR", CMD_INDEX, FIELD(output), "where the page goes (default: pt2trace_out)"},
    {"markdown", 0, NULL, CMD_FINDINGS, FIELD(markdown), "as a table in Markdown"},
    {"config", 'c', "FILE", CMD_RUN, FIELD(run.config), "the workload in YAML, instead of CMD"},
    {"output", 'o', "DIR", CMD_RUN, FIELD(output),
     "a new directory for traces, logs and report\n(default: pt2trace_run, pt2trace_run.2, ...)"},
    {"why", 0, "WHAT", CMD_RUN, FIELD(run.why),
     "the question; it chooses settings, and the report\n"
     "begins with the answer: breaks, recompiles, errors,\n"
     "slow-compile, accuracy, crash, cache, kernels"},
    {"follow", 0, NULL, CMD_RUN, FIELD(run.follow),
     "print compiles and breaks while it runs (only for\nthe first of several launches)"},
    {"cold", 0, NULL, CMD_RUN, FIELD(run.cold), "with separate, empty caches"},
    {"warm", 0, NULL, CMD_RUN, FIELD(run.warm), "run twice with separate caches; report on the\nsecond run"},
    {"time-limit", 0, "TIME", CMD_RUN, FIELD(run.time_limit),
     "end it after 90s, 15min, 2h (status 124); with\n--fix: all launches together"},
    {"kill-after", 0, "TIME", CMD_RUN, FIELD(run.kill_after), "from SIGTERM, or Ctrl-C, to SIGKILL (default 10s)"},
    {"repeats", 0, "N", CMD_RUN, FIELD(run.repeats), "launch it N times, and compare"},
    {"launcher", 0, "HOW", CMD_RUN, FIELD(run.launcher), "put torchrun, mpirun or srun before CMD"},
    {"ranks", 0, "N", CMD_RUN, FIELD(run.ranks), "processes that the launcher starts"},
    {"env", 0, "NAME=VALUE...", CMD_RUN, FIELD(run.environment), "set a variable; NAME alone removes it"},
    {"python", 0, "PATH", CMD_RUN, FIELD(run.python), "the interpreter to use for python in CMD"},
    {"directory", 'C', "DIR", CMD_RUN, FIELD(run.directory), "where CMD runs"},
    {"gpus", 0, "LIST", CMD_RUN, FIELD(run.gpus), "CUDA_VISIBLE_DEVICES"},
    {"torch-logs", 0, "LIST", CMD_RUN, FIELD(run.torch_logs), "TORCH_LOGS, instead of the choice for --why"},
    {"show-logs", 0, NULL, CMD_RUN, FIELD(run.show_logs), "also print the output of TORCH_LOGS (always kept)"},
    {"check", 0, "REGEX...", CMD_RUN, FIELD(run.checks), "compare what it captures in the outputs of trials"},
    {"check-file", 0, "FILE...", CMD_RUN, FIELD(run.check_files), "compare a file that CMD writes: text, .npy, .pt"},
    {"rtol", 0, "X", CMD_RUN, FIELD(run.rtol), "relative tolerance of the checks"},
    {"atol", 0, "X", CMD_RUN, FIELD(run.atol), "absolute tolerance of the checks"},
    {"ablate", 0, NULL, CMD_RUN, FIELD(run.ablate),
     "run it without torch.compile, then with one stage\nof the compiler more each time"},
    {"bisect", 0, NULL, CMD_RUN, FIELD(run.bisect), "find the stage, and the pass, from which it fails"},
    {"minify", 0, NULL, CMD_RUN, FIELD(run.minify), "find a small program that fails in the same way"},
    {"fix", 0, NULL, CMD_RUN, FIELD(run.fix),
     "try the advice of each finding in the program, and\nreport measurements; files are not changed"},
    {"fix-limit", 0, "N", CMD_RUN, FIELD(run.fix_limit), "maximum number of launches for --fix (default: 20)"},
    {"fullgraph", 0, NULL, CMD_RUN, FIELD(run.fullgraph), "what if: a graph break is an error"},
    {"dynamic", 0, "HOW", CMD_RUN, FIELD(run.dynamic), "what if: dynamic shapes true, false or none"},
    {"backend", 0, "NAME", CMD_RUN, FIELD(run.backend), "what if: another backend; none: no torch.compile"},
    {"mode", 0, "NAME", CMD_RUN, FIELD(run.mode), "what if: another mode of torch.compile"},
    {"recompile-limit", 0, "N", CMD_RUN, FIELD(run.recompile_limit), "what if: another recompile limit"},
    {"disable", 0, "FUNCTIONS", CMD_RUN, FIELD(run.disable), "what if: Dynamo skips these (pkg.mod.f,...)"},
    {"set", 0, "CONFIG", CMD_RUN, FIELD(run.set), "what if: torch._inductor.config.NAME=VALUE;..."},
    {"repro", 0, "ID", CMD_RUN, FIELD(run.repro),
     "run the graph of this compile alone, or of all; CMD\nis a PATH with the trace"},
    {"rank-output", 0, "DIR", CMD_RUN, FIELD(run.rank_output), NULL},
    {"gpu", 0, NULL, CMD_RUN, FIELD(run.gpu), "refuse to start without a usable GPU"},
    {"gpu-activity", 0, "HOW", CMD_RUN, FIELD(run.gpu_activity), "measure kernels: cupti, kineto or nsys"},
    {"exit-zero", 0, NULL, CMD_RUN, FIELD(run.exit_zero), "exit with 0 even if CMD fails"},
    {"pass-exit", 0, NULL, CMD_RUN, FIELD(accepted), NULL},
    {"jobs", 'j', "N", CMD_RUN, FIELD(jobs), "threads to read traces with"},
    {"no-browser", 0, NULL, CMD_RUN, FIELD(no_browser), "do not open the report"},
    {"quiet", 'q', NULL, CMD_RUN, FIELD(quiet), "no summary; CMD prints as usual"},
    {"allow-run", 0, NULL, CMD_MCP, FIELD(allow_run), "also offer a tool that runs programs"},
    {"color", 0, "WHEN", CMD_ANY, FIELD(color), "auto, always or never; NO_COLOR is honored"},
    {"quiet", 'q', NULL, CMD_ALL | CMD_DIGEST | CMD_INDEX | CMD_CHECK | CMD_DIFF | CMD_FOLLOW, FIELD(quiet),
     "no summary, no progress: errors only"},
    {"verbose", 'v', NULL, CMD_REPORTS, FIELD(accepted), "accepted: unknown records are always listed"},
    {"plain-text", 'p', NULL, CMD_REPORTS, FIELD(accepted), "accepted: payloads are plain text"},
    {"export", 'e', NULL, CMD_REPORTS, FIELD(accepted), "accepted: export records are always shown"},
    {"inductor-provenance", 'i', NULL, CMD_REPORTS, FIELD(accepted), "accepted: provenance is always shown"},
    {"all-ranks-html", 0, NULL, CMD_REPORTS, FIELD(accepted), "accepted: all ranks are always shown"},
    {"serve", 0, NULL, CMD_REPORTS, FIELD(accepted), "accepted: a report of one file needs none"},
    {"port", 0, "N", CMD_REPORTS, FIELD(port), "accepted, as --serve"},
    {"help", 'h', NULL, CMD_ANY, FIELD(help), "this text"},
    {"version", 'V', NULL, CMD_ANY, FIELD(version), "version, and the libraries in use"},
};

enum { ROWS = sizeof rows / sizeof *rows };

enum { HELP_COLUMN = 29 };

/* "  -o, --output DIR" up to the column of the help text, which starts on the next line if this is longer. */
static void print_option(const struct option_row *row)
{
    bool letter = row->letter != '\0';
    int n = printf("  %s%c%s--%s%s%s", letter ? "-" : " ", letter ? row->letter : ' ', letter ? ", " : "  ", row->name,
                   row->argument ? " " : "", row->argument ? row->argument : "");

    if (n < HELP_COLUMN)
        printf("%*s", HELP_COLUMN - n, "");
    else
        printf("\n%*s", HELP_COLUMN, "");
}

static void print_options(unsigned mask, const char *title)
{
    printf("\n%s:\n", title);
    for (int i = 0; i < ROWS; i++) {
        const char *help = rows[i].help, *newline;

        if (!(rows[i].commands & mask) || !help)
            continue;
        print_option(&rows[i]);
        for (; (newline = strchr(help, '\n')) != NULL; help = newline + 1)
            printf("%.*s\n%*s", (int)(newline - help), help, HELP_COLUMN, "");
        printf("%s\n", help);
    }
}

void options_help(const struct command *c)
{
    if (c) {
        printf("Usage: pt2trace %s %s\n\n%s\n\n%s", c->name, c->usage, c->summary, c->text);
        print_options(c->mask, "Options");
        return;
    }
    printf("Usage: pt2trace [COMMAND] [OPTIONS] PATH...\n\n"
           "Reads the records of the PyTorch 2 compiler (TORCH_TRACE, TORCH_LOGS) and\n"
           "says what was compiled, where the graph broke, why it was compiled again, what\n"
           "failed and what cost the time.\n\n"
           "  TORCH_TRACE=/tmp/trace python train.py    collect a trace\n"
           "  pt2trace /tmp/trace                       summary and pt2trace_out/index.html\n"
           "  pt2trace train.log                        the same from the text of a terminal\n\n"
           "Commands:\n");
    for (size_t i = 0; i < command_count; i++)
        printf("  %-9s %s\n", commands[i].name, commands[i].summary);
    printf("\nWithout a command: report. `pt2trace COMMAND --help` shows more.\n");
    print_options(CMD_REPORT, "Options of report");
    printf("\n"
           "Exit status: 0 done, 1 check failed, or --strict and the trace is damaged,\n"
           "2 usage, 3 input or output failed, 4 nothing in the input is a trace or a log.\n");
}

/* A library's name is "no NAME" in builds without it. */
static const char *unless_absent(const char *library, const char *feature)
{
    return strncmp(library, "no ", 3) == 0 ? "" : feature;
}

static void print_version(void)
{
    printf("pt2trace %s\nwith jansson %s, zlib %s, %s, %s, %s\n", PT2TRACE_VERSION, jansson_version_str(),
           zlibVersion(), deflate_library(), yaml_library(), database_library());
    printf("features: reports%s%s%s\n", run_feature, unless_absent(yaml_library(), ", labels and policies"),
           unless_absent(database_library(), ", databases"));
    printf("sandbox: %s\n", sandbox_describe());
}

/* "25M", "25MB", "1048576", "1.5G": powers of 1000. */
static bool parse_size(const char *text, uint64_t *out)
{
    static const char units[] = "kKmMgG";
    char *end;
    bool decimal = str_is_digit(*text) && !strpbrk(text, "xX"); /* strtod accepts more than that */
    double v = strtod(text, &end);
    const char *unit = *end ? strchr(units, *end) : NULL;

    if (!decimal || v > 1e15)
        return false;
    if (unit) {
        for (long power = (unit - units) / 2 + 1; power > 0; power--)
            v *= 1000;
        end++;
    }
    if (*end == 'B' || *end == 'b')
        end++;
    *out = (uint64_t)v;
    return *end == '\0' && v < 1e15;
}

static int usage_error(const struct options *o, const char *what, const char *value)
{
    complain("%s%s%s; see pt2trace %s --help", what, value ? ": " : "", value ? value : "", o->command->name);
    return EXIT_USAGE;
}

static bool one_of(const char *v, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(v, *words) == 0)
            return true;
    return false;
}

static int check_values(struct options *o)
{
    static const char *const whens[] = {"auto", "always", "never", NULL}, *const which[] = {"none", "overflow", "all",
                                                                                            NULL};
    uint64_t jobs = 0;

    if (o->jobs && (!str_u64(str_of(o->jobs), &jobs) || jobs < 1 || jobs > THREADS_MAX))
        return usage_error(o, "-j must be a number from 1 to 256", o->jobs);
    o->threads = o->jobs ? (unsigned)jobs : pool_default_threads();
    if (o->threads > THREADS_MAX)
        o->threads = THREADS_MAX;
    if (!one_of(o->color, whens))
        return usage_error(o, "--color must be auto, always or never", o->color);
    if (!one_of(o->artifacts, which))
        return usage_error(o, "--artifacts must be none, overflow or all", o->artifacts);
    if (!parse_size(o->max_html_size, &o->max_html_bytes))
        return usage_error(o, "--max-html-size must be a size such as 25M", o->max_html_size);
    if (o->output && *o->output == '\0')
        return usage_error(o, "-o needs a name", NULL);
    if (o->command->mask == CMD_EXPORT && (!o->format || !export_find(o->format)))
        return usage_error(o, "export needs --format and one of its formats", o->format);
    if (o->command->mask == CMD_EXPORT && !export_find(o->format)->write && strcmp(o->output, "-") == 0)
        return usage_error(o, "this format needs -o FILE", o->format);
    if (o->command->mask == CMD_EXPORT && export_find(o->format)->as_it_is && (o->redact || o->skeleton))
        return usage_error(o, "this format contains the original trace and cannot be redacted", o->format);
    if (o->reader && (strcmp(o->reader, "agent") != 0 || !o->format || strcmp(o->format, "markdown") != 0))
        return usage_error(o, "--for must be agent, and needs --format markdown", o->reader);
    if (o->verify && o->no_verify)
        return usage_error(o, "--verify and --no-verify exclude each other", NULL);
    if (o->redact_map && !o->redact && !o->skeleton)
        return usage_error(o, "--redact-map only works with --redact or --skeleton", NULL);
    if (o->command->mask == CMD_INDEX && o->args_n == 1 && o->remove)
        return usage_error(o, "--remove needs the PATH whose runs should be removed", NULL);
    if (o->command->mask == CMD_INDEX && o->args_n == 1 && !o->report && !o->gate)
        return usage_error(o, "index DB wants a PATH to add, --report or --gate", NULL);
    if (o->command->mask == CMD_RUN)
        return o->args_n || o->run.config ? 0 : usage_error(o, "nothing to run; put it after --, or use -c FILE", NULL);
    return o->args_n || o->command->mask & (CMD_FINDINGS | CMD_MCP) ? 0 : usage_error(o, "no PATH given", NULL);
}

static const struct command *find_command(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < command_count; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

/* The getopt tables of one command; codes are row numbers, beyond all letters. */
static void make_tables(unsigned mask, struct option *longs, char *letters)
{
    int n = 0;

    /* everything after the first word that is not an option belongs to the workload */
    if (mask == CMD_RUN)
        *letters++ = '+';
    for (int i = 0; i < ROWS; i++) {
        if (!(rows[i].commands & mask))
            continue;
        longs[n++] = (struct option){rows[i].name, rows[i].argument ? required_argument : no_argument, NULL, 256 + i};
        if (rows[i].letter) {
            *letters++ = rows[i].letter;
            if (rows[i].argument)
                *letters++ = ':';
        }
    }
    longs[n] = (struct option){0};
    *letters = '\0';
}

static const struct option_row *row_of(int code, unsigned mask)
{
    for (int i = 0; i < ROWS; i++)
        if ((rows[i].commands & mask) && (code == 256 + i || (rows[i].letter && code == rows[i].letter)))
            return &rows[i];
    return NULL;
}

/* False if a list is full. */
static bool store(struct options *o, const struct option_row *row)
{
    char *field = (char *)o + row->offset;
    struct option_list *list = (struct option_list *)field;

    if (row->argument && strstr(row->argument, "...")) {
        if (list->n == LIST_MAX)
            return false;
        list->v[list->n++] = optarg;
    } else if (row->argument) {
        *(const char **)field = optarg;
    } else {
        *(bool *)field = true;
    }
    return true;
}

/* "--overwite (did you mean --overwrite?)": the option as it was written, without its argument. */
static int unknown_option(const struct options *o, const char *word)
{
    struct str written = {word, strcspn(word, "=")};
    struct nearest near = nearest_to(str_skip(written, written.n < 2 ? written.n : 2));

    for (int i = 0; i < ROWS; i++)
        if (rows[i].commands & o->command->mask)
            nearest_try(&near, str_of(rows[i].name));
    if (near.word.n)
        complain("unknown option: %.*s (did you mean --%.*s?); see pt2trace %s --help", STR_ARG(written),
                 STR_ARG(near.word), o->command->name);
    else
        complain("unknown option: %.*s; see pt2trace %s --help", STR_ARG(written), o->command->name);
    return EXIT_USAGE;
}

/* In a group of letters, the one that is not an option. */
static int bad_option(const struct options *o, char **argv)
{
    const char letter[] = {'-', (char)optopt, '\0'};
    bool is_letter = optopt > 0 && optopt < 256;

    if (optopt && row_of(optopt, o->command->mask))
        return usage_error(o, "an argument is missing, or there is one too many",
                           is_letter ? letter : argv[optind - 1]);
    if (is_letter)
        return usage_error(o, "unknown option", letter);
    return unknown_option(o, argv[optind - 1]);
}

/* If a word in the place of a command resembles a command and is not the name of a file, it was not meant as a path. */
static const char *meant_command(int argc, char **argv)
{
    struct nearest near;

    if (argc < 2 || argv[1][0] == '-' || strpbrk(argv[1], "/.") || access(argv[1], F_OK) == 0)
        return NULL;
    near = nearest_to(str_of(argv[1]));
    for (size_t i = 0; i < command_count; i++)
        nearest_try(&near, str_of(commands[i].name));
    return near.word.n ? near.word.p : NULL;
}

/* getopt reorders what it parses, but the report shows the command as it was given. Valid until the next call. */
static char **copy_of(int argc, char **argv)
{
    static char **copy;

    copy = xrealloc(copy, ((size_t)argc + 1) * sizeof *copy);
    memcpy(copy, argv, ((size_t)argc + 1) * sizeof *copy);
    return copy;
}

static const char *default_output(const struct command *named)
{
    unsigned mask = named ? named->mask : 0;

    if (mask == CMD_EXPORT || mask == CMD_CHECK || mask == CMD_DIFF)
        return "-";
    return mask == CMD_DIGEST ? "pt2trace.digest" : mask == CMD_RUN ? NULL : "pt2trace_out";
}

int options_parse(struct options *o, int argc, char **argv)
{
    const struct command *named = find_command(argc, argv);
    struct option longs[ROWS + 1];
    char letters[2 * ROWS + 2];
    int code;

    *o = (struct options){.command = named ? named : &commands[0],
                          .argv = (const char *const *)argv,
                          .argc = argc,
                          .output = default_output(named),
                          .text_fd = 1,
                          .artifacts = "none",
                          .max_html_size = "25M",
                          .color = "auto"};
    argv = copy_of(argc, argv);
    if (!named && meant_command(argc, argv)) {
        complain("no such command: %s (did you mean %s?)", argv[1], meant_command(argc, argv));
        return EXIT_USAGE;
    }
    if (named) {
        argv++;
        argc--;
    }
    make_tables(o->command->mask, longs, letters);
    opterr = optind = 0; /* 0 makes getopt forget an earlier call */
    while ((code = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        const struct option_row *row = row_of(code, o->command->mask);

        if (!row)
            return bad_option(o, argv);
        if (!store(o, row))
            return usage_error(o, "too often", row->name);
    }
    o->args = (const char *const *)argv + optind;
    o->args_n = argc - optind;
    if (o->help || o->version) {
        o->version ? print_version() : options_help(named);
        return -1;
    }
    return check_values(o);
}
