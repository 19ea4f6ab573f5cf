#include "relaunch/trial/hook_report.h"

#include "util/formats/json.h"
#include "util/mem.h"
#include "util/system/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REPORT_MAX = 16 << 20, LINES_MAX = 100000, STACK_MAX = 1 << 18, STACKS_MAX = 256 };

/* --- lines of JSON ------------------------------------------------------------------------------------------------ */

static struct str text_of(struct arena *a, struct json_doc *doc, json_t *o, const char *key)
{
    struct str s = {"", 0};

    json_get_str(doc, o, key, &s);
    return arena_str(a, s);
}

static bool flag_of(struct json_doc *doc, const char *key)
{
    bool v = false;

    json_get_bool(doc, doc->root, key, &v);
    return v;
}

static void take_process(struct arena *a, struct json_doc *doc, struct hook_report *out)
{
    struct hook_process *p = vec_add(a, &out->processes);
    json_t *settings = NULL, *value;
    const char *name;

    p->rank = -1;
    json_get_i64(doc, doc->root, "pid", &p->pid);
    json_get_i64(doc, doc->root, "rank", &p->rank);
    json_get_i64(doc, doc->root, "attempt", &p->attempt);
    p->torch = text_of(a, doc, doc->root, "torch");
    p->executable = text_of(a, doc, doc->root, "executable");
    p->trace = text_of(a, doc, doc->root, "trace");
    p->tool = flag_of(doc, "tool");
    p->forked = flag_of(doc, "forked");
    if (json_get_object(doc, doc->root, "settings", &settings) != JSON_FOUND)
        return;
    json_object_foreach(settings, name, value) vec_push(
        a, &p->settings,
        ((struct env_setting){arena_str(a, str_of(name)), arena_str(a, json_str(value)), json_is_null(value)}));
}

/* A word, True, or the name of a function. */
static struct str value_of(struct arena *a, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);

    if (json_is_boolean(v))
        return json_is_true(v) ? STR("true") : STR("false");
    return arena_str(a, json_str(v));
}

static void take_call(struct arena *a, struct json_doc *doc, struct hook_report *out)
{
    struct hook_call *c = vec_add(a, &out->calls);
    const json_t *given = json_object_get(doc->root, "given");

    c->backend = value_of(a, given, "backend");
    c->mode = value_of(a, given, "mode");
    c->dynamic = value_of(a, given, "dynamic");
    c->options = flag_of(doc, "options");
    c->changed = json_object_size(json_object_get(doc->root, "changed")) > 0;
}

static void take_line(struct arena *a, struct str line, struct hook_report *out)
{
    struct json_doc doc = {0};

    if (json_doc_load_whole(&doc, line)) {
        struct str refused = text_of(a, &doc, doc.root, "refused"), patched = text_of(a, &doc, doc.root, "patched");
        struct str inner = text_of(a, &doc, doc.root, "run");

        if (inner.n)
            out->inner = inner;
        else if (refused.n)
            vec_push(a, &out->refused, refused);
        else if (patched.n)
            vec_push(a, &out->patched, patched);
        else if (json_object_get(doc.root, "call"))
            take_call(a, &doc, out);
        else if (json_object_get(doc.root, "torch"))
            take_process(a, &doc, out);
    }
    json_doc_free(&doc);
}

void hook_report_read(struct arena *a, const char *path, struct hook_report *out)
{
    struct buf text = {0};
    struct str rest, line;
    size_t n = 0;

    *out = (struct hook_report){0};
    if (read_file(path, REPORT_MAX, &text) == 0)
        for (rest = buf_view(&text); n < LINES_MAX && str_next_line(&rest, &line); n++)
            take_line(a, line, out);
    buf_free(&text);
}

void hook_report_ourselves(struct str directory)
{
    const char *log = getenv("PT2TRACE_HOOK_LOG"), *space = log ? strchr(log, ' ') : NULL;
    int fd = space ? open(space + 1, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
    json_t *o = json_object();
    char *text;

    json_put_str(o, "run", directory);
    text = json_text(o, JSON_COMPACT);
    if (fd >= 0) {
        char *line = xasprintf("%s\n", text);

        write_all(fd, line, strlen(line));
        free(line);
        close(fd);
    }
    free(text);
    json_decref(o);
}

const struct hook_process *hook_report_main(const struct hook_report *r)
{
    vec_each(const struct hook_process, p, &r->processes) if (!p->tool && !p->forked) return p;
    return NULL;
}

const struct hook_process *hook_report_find(const struct hook_report *r, int64_t pid)
{
    vec_each(const struct hook_process, p, &r->processes) if (p->pid == pid) return p;
    return NULL;
}

/* --- stacks ------------------------------------------------------------------------------------------------------- */

static int by_pid(const void *a, const void *b)
{
    const struct trial_stack *x = a, *y = b;

    return (x->pid > y->pid) - (x->pid < y->pid);
}

/* "1234.txt". False if the file does not belong to a process. */
static bool take_stack(struct arena *a, const char *dir, struct str name, struct trial *t)
{
    struct buf text = {0};
    const char *path;
    uint64_t pid;
    struct str number = str_take(name, name.n > 4 ? name.n - 4 : 0);

    if (!str_ends(name, STR(".txt")) || !str_u64(number, &pid))
        return false;
    path = arena_printf(a, "%s/%.*s", dir, STR_ARG(name)).p;
    if (read_file(path, STACK_MAX, &text) == 0 && text.n && t->stacks.n < STACKS_MAX)
        vec_push(a, &t->stacks, ((struct trial_stack){(int64_t)pid, arena_str(a, buf_view(&text))}));
    else if (text.n == 0)
        unlink(path);
    buf_free(&text);
    return true;
}

size_t hook_stacks_read(struct arena *a, const char *dir, struct trial *t)
{
    DIR *d = opendir(dir);
    struct dirent *entry;
    size_t files = 0;

    while (d && (entry = readdir(d)))
        files += take_stack(a, dir, str_of(entry->d_name), t);
    if (d)
        closedir(d);
    rmdir(dir); /* fails if it is not empty */
    if (t->stacks.n)
        qsort(t->stacks.v, t->stacks.n, sizeof *t->stacks.v, by_pid);
    return files;
}

/* --- other lines -------------------------------------------------------------------------------------------------- */

void hook_lines_read(struct arena *a, const char *path, size_t max, hook_lines *out)
{
    struct buf text = {0};
    struct str rest, line;

    *out = (hook_lines){0};
    if (read_file(path, REPORT_MAX, &text) == 0)
        for (rest = buf_view(&text); out->n < max && str_next_line(&rest, &line);) {
            bool there = false;

            vec_each(const struct str, s, out) there |= str_eq(*s, line);
            if (!there && line.n)
                vec_push(a, out, arena_str(a, line));
        }
    buf_free(&text);
}
