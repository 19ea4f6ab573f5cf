#include "relaunch/procedures/fix_text.h"

#include "relaunch/trial/patch.h"
#include "view/format.h"

static struct str place_of(struct arena *a, const struct fix *f)
{
    return f->file.n ? arena_printf(a, "before %.*s:%lld", STR_ARG(f->file), (long long)f->line) : (struct str){"", 0};
}

struct str fix_words(struct arena *a, const struct fix *f)
{
    struct str rest = f->text, line = {"", 0};
    struct str place = {"", 0};

    if (f->file.n)
        place = arena_printf(a, " before %.*s", STR_ARG(format_place(a, f->file, f->line)));
    else if (patch_argument(f).n)
        place = STR(" in every call");

    while (str_next_line(&rest, &line) && str_starts(line, STR("import ")) && rest.n)
        continue;
    return arena_printf(a, "%.*s%s%.*s", STR_ARG(line), rest.n ? " ..." : "", STR_ARG(place));
}

/* --- the patch ---------------------------------------------------------------------------------------------------- */

static bool is_kind(const struct fix *f, const char *kind)
{
    return str_eq(f->kind, str_of(kind));
}

/* Whether it is the first chosen fix with this text; several findings may have the same advice. */
static bool is_first(const struct experiment *x, size_t i)
{
    const struct fix *f = &x->fixes.v[i];

    for (size_t k = 0; k < i; k++) {
        const struct fix *o = &x->fixes.v[k];

        if (o->chosen && str_eq(o->kind, f->kind) && str_eq(o->text, f->text) && str_eq(o->file, f->file) &&
            o->line == f->line)
            return false;
    }
    return f->chosen;
}

static void put_lines(struct buf *out, struct str text)
{
    struct str line;

    while (str_next_line(&text, &line))
        buf_printf(out, "+ %.*s\n", STR_ARG(line));
}

static void put_environment(struct rerun *r, struct buf *out)
{
    const struct experiment *x = r->experiment;
    struct buf text = {0};

    for (size_t i = 0; i < x->fixes.n; i++)
        if (is_first(x, i) && is_kind(&x->fixes.v[i], "environment"))
            buf_printf(&text, "%.*s ", STR_ARG(x->fixes.v[i].text));
    if (text.n)
        buf_printf(out, "# the command\n%.*s%.*s\n", STR_ARG(buf_view(&text)), STR_ARG(x->command));
    buf_free(&text);
}

static void put_settings(const struct experiment *x, struct buf *out)
{
    bool any = false;

    for (size_t i = 0; i < x->fixes.n; i++) {
        if (!is_first(x, i) || !is_kind(&x->fixes.v[i], "setting"))
            continue;
        if (!any)
            buf_str(out, STR("# behind the imports, before the first compiled call\n"));
        any = true;
        put_lines(out, x->fixes.v[i].text);
    }
}

struct str fix_patch(struct rerun *r)
{
    const struct experiment *x = r->experiment;
    struct buf out = {0};
    struct str s;

    put_environment(r, &out);
    put_settings(x, &out);
    for (size_t i = 0; i < x->fixes.n; i++)
        if (is_first(x, i) && is_kind(&x->fixes.v[i], "pattern"))
            buf_printf(&out, "# in the calls of torch.compile\n+ %.*s\n", STR_ARG(patch_argument(&x->fixes.v[i])));
    for (size_t i = 0; i < x->fixes.n; i++)
        if (is_first(x, i) && is_kind(&x->fixes.v[i], "statement")) {
            buf_printf(&out, "# %.*s, indented like that line\n", STR_ARG(place_of(r->arena, &x->fixes.v[i])));
            put_lines(&out, x->fixes.v[i].text);
        }
    s = arena_str(r->arena, buf_view(&out));
    buf_free(&out);
    return s;
}

/* --- fixes.md ----------------------------------------------------------------------------------------------------- */

/* A fence with more backticks than the text contains. */
static void put_code(struct buf *out, struct str text)
{
    buf_printf(out, "````\n%.*s%s````\n\n", STR_ARG(text), str_ends(text, STR("\n")) ? "" : "\n");
}

static void put_fix(struct rerun *r, const struct fix *f, struct buf *out)
{
    struct str place = place_of(r->arena, f);

    buf_printf(out, "## %.*s\n\n`%.*s` %.*s\n\n", STR_ARG(f->title), STR_ARG(f->finding), STR_ARG(place));
    if (f->text.n)
        put_code(out, f->text);
    buf_printf(out, "%.*s: %.*s.\n\n", STR_ARG(format_tried(f)), STR_ARG(f->measured));
}

void fix_markdown(struct rerun *r, struct buf *out)
{
    const struct experiment *x = r->experiment;

    buf_printf(out, "# Advice that was tried\n\n`%.*s`\n\n", STR_ARG(x->command));
    vec_each(const struct str, s, &x->conclusions) buf_printf(out, "%.*s\n\n", STR_ARG(*s));
    if (x->patch.n)
        put_code(out, x->patch);
    vec_each(const struct fix, f, &x->fixes) put_fix(r, f, out);
}
