#include "temp.h"

#include "cmd/command.h"
#include "cmd/complain.h"
#include "cmd/options.h"
#include "util/buf.h"

#include <stdarg.h>

/* In place of cmd/complain.c: what would be printed. */
static char complaint[500];

void complain(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(complaint, sizeof complaint, fmt, ap);
    va_end(ap);
}

static char *words[40];

/* Parses the words of a line. */
static int parse(struct options *o, const char *line)
{
    static char copy[500];
    int n = 0;

    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        words[n++] = word;
    words[n] = NULL;
    complaint[0] = '\0';
    return options_parse(o, n, words);
}

static void check_args(const struct options *o, const char *expected)
{
    struct buf b = {0};

    for (int i = 0; i < o->args_n; i++)
        buf_printf(&b, "%s%s", i ? " " : "", o->args[i]);
    assert_str(buf_view(&b), expected);
    buf_free(&b);
}

static void defaults(void **state)
{
    struct options o;

    (void)state;
    assert_int_equal(parse(&o, "pt2trace dir"), 0);
    assert_string_equal(o.command->name, "report");
    check_args(&o, "dir");
    assert_string_equal(o.output, "pt2trace_out");
    assert_string_equal(o.artifacts, "none");
    assert_string_equal(o.color, "auto");
    assert_int_equal(o.max_html_bytes, 25000000);
    assert_in_range(o.threads, 1, 256);
    assert_false(o.overwrite || o.latest || o.strict || o.quiet || o.verify || o.no_verify || o.help || o.version);
}

static void takes_everything(void **state)
{
    struct options o;

    (void)state;
    assert_int_equal(
        parse(&o, "pt2trace report a -o out b --overwrite --latest --no-browser --artifacts all --max-html-size=3k "
                  "--strict --strict-compile-id --no-verify -j 7 --color=never -q c"),
        0);
    check_args(&o, "a b c");
    assert_string_equal(o.output, "out");
    assert_true(o.overwrite && o.latest && o.no_browser && o.strict && o.strict_compile_id && o.no_verify && o.quiet);
    assert_string_equal(o.artifacts, "all");
    assert_string_equal(o.color, "never");
    assert_int_equal(o.max_html_bytes, 3000);
    assert_int_equal(o.threads, 7);
    assert_int_equal(parse(&o, "pt2trace -vpei --all-ranks-html dir"), 0); /* as tlparse has them */
    assert_true(o.accepted);
    assert_int_equal(parse(&o, "pt2trace -- -o"), 0);
    check_args(&o, "-o");
    assert_int_equal(parse(&o, "pt2trace -"), 0);
    check_args(&o, "-");
    assert_int_equal(parse(&o, "pt2trace -j4 -oout dir"), 0);
    assert_int_equal(o.threads, 4);
    assert_string_equal(o.output, "out");
}

/* The command line as the user wrote it goes into the report: parsing must not sort it. */
static void keeps_the_command_line(void **state)
{
    static const char line[] = "pt2trace report a -o out b --latest";
    struct options o;
    struct buf b = {0};

    (void)state;
    assert_int_equal(parse(&o, line), 0);
    assert_int_equal(o.argc, 7);
    for (int i = 0; i < o.argc; i++)
        buf_printf(&b, "%s%s", i ? " " : "", o.argv[i]);
    assert_str(buf_view(&b), line);
    buf_free(&b);
}

static void commands_have_options_of_their_own(void **state)
{
    struct options o;

    (void)state;
    assert_int_equal(parse(&o, "pt2trace summary --strict dir"), 0);
    assert_string_equal(o.command->name, "summary");
    assert_int_equal(parse(&o, "pt2trace show --rank 3 dir 0/1 graph"), 0);
    assert_string_equal(o.rank, "3");
    check_args(&o, "dir 0/1 graph");
    assert_int_equal(parse(&o, "pt2trace summary -o out dir"), EXIT_USAGE);
    assert_int_equal(parse(&o, "pt2trace show --strict dir"), EXIT_USAGE);
    assert_int_equal(parse(&o, "pt2trace report --rank 3 dir"), EXIT_USAGE);
    assert_int_equal(parse(&o, "pt2trace dir show"), 0); /* only the first word is a command */
    check_args(&o, "dir show");
}

