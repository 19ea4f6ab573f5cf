#include "trace/record.h"

#include "model/code_file.h"
#include "util/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct arena *record_arena(struct record *rec)
{
    return rec->reading->in->arena;
}

void record_message(struct record *rec, enum message_code code, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    message_vadd(&rec->reading->in->messages, code, rec->line, fmt, ap);
    va_end(ap);
}

struct str record_copy(struct record *rec, struct str s)
{
    struct arena *a = record_arena(rec);
    struct str clean = utf8_clean(a, s);

    return clean.p == s.p ? arena_str(a, s) : clean;
}

struct str record_intern(struct record *rec, struct str s)
{
    s = utf8_cut(s, LIMIT_NAME);
    return intern(&rec->reading->in->stacks.strings, utf8_clean(record_arena(rec), s));
}

/* PyTorch writes null for "nothing"; any other unexpected type is reported. */
static bool found(struct record *rec, enum json_found f, const char *key)
{
    if (f == JSON_WRONG_TYPE)
        record_message(rec, MSG_BAD_FIELD, "%.*s: %s has an unexpected type", (int)rec->kind_name.n, rec->kind_name.p,
                       key);
    return f == JSON_FOUND;
}

struct str record_name(struct record *rec, json_t *obj, const char *key)
{
    struct str s;

    return found(rec, json_get_str(rec->doc, obj, key, &s), key) ? record_intern(rec, s) : (struct str){0};
}

struct str record_text(struct record *rec, json_t *obj, const char *key)
{
    struct str s;

    return found(rec, json_get_str(rec->doc, obj, key, &s), key) ? record_copy(rec, s) : (struct str){0};
}

/* Compact JSON on the heap; NULL if there is no value. */
static char *dump(struct record *rec, json_t *v)
{
    json_get_all(rec->doc, v);
    return json_text(v, JSON_ENCODE_ANY);
}

static struct str value_text(struct record *rec, json_t *v)
{
    char *text;
    struct str out;

    if (json_is_string(v))
        return record_copy(rec, json_str(v));
    text = dump(rec, v);
    if (!text)
        return (struct str){0};
    out = record_copy(rec, str_of(text));
    free(text);
    return out;
}

struct str record_shared_text(struct record *rec, json_t *v)
{
    struct map *strings = &rec->reading->in->stacks.strings;
    char *text;
    struct str out;

    /* Look it up before copying: a copy of a known string would stay in the arena for nothing. */
    if (json_is_string(v))
        return intern(strings, utf8_clean(record_arena(rec), json_str(v)));
    text = dump(rec, v);
    if (!text)
        return (struct str){0};
    out = intern(strings, str_of(text));
    free(text);
    return out;
}

struct str record_any(struct record *rec, json_t *obj, const char *key)
{
    json_t *v = json_get(rec->doc, obj, key);

    return v && !json_is_null(v) ? value_text(rec, v) : (struct str){0};
}

bool record_i64(struct record *rec, json_t *obj, const char *key, int64_t *out)
{
    return found(rec, json_get_i64(rec->doc, obj, key, out), key);
}

bool record_bool(struct record *rec, json_t *obj, const char *key)
{
    bool b = false;

    return found(rec, json_get_bool(rec->doc, obj, key, &b), key) && b;
}

/* The string table entry with a frame's file name, of the process or of the process that it was forked from. */
static struct str file_name(struct record *rec, int64_t index)
{
    const struct process *p = rec->process;
    char missing[32];
    struct str s;

    if (index == -1)
        return (struct str){0};
    for (; p && index >= 0; p = p->parent)
        if (string_table_get(&p->strings, (uint64_t)index, &s))
            return s;
    /* Another file may have it (a forked process): run_finish looks there. */
    rec->process->strings_missing = true;
    snprintf(missing, sizeof missing, "<str %lld>", (long long)index);
    return record_intern(rec, str_of(missing));
}

static const struct call *push_frame(struct record *rec, const struct call *parent, json_t *frame)
{
    struct stack_tree *tree = &rec->reading->in->stacks;
    struct str file = {0};
    int64_t line = 0, index;
    const json_t *name = json_object_get(frame, "filename");

    if (!json_is_object(frame)) {
        record_message(rec, MSG_BAD_FIELD, "%.*s: a stack entry is not an object", (int)rec->kind_name.n,
                       rec->kind_name.p);
        return parent;
    }
    if (json_is_string(name))
        file = record_name(rec, frame, "filename");
    else if (record_i64(rec, frame, "filename", &index))
        file = file_name(rec, index);
    else
        file = record_name(rec, frame, "uninterned_filename");
    record_i64(rec, frame, "line", &line);
    return stack_push(tree, parent, file, line, record_name(rec, frame, "name"), record_name(rec, frame, "loc"));
}

static const struct call *stack_from(struct record *rec, json_t *list)
{
    const struct call *innermost = NULL;
    size_t n = json_array_size(list), skipped = n > LIMIT_STACK_FRAMES ? n - LIMIT_STACK_FRAMES : 0;

    if (skipped)
        record_message(rec, MSG_DEPTH_LIMIT, "a stack of %zu frames; its innermost %d are kept", n, LIMIT_STACK_FRAMES);
    /* The innermost frames show where it happened, so those are kept of an absurdly deep stack. */
    for (size_t i = skipped; i < n; i++)
        innermost = push_frame(rec, innermost, json_array_get(list, i));
    return innermost;
}

