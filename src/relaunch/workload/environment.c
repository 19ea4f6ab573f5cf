#include "relaunch/workload/environment.h"

#include <stdlib.h>
#include <unistd.h>

static struct env_setting *find(const struct environment *e, struct str name)
{
    vec_each(struct env_setting, s, &e->list) if (str_eq(s->name, name)) return s;
    return NULL;
}

static void put(struct environment *e, struct env_setting s)
{
    struct env_setting *old = find(e, s.name);

    s.name = arena_str(e->arena, s.name);
    s.value = arena_str(e->arena, s.value);
    *(old ? old : vec_add(e->arena, &e->list)) = s;
}

void environment_set(struct environment *e, struct str name, struct str value)
{
    put(e, (struct env_setting){.name = name, .value = value});
}

void environment_unset(struct environment *e, struct str name)
{
    put(e, (struct env_setting){.name = name, .unset = true});
}

void environment_add(struct environment *e, const setting_list *settings)
{
    vec_each(const struct env_setting, s, settings) put(e, *s);
}

void environment_default(struct environment *e, struct str name, struct str value)
{
    struct str there;

    if (!find(e, name) && !environment_get(e, name, &there))
        environment_set(e, name, value);
}

bool environment_get(const struct environment *e, struct str name, struct str *value)
{
    const struct env_setting *s = find(e, name);
    const char *ours = s ? NULL : getenv(arena_str(e->arena, name).p);

    *value = s ? s->value : str_of(ours);
    return s ? !s->unset : ours != NULL;
}

void environment_put_first(struct environment *e, struct str name, struct str dir)
{
    struct str old;

    if (environment_get(e, name, &old) && old.n)
        dir = arena_printf(e->arena, "%.*s:%.*s", STR_ARG(dir), STR_ARG(old));
    environment_set(e, name, dir);
}

struct str environment_find_program(const struct environment *e, struct str name)
{
    struct str path, dir, file;

    environment_get(e, STR("PATH"), &path);
    while (path.n) {
        dir = str_split(&path, ':');
        file = arena_printf(e->arena, "%.*s/%.*s", STR_ARG(dir), STR_ARG(name));
        if (dir.n && access(file.p, X_OK) == 0)
            return file;
    }
    return (struct str){0};
}

char **environment_make(const struct environment *e)
{
    size_t ours = 0, n = 0;
    char **out;

    while (environ[ours])
        ours++;
    out = ARENA_ARRAY(e->arena, char *, ours + e->list.n + 1);
    for (size_t i = 0; i < ours; i++)
        if (!find(e, (struct str){environ[i], strcspn(environ[i], "=")}))
            out[n++] = environ[i];
    vec_each(const struct env_setting, s, &e->list) if (!s->unset) out[n++] =
        arena_copy(e->arena, arena_printf(e->arena, "%.*s=%.*s", STR_ARG(s->name), STR_ARG(s->value)));
    return out;
}
