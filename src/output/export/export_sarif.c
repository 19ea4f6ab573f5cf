/* SARIF 2.1.0: findings as results with their places, for editors and code-review tools. */
#include "output/export/export.h"

#include "analysis/find/finding.h"
#include "output/export/sarif.h"

static struct str message_of(struct view *v, const struct finding *x)
{
    return arena_printf(v->scratch, "%.*s%s%.*s%s%.*s", STR_ARG(x->title), x->detail.n ? ". " : "", STR_ARG(x->detail),
                        x->fix.n ? " " : "", STR_ARG(x->fix));
}

/* Without the line number, which changes when the program is edited. */
static struct str key_of(struct view *v, const struct finding *x)
{
    return arena_printf(v->scratch, "%s\n%.*s\n%.*s", x->info->id, STR_ARG(str_file_name(x->file)), STR_ARG(x->source));
}

static void add(struct sarif *s, struct view *v, const struct finding *x)
{
    struct str id = str_of(x->info->id);

    sarif_rule(s, id, arena_printf(v->scratch, "%s.", x->info->detects),
               arena_printf(v->scratch, "%s. Severity: %s.", x->info->detects, x->info->severity),
               str_of(x->info->doc));
    sarif_add(s, &(struct sarif_result){.rule = id,
                                        .severity = x->severity,
                                        .message = message_of(v, x),
                                        .file = x->file,
                                        .line = x->line,
                                        .key = key_of(v, x)});
}

int export_sarif(struct sink *out, struct view *v, const struct about *about)
{
    const struct findings *f = v->answers->findings;
    struct sarif s;

    sarif_begin(&s, v->scratch, about->source_root ? about->source_root : ".");
    for (size_t i = 0; i < f->list.n; i++)
        add(&s, v, f->list.v[i]);
    sink_str(out, sarif_end(&s));
    return 0;
}