bool record_list(struct record *rec, json_t *obj, const char *key, json_t **out)
{
    return found(rec, json_get_array(rec->doc, obj, key, out), key);
}

static const struct call *push_call(struct record *rec, const struct call *parent, const struct text_call *c)
{
    return stack_push(&rec->reading->in->stacks, parent, record_intern(rec, c->file), c->line,
                      record_intern(rec, c->function), record_intern(rec, c->source));
}

const struct call *record_text_stack(struct record *rec, const struct text_stack *from)
{
    const struct call *innermost = NULL;

    vec_each(const struct text_call, c, &from->calls) innermost = push_call(rec, innermost, c);
    return innermost;
}

/* A function of the program: the compiler may run a lowering, a pass or a backend, but not the lines of a script. */
static bool is_of_program(const struct text_call *c)
{
    return c->file.n && c->file.p[0] != '<' && is_program_file(c->file) && c->function.n &&
           !str_eq(c->function, STR("<module>"));
}

/* Of an installed package that PyTorch does not need itself. */
static bool is_of_library(const struct text_call *c)
{
    static const struct str needed[] = {STR_INIT("sympy/"),  STR_INIT("mpmath/"),   STR_INIT("networkx/"),
                                        STR_INIT("numpy/"),  STR_INIT("jinja2/"),   STR_INIT("filelock/"),
                                        STR_INIT("fsspec/"), STR_INIT("typing_ex"), STR_INIT("setuptools/"),
                                        STR_INIT("nvidia/"), STR_INIT("optree/"),   STR_INIT("cutlass")};
    struct str package = code_file_package_path(c->file);

    return is_library_file(c->file) && str_chr(package, '/') > 0 && !STR_STARTS_ANY(package, needed);
}

/* Compiled code is called through eval_frame.py, too. */
static bool is_of_compiler(const struct text_call *c)
{
    return code_file_has(c->file, STR("torch/_inductor/")) || code_file_has(c->file, STR("torch/_functorch/")) ||
           (code_file_has(c->file, STR("torch/_dynamo/")) && !code_file_has(c->file, STR("/eval_frame.py")));
}

const struct call *record_own_code(struct record *rec, const struct text_stack *calls, bool caught)
{
    const struct text_call *own = NULL;
    bool in_inductor = false, in_compiler = caught;

    for (size_t i = 0; i < calls->calls.n; i++) {
        const struct text_call *c = &calls->calls.v[i];

        if ((is_of_program(c) && (in_inductor || (in_compiler && i + 1 == calls->calls.n))) ||
            (in_compiler && i + 1 == calls->calls.n && !own && is_of_library(c)))
            own = c;
        in_inductor |= code_file_has(c->file, STR("torch/_inductor/"));
        in_compiler |= is_of_compiler(c);
    }
    return own ? push_call(rec, NULL, own) : NULL;
}

const struct call *record_raised_in(struct record *rec, const struct text_stack *calls)
{
    const struct text_call *innermost = calls->calls.n ? &calls->calls.v[calls->calls.n - 1] : NULL;

    return innermost && is_of_compiler(innermost) ? push_call(rec, NULL, innermost) : NULL;
}

const struct call *record_stack(struct record *rec, json_t *obj, const char *key)
{
    json_t *list;

    return record_list(rec, obj, key, &list) ? stack_from(rec, list) : NULL;
}

/* The catalog has patterns and is searched from its start, so the result is remembered for each name. */
static const struct artifact_info *info_of(struct record *rec)
{
    void **slot = map_at(&rec->reading->infos, rec->name);

    if (!*slot)
        map_put_const(slot, artifact_info_find(rec->name));
    return *slot;
}

/* PyTorch 2.5 and later; earlier versions have no timeline. */
static bool in_backward(const struct record *rec)
{
    const struct process_state *s = rec->state;

    for (size_t i = 0; i < s->open.n; i++)
        if (s->open.v[i].backward && s->open.v[i].compile == rec->compile)
            return true;
    return false;
}

struct artifact *record_add_artifact(struct record *rec, struct str detail)
{
    struct arena *a = record_arena(rec);
    struct input *in = rec->reading->in;
    struct artifact *artifact = ARENA_NEW(a, struct artifact);

    *artifact = (struct artifact){.input = in,
                                  .name = rec->name,
                                  .info = info_of(rec),
                                  .kind = rec->kind_name,
                                  .detail = detail,
                                  .subgraph = rec->subgraph,
                                  .compile = rec->compile,
                                  .attempt = rec->attempt,
                                  .backward = in_backward(rec),
                                  .number = (uint32_t)in->artifacts.n,
                                  .line = rec->line,
                                  .time_us = rec->time_us,
                                  .record = rec->span,
                                  .payload = rec->payload};
    vec_push(a, &in->artifacts, artifact);
    vec_push(a, &rec->compile->artifacts, artifact);
    return artifact;
}