static void errors(void **state)
{
    static const struct {
        const char *line, *complaint;
    } cases[] = {
        {"pt2trace report", "no PATH given; see pt2trace report --help"},
        {"pt2trace summary -q", "no PATH given; see pt2trace summary --help"},
        {"pt2trace --nonsense dir", "unknown option: --nonsense; see pt2trace report --help"},
        {"pt2trace dir --nonsense=5", "unknown option: --nonsense; see pt2trace report --help"},
        {"pt2trace -x dir", "unknown option: -x; see pt2trace report --help"},
        {"pt2trace dir -qxv", "unknown option: -x; see pt2trace report --help"},
        {"pt2trace dir -o", "an argument is missing, or there is one too many: -o; see pt2trace report --help"},
        {"pt2trace dir --output", "an argument is missing, or there is one too many: --output; see pt2trace report "
                                  "--help"},
        {"pt2trace dir --quiet=1", "an argument is missing, or there is one too many: --quiet=1; see pt2trace report "
                                   "--help"},
        {"pt2trace dir --ver", "unknown option: --ver; see pt2trace report --help"},
        {"pt2trace dir -j 0", "-j must be a number from 1 to 256: 0; see pt2trace report --help"},
        {"pt2trace dir -j 257", "-j must be a number from 1 to 256: 257; see pt2trace report --help"},
        {"pt2trace dir -j -1", "-j must be a number from 1 to 256: -1; see pt2trace report --help"},
        {"pt2trace dir -j 4x", "-j must be a number from 1 to 256: 4x; see pt2trace report --help"},
        {"pt2trace dir --color=pink", "--color must be auto, always or never: pink; see pt2trace report --help"},
        {"pt2trace dir --artifacts some",
         "--artifacts must be none, overflow or all: some; see pt2trace report --help"},
        {"pt2trace dir --max-html-size big",
         "--max-html-size must be a size such as 25M: big; see pt2trace report --help"},
        {"pt2trace dir --verify --no-verify",
         "--verify and --no-verify exclude each other; see pt2trace report --help"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct options o;

        assert_int_equal(parse(&o, cases[i].line), EXIT_USAGE);
        assert_string_equal(complaint, cases[i].complaint);
    }
}

static void sizes(void **state)
{
    static const struct {
        const char *text;
        int64_t bytes; /* -1: no size */
    } cases[] = {
        {"0", 0},
        {"1", 1},
        {"1048576", 1048576},
        {"25M", 25000000},
        {"25MB", 25000000},
        {"25mb", 25000000},
        {"1.5k", 1500},
        {"2G", 2000000000},
        {"7B", 7},
        {"1e3", 1000},
        {"900000G", 900000000000000},
        {"", -1},
        {"M", -1},
        {"-1", -1},
        {"5X", -1},
        {"5MM", -1},
        {"1e300", -1},
        {"inf", -1},
        {"nan", -1},
        {"99999999G", -1},
        {"5MBx", -1},
        {"0x10", -1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char line[100];
        struct options o;

        snprintf(line, sizeof line, "pt2trace dir --max-html-size=%s", cases[i].text);
        if (parse(&o, line) != (cases[i].bytes < 0 ? EXIT_USAGE : 0))
            fail_msg("%s", cases[i].text);
        if (cases[i].bytes >= 0)
            assert_int_equal(o.max_html_bytes, cases[i].bytes);
    }
}

/* What a call prints to standard output. */
static struct str printed(struct arena *a, const char *line, int expected)
{
    const char *path = temp_path("printed");
    int keep, file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    struct options o;

    fflush(stdout);
    keep = dup(STDOUT_FILENO);
    dup2(file, STDOUT_FILENO);
    assert_int_equal(parse(&o, line), expected);
    fflush(stdout);
    dup2(keep, STDOUT_FILENO);
    close(keep);
    close(file);
    return temp_read(a, path);
}

static void help_and_version(void **state)
{
    struct arena *a = arena_new();
    struct str text = printed(a, "pt2trace --help", -1);
    const struct command *show = commands;

    (void)state;
    while (strcmp(show->name, "show") != 0)
        show++;
    assert_true(str_starts(text, STR("Usage: pt2trace [COMMAND] [OPTIONS] PATH...\n")));
    assert_true(str_has(text, arena_printf(a, "\n  show      %s\n", show->summary)));
    assert_true(str_has(text, STR("Exit status: 0 done")));
    text = printed(a, "pt2trace show --help", -1);
    assert_true(str_starts(text, arena_printf(a, "Usage: pt2trace show %s\n\n%s\n\n%s\nOptions:\n", show->usage,
                                              show->summary, show->text)));
    assert_true(str_has(text, STR("--rank N")));
    assert_true(str_has(text, STR("\n  -j, --jobs N ")));
    assert_false(str_has(text, STR("--output")));
    text = printed(a, "pt2trace -h nonsense -j x", -1); /* help is help, whatever else is there */
    assert_true(str_starts(text, STR("Usage:")));
    text = printed(a, "pt2trace --version", -1);
    assert_true(str_starts(text, STR("pt2trace " PT2TRACE_VERSION "\nwith jansson ")));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(takes_everything),
        cmocka_unit_test(keeps_the_command_line),
        cmocka_unit_test(commands_have_options_of_their_own),
        cmocka_unit_test(errors),
        cmocka_unit_test(sizes),
        cmocka_unit_test(help_and_version),
    };

    return RUN(tests);
}
