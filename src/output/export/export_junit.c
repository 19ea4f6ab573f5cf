/* JUnit XML: a test case for each finding, for CI systems that show tests. */
#include "output/export/export.h"

#include "analysis/find/finding.h"
#include "output/export/junit.h"
#include "output/files/relative_path.h"
#include "view/format.h"

/* Findings above medium severity fail; the others pass, and are in the output of their test case. */
static bool fails(const struct finding *x)
{
    return x->severity <= FINDING_HIGH;
}

static struct str text_of(struct view *v, const struct finding *x, struct str place)
{
    return arena_printf(v->scratch, "%s: %.*s%s%.*s\n%.*s%s%.*s%s", finding_severity_name(x->severity),
                        STR_ARG(x->title), place.n ? " at " : "", STR_ARG(place), STR_ARG(x->detail),
                        x->detail.n ? "\n" : "", STR_ARG(x->fix), x->fix.n ? "\n" : "");
}

/* Without the title, which contains numbers, and without the line number, which changes when the program is edited. */
static void add(struct junit *j, struct view *v, struct source_tree *tree, const struct finding *x)
{
    struct str path = relative_path(tree, x->file), file = path.n ? path : x->file;
    struct str name =
        file.n ? arena_printf(v->scratch, "%.*s in %.*s", STR_ARG(x->id), STR_ARG(str_file_name(file))) : x->id;

    junit_add(j, &(struct junit_case){.classname = arena_printf(v->scratch, "pt2trace.%s", x->info->id),
                                      .name = name,
                                      .type = str_of(x->info->id),
                                      .message = fails(x) ? x->title : STR(""),
                                      .text = text_of(v, x, format_place(v->scratch, file, x->line))});
}

int export_junit(struct sink *out, struct view *v, const struct about *about)
{
    const struct findings *f = v->answers->findings;
    struct source_tree tree;
    struct junit j;

    source_tree_init(&tree, v->scratch, about->source_root ? about->source_root : ".");
    junit_begin(&j, v->scratch, STR("pt2trace findings"));
    for (size_t i = 0; i < f->list.n; i++)
        add(&j, v, &tree, f->list.v[i]);
    sink_str(out, junit_end(&j));
    return 0;
}
