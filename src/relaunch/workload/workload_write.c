#include "relaunch/workload/workload_write.h"

#include "util/utf8.h"

/*
 * The character at the start of s, if YAML wants it escaped: a control character, or one that a parser takes for the
 * end of a line or for a byte order mark. Its length in bytes is *length; 0 means no escape.
 */
static unsigned escaped_character(struct str s, size_t *length)
{
    const unsigned char *p = (const unsigned char *)s.p;
    unsigned c = 0;

    *length = 0;
    if (p[0] < 0x20 || p[0] == 0x7f) {
        *length = 1;
        return p[0];
    }
    if (s.n >= 2 && p[0] == 0xc2 && p[1] < 0xa0) {
        *length = 2;
        return p[1];
    }
    if (s.n >= 3 && (p[0] & 0xf0) == 0xe0)
        c = (p[0] & 0xfu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
    if (c == 0x2028 || c == 0x2029 || c == 0xfeff || c >= 0xfffe)
        *length = 3;
    return c;
}

/* In double quotes, in which YAML can write any character. Bytes that are not UTF-8 become U+FFFD. */
static void write_quoted(struct buf *out, struct str s)
{
    struct buf text = {0};
    size_t length;

    utf8_repair(&text, s);
    buf_char(out, '"');
    for (s = buf_view(&text); s.n; s = str_skip(s, length ? length : 1)) {
        unsigned c = escaped_character(s, &length);

        if (length) {
            buf_printf(out, "\\u%04x", c);
            continue;
        }
        if (*s.p == '"' || *s.p == '\\')
            buf_char(out, '\\');
        buf_char(out, *s.p);
    }
    buf_char(out, '"');
    buf_free(&text);
}

static void write_text(struct buf *out, const char *indent, const char *key, struct str value)
{
    if (value.n == 0)
        return;
    buf_printf(out, "%s%s: ", indent, key);
    write_quoted(out, value);
    buf_char(out, '\n');
}

static void write_number(struct buf *out, const char *indent, const char *key, int64_t value)
{
    if (value)
        buf_printf(out, "%s%s: %lld\n", indent, key, (long long)value);
}

static void write_switch(struct buf *out, const char *indent, const char *key, bool on)
{
    if (on)
        buf_printf(out, "%s%s: true\n", indent, key);
}

static void write_environment(struct buf *out, const char *indent, const setting_list *settings)
{
    bool any[2] = {false, false};

    vec_each(const struct env_setting, s, settings)
    {
        if (s->unset)
            continue;
        if (!any[0])
            buf_printf(out, "%senvironment:\n", indent);
        any[0] = true;
        /* An empty value is written, too, because it differs from an unset variable. */
        buf_printf(out, "%s  %.*s: ", indent, STR_ARG(s->name));
        write_quoted(out, s->value);
        buf_char(out, '\n');
    }
    vec_each(const struct env_setting, s, settings)
    {
        if (!s->unset)
            continue;
        if (!any[1])
            buf_printf(out, "%sunset:\n", indent);
        any[1] = true;
        buf_printf(out, "%s  - %.*s\n", indent, STR_ARG(s->name));
    }
}

static void write_what_if(struct buf *out, const char *indent, const struct what_if *w)
{
    write_text(out, indent, "backend", w->backend);
    write_text(out, indent, "mode", w->mode);
    if (w->dynamic != DYNAMIC_AS_IS)
        buf_printf(out, "%sdynamic: %s\n", indent, dynamic_name(w->dynamic));
    write_switch(out, indent, "fullgraph", w->fullgraph);
    write_number(out, indent, "recompile-limit", w->recompile_limit);
    write_text(out, indent, "disable", w->disable);
    write_text(out, indent, "config", w->config);
}

static void write_check(struct buf *out, const struct check *c)
{
    buf_printf(out, "  - %s: ", check_kind_name(c->kind));
    if (c->kind == CHECK_EXIT)
        buf_printf(out, "%lld", (long long)c->status);
    else
        write_quoted(out, c->text);
    buf_char(out, '\n');
    if (c->rtol >= 0)
        buf_printf(out, "    rtol: %.17g\n", c->rtol);
    if (c->atol >= 0)
        buf_printf(out, "    atol: %.17g\n", c->atol);
}

static void write_variant(struct buf *out, const struct variant *v)
{
    buf_printf(out, "  - name: ");
    write_quoted(out, v->name);
    buf_char(out, '\n');
    write_text(out, "    ", "python", v->python);
    write_environment(out, "    ", &v->environment);
    write_what_if(out, "    ", &v->what_if);
}

void workload_write(const struct workload *w, struct buf *out)
{
    buf_str(out, STR("# Runs the same again: pt2trace run -c workload.yaml\ncommand:\n"));
    vec_each(const struct str, word, &w->command)
    {
        buf_str(out, STR("  - "));
        write_quoted(out, *word);
        buf_char(out, '\n');
    }
    write_text(out, "", "directory", w->directory);
    write_text(out, "", "python", w->python);
    write_environment(out, "", &w->environment);
    if (w->launcher)
        buf_printf(out, "launcher: %s\n", launcher_name(w->launcher));
    write_number(out, "", "ranks", w->ranks);
    if (w->repeats > 1)
        write_number(out, "", "repeats", w->repeats);
    write_number(out, "", "time-limit", w->time_limit_s);
    write_text(out, "", "gpus", w->gpus);
    if (w->caches)
        buf_printf(out, "caches: %s\n", caches_name(w->caches));
    write_text(out, "", "why", w->question);
    write_text(out, "", "torch-logs", w->torch_logs);
    write_switch(out, "", "ablate", w->ablate);
    write_switch(out, "", "bisect", w->bisect);
    write_switch(out, "", "minify", w->minify);
    write_switch(out, "", "fix", w->fix);
    write_number(out, "", "fix-limit", w->fix_limit);
    write_switch(out, "", "gpu", w->needs_gpu);
    write_text(out, "", "gpu-activity", w->gpu_activity);
    write_what_if(out, "", &w->what_if);
    write_switch(out, "", "bisect-variants", w->bisect_variants);
    if (w->variants.n)
        buf_str(out, STR("variants:\n"));
    vec_each(const struct variant, v, &w->variants) write_variant(out, v);
    if (w->checks.n)
        buf_str(out, STR("checks:\n"));
    vec_each(const struct check, c, &w->checks) write_check(out, c);
}
