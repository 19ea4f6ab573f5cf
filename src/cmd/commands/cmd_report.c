#include "cmd/commands/cmd.h"
#include "cmd/complain.h"
#include "cmd/session.h"
#include "cmd/terminal/browser.h"

#include "output/report/report.h"
#include "output/text/summary.h"
#include "util/utf8.h"
#include "view/format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int report_check_output(const struct options *o)
{
    int error = 0;

    switch (directory_state(o->output, &error)) {
    case DIRECTORY_FREE:
    case DIRECTORY_OURS: /* we may replace what we wrote; other files stay */
        return EXIT_DONE;
    case DIRECTORY_FOREIGN:
        complain("Directory %s holds files that pt2trace did not write; they are left alone. Use -o OUTDIR", o->output);
        return EXIT_IO;
    case DIRECTORY_BAD:
        break;
    }
    complain("%s: %s. Use -o OUTDIR", o->output, strerror(error));
    return EXIT_IO;
}

static enum artifacts_wanted wanted(const char *word)
{
    return strcmp(word, "all") == 0        ? ARTIFACTS_ALL
           : strcmp(word, "overflow") == 0 ? ARTIFACTS_OVERFLOW
                                           : ARTIFACTS_NONE;
}

/* The size of the page, and what it leaves out. */
static struct str describe_page(struct arena *a, const struct options *o, const struct report_result *result)
{
    struct str left = {0}, same = {0};
    const char *large = "";

    if (result->left_out)
        left = arena_printf(a, "; %.*s did not fit: --max-html-size or --artifacts overflow",
                            STR_ARG(format_counted(a, result->left_out, "payload", "payloads")));
    if (result->left_out_same)
        same = arena_printf(a, "; %.*s of ranks with the same results as others left out: --artifacts overflow",
                            STR_ARG(format_counted(a, result->left_out_same, "payload", "payloads")));
    if (result->html_bytes > o->max_html_bytes)
        large = "; larger than --max-html-size, because the findings and tables alone need that";
    return arena_printf(a, "(%.*s%.*s%.*s%s)", STR_ARG(format_bytes(a, result->html_bytes)), STR_ARG(left),
                        STR_ARG(same), large);
}

/* Empty if it is unknown. */
static struct str absolute(struct arena *a, struct str path)
{
    char *here = str_starts(path, STR("/")) ? NULL : realpath(".", NULL);
    struct str out = here ? arena_printf(a, "%s/%.*s", here, STR_ARG(path)) : path;

    free(here);
    return out;
}

/* The path is for copying, so it stays on one line, whatever its length. */
static void say_where(struct text *t, const struct options *o, const struct report_result *result)
{
    struct str dir = str_of(o->output), path, page = describe_page(t->arena, o, result);

    while (dir.n > 1 && str_ends(dir, STR("/")))
        dir = str_drop(dir, 1);
    path = arena_printf(t->arena, "%.*s/index.html", STR_ARG(dir));
    text_newline(t);
    text_str(t, TEXT_DIM, STR("Report    "));
    text_file(t, TEXT_BOLD, path, absolute(t->arena, path));
    if (10 + utf8_columns(path) + 1 + utf8_columns(page) <= t->width) {
        text_printf(t, TEXT_PLAIN, " %.*s", STR_ARG(page));
        text_newline(t);
    } else {
        text_newline(t);
        text_paragraph(t, STR("          "), TEXT_PLAIN, 10, TEXT_PLAIN, page);
    }
}

static const char *reason(int rc)
{
    switch (-rc) {
    case EEXIST:
        return "a file that pt2trace did not write is in the way; it is left alone";
    case ELOOP:
        return "a symbolic link is in the way";
    case EBUSY:
        return "another pt2trace is writing a report there";
    case ENOTEMPTY:
        return "meanwhile something else was created there; it is left alone";
    default:
        return strerror(-rc);
    }
}

static void complain_about_output(const struct report_result *result, int rc)
{
    if (result->failed.n)
        complain("%.*s: %s. No report was written; -o OUTDIR chooses another place", STR_ARG(result->failed),
                 reason(rc));
    else
        complain("a temporary file in %s: %s. No report was written; TMPDIR=DIR chooses another place for such files",
                 temp_file_dir(), strerror(-rc));
}

static int write_report(struct session *s)
{
    const struct options *o = s->options;
    struct report_options options = {
        .dir = o->output,
        .replace = true,
        .artifacts = wanted(o->artifacts),
        .kernels = &s->kernels,
        .html = {.max_bytes = o->max_html_bytes, .custom_header = o->custom_header, .about = session_about(s)}};
    struct text t = session_text(s);
    struct report_result result;
    int rc;

    if (!o->quiet)
        summary_write(&t, &s->answers);
    rc = report_write(s->arena, &s->answers, &options, session_output_pool(s), &result);
    if (rc == 0 && !o->quiet)
        say_where(&t, o, &result);
    if (rc) {
        session_print(s, &t);
        complain_about_output(&result, rc);
        return EXIT_IO;
    }
    return session_print(s, &t);
}

int cmd_report(const struct options *o)
{
    int rc = report_check_output(o);

    return rc ? rc : report_paths(o, o->args, (size_t)o->args_n);
}

int report_paths(const struct options *o, const char *const *paths, size_t n)
{
    struct trace_options trace = {.check_digests = !o->no_verify};
    struct session s;
    int rc;

    if (!o->no_browser && !o->quiet)
        browser_prepare(o->output, o->text_fd);
    rc = session_begin_report(&s, o, paths, n, &trace);
    if (rc == EXIT_DONE)
        rc = write_report(&s);
    if (rc == EXIT_DONE)
        rc = session_write_map(&s);
    if (rc == EXIT_DONE)
        browser_open();
    if (rc == EXIT_DONE)
        rc = session_status(&s);
    session_end(&s);
    return rc;
}
