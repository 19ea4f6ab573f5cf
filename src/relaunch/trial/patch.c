#include "relaunch/trial/patch.h"

#include "util/formats/json.h"
#include "util/system/file.h"

#include <stdlib.h>

static bool is_environment(const struct fix *f)
{
    return str_eq(f->kind, STR("environment"));
}

struct str patch_argument(const struct fix *f)
{
    static const char *const names[] = {"dynamic=", "recompile_limit=", "isolate_recompiles="};
    struct str text = f->text, none = {"", 0};

    if (!str_eq(f->kind, STR("pattern")) || !str_consume(&text, STR("torch.compile(")))
        return none;
    text = str_take(text, str_chr(text, ')') < 0 ? 0 : (size_t)str_chr(text, ')'));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_find(text, str_of(names[i])) > 0)
            return str_skip(text, (size_t)str_find(text, str_of(names[i])));
    return none;
}

bool patch_can_apply(const struct fix *f)
{
    return is_environment(f) || patch_argument(f).n || str_eq(f->kind, STR("setting")) ||
           (str_eq(f->kind, STR("statement")) && f->file.n && f->line > 0);
}

static struct str without_home(struct arena *a, struct str value)
{
    const char *home = getenv("HOME");

    if (!home || !str_consume(&value, STR("$HOME")))
        return value;
    return arena_printf(a, "%s%.*s", home, STR_ARG(value));
}

setting_list patch_variables(struct arena *a, struct str text)
{
    struct workload words = {0};
    setting_list list = {0};

    workload_split(a, text, &words);
    vec_each(const struct str, word, &words.command)
    {
        struct str value = *word, name = str_split(&value, '=');

        if (name.n && name.n < word->n)
            vec_push(a, &list, ((struct env_setting){arena_str(a, name), without_home(a, value), false}));
    }
    return list;
}

/* By its index in the list, because two findings may have the same text. */
static struct str name_of(struct arena *a, size_t i)
{
    return arena_printf(a, "%zu", i + 1);
}

static json_t *entry_of(size_t i, const struct fix *f)
{
    json_t *o = json_new_object();

    json_put(o, "id", json_sprintf("%zu", i + 1));
    json_put_str(o, "text", f->text);
    if (f->file.n) {
        json_put_str(o, "file", f->file);
        json_put_i64(o, "line", f->line);
    }
    return o;
}

int patch_write(const struct fix *const *fixes, size_t n, const char *dir, const char *name)
{
    json_t *list = json_new_array();
    struct buf path = {0};
    struct outfile out;
    char *text;
    int rc = make_dirs(dir);

    for (size_t i = 0; i < n; i++)
        if (!is_environment(fixes[i]) && patch_argument(fixes[i]).n == 0)
            json_push(list, entry_of(i, fixes[i]));
    text = json_text(list, JSON_INDENT(1));
    json_decref(list);
    buf_printf(&path, "%s/%s%c", dir, name, 0);
    if (rc == 0)
        rc = outfile_open(&out, path.p);
    if (rc == 0) {
        outfile_write(&out, str_of(text));
        rc = outfile_commit(&out);
    }
    free(text);
    buf_free(&path);
    return rc;
}

bool patch_apply(struct arena *a, const struct fix *const *fixes, size_t n, const char *path,
                 struct environment *environment, struct arrival *arrival)
{
    struct str arguments = {"", 0};

    for (size_t i = 0; i < n; i++) {
        struct str argument = patch_argument(fixes[i]);

        if (is_environment(fixes[i])) {
            const setting_list variables = patch_variables(a, fixes[i]->text);

            environment_add(environment, &variables);
        } else if (argument.n) {
            arguments = arena_printf(a, "%.*s%.*s;", STR_ARG(arguments), STR_ARG(argument));
        } else {
            vec_push(a, &arrival->patches, ((struct arrival_patch){name_of(a, i), fixes[i]->file}));
        }
    }
    if (arrival->patches.n)
        environment_set(environment, STR("PT2TRACE_PATCH"), str_of(path));
    if (arguments.n)
        environment_set(environment, STR("PT2TRACE_ARGUMENTS"), arguments);
    arrival->of_calls |= arguments.n > 0;
    return arrival->patches.n || arguments.n;
}
