#include "cmd/commands/cmd.h"
#include "cmd/complain.h"
#include "cmd/session.h"

#include "analysis/find/finding_table.h"
#include "output/text/summary.h"
#include "util/nearest.h"

#include <unistd.h>

static void write_markdown(struct text *t, const struct finding_info *info)
{
    text_printf(t, TEXT_PLAIN, "| `%s` | %s | %s | %s | [more](%s) |", info->id, info->detects, info->severity,
                info->has_text ? "yes" : "no", info->doc);
    text_newline(t);
}

static void write_plain(struct text *t, const struct finding_info *info)
{
    struct str about = arena_printf(t->arena, "%s.\nSeverity: %s.", info->detects, info->severity);

    text_printf(t, TEXT_BOLD, "%s", info->id);
    text_newline(t);
    text_paragraph(t, STR("    "), TEXT_PLAIN, 4, TEXT_PLAIN, about);
    text_printf(t, TEXT_DIM, "    %s", info->doc);
    text_newline(t);
}

/* Prints the page of the guide unchanged. */
static void write_page(struct text *t, const struct finding_info *info)
{
    struct str page = finding_page_of(info->id), line;

    text_newline(t);
    while (str_next_line(&page, &line)) {
        text_str(t, str_starts(line, STR("## ")) ? TEXT_BOLD : TEXT_PLAIN, line);
        text_newline(t);
    }
}

static bool is_wanted(const struct options *o, const struct finding_info *info)
{
    for (int i = 0; i < o->args_n; i++)
        if (strcmp(o->args[i], info->id) == 0)
            return true;
    return o->args_n == 0;
}

/* The first argument that no row matches; NULL if there is none. */
static const char *unknown_id(const struct options *o)
{
    for (int i = 0; i < o->args_n; i++) {
        const struct finding_info *info;
        size_t k = 0;

        while ((info = finding_info_at(k++)) != NULL && strcmp(info->id, o->args[i]) != 0)
            ;
        if (!info)
            return o->args[i];
    }
    return NULL;
}

static void write_findings(struct text *t, const struct options *o)
{
    const struct finding_info *info;

    if (o->markdown) {
        text_printf(t, TEXT_PLAIN, "| finding | what it detects | severity | text to paste | documentation |");
        text_newline(t);
        text_printf(t, TEXT_PLAIN, "|---|---|---|---|---|");
        text_newline(t);
    }
    for (size_t i = 0; (info = finding_info_at(i)) != NULL; i++) {
        if (!is_wanted(o, info))
            continue;
        if (o->markdown) {
            write_markdown(t, info);
        } else {
            write_plain(t, info);
            if (o->args_n)
                write_page(t, info);
        }
    }
}

static void complain_about(const char *unknown)
{
    struct nearest near = nearest_to(str_of(unknown));
    const struct finding_info *info;

    for (size_t i = 0; (info = finding_info_at(i)) != NULL; i++)
        nearest_try(&near, str_of(info->id));
    if (near.word.n)
        complain(
            "%s: no finding has that id (did you mean %.*s?), and no file has that name; pt2trace findings lists them",
            unknown, STR_ARG(near.word));
    else
        complain("%s: no finding has that id, and no file has that name; pt2trace findings lists them", unknown);
}

int cmd_findings(const struct options *o)
{
    const char *unknown = unknown_id(o);
    struct session s = {.options = o};
    struct text t;
    int rc = EXIT_USAGE;

    if (unknown && (strcmp(unknown, "-") == 0 || access(unknown, F_OK) == 0))
        return session_summarize(o, summary_write_findings);
    s.arena = arena_new();
    if (unknown) {
        complain_about(unknown);
    } else {
        t = session_text(&s);
        write_findings(&t, o);
        rc = session_print(&s, &t);
    }
    arena_free(s.arena);
    return rc;
}
