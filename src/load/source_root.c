#include "load/source_root.h"

#include "util/map.h"
#include "util/system/file.h"

#include <errno.h>
#include <sys/stat.h>

/* A hostile trace may name any file, any number of times. */
enum { FILE_MAX = 4 << 20, FILES_MAX = 2000, KNOWN_MAX = 1000, COMPONENTS_MAX = 12 };

/* One file that the trace names. */
struct named {
    struct str path;
    VEC(struct call *) wanted;        /* calls whose source line is missing */
    VEC(const struct call *) known;   /* calls whose source line is known */
    VEC(struct graph_break *) breaks; /* breaks without a stack: 2.5 and earlier print only a file and a line number */
    VEC(const struct frame *) frames; /* frames of functions defined in it */
};

struct search {
    struct arena *arena;
    struct map files; /* path -> struct named */
    const char *dir;
    struct source_root_result *out;
};

static struct named *named_of(struct search *s, struct str path)
{
    void **slot = map_at(&s->files, path);

    if (!*slot && s->files.n <= FILES_MAX) {
        struct named *n = ARENA_NEW(s->arena, struct named);

        n->path = path;
        *slot = n;
    }
    return *slot;
}

static struct named *named_place(struct search *s, struct str file, int64_t line)
{
    return line > 0 && file.n && !is_framework_file(file) ? named_of(s, file) : NULL;
}

static void collect_calls(struct search *s, const struct stack_tree *t)
{
    for (size_t i = 0; i < t->all.n; i++) {
        struct call *c = t->all.v[i];
        struct named *n = named_place(s, c->file, c->line);

        if (n && c->source.n == 0)
            vec_push(s->arena, &n->wanted, c);
        else if (n && n->known.n < KNOWN_MAX)
            vec_push(s->arena, &n->known, c);
    }
}

static void collect_breaks(struct search *s, const struct compile *c)
{
    for (size_t i = 0; i < c->breaks.n; i++) {
        struct graph_break *b = c->breaks.v[i];
        struct named *n = b->stack ? NULL : named_place(s, b->file, b->line);

        if (n)
            vec_push(s->arena, &n->breaks, b);
    }
}

static void collect(struct search *s, const struct run *run)
{
    const struct compile *c;

    for (size_t i = 0; i < run->inputs.n; i++)
        collect_calls(s, &run->inputs.v[i]->stacks);
    for (struct compile_walk w = {.run = run}; (c = compile_next(&w));)
        collect_breaks(s, c);
    for (size_t i = 0; i < run->processes.n; i++)
        for (size_t k = 0; k < run->processes.v[i]->frames.n; k++) {
            const struct frame *f = run->processes.v[i]->frames.v[k];
            struct named *n = f->file.n ? map_get(&s->files, f->file) : NULL;

            if (n && n->frames.n < KNOWN_MAX)
                vec_push(s->arena, &n->frames, f);
        }
}

/* --- whether a file is the one that was traced -------------------------------------------------------------------- */

struct text_lines {
    VEC(struct str) list;
};

static struct str line_of(const struct text_lines *t, int64_t number)
{
    return number > 0 && (uint64_t)number <= t->list.n ? str_trim(t->list.v[number - 1]) : (struct str){0};
}

/* A decorator precedes the definition; the frame's line number may be of either. */
static bool defines(const struct text_lines *t, const struct frame *f)
{
    enum { DECORATORS = 10 };

    for (int64_t i = 0; i < DECORATORS; i++) {
        struct str line = line_of(t, f->line + i);

        str_consume(&line, STR("async "));
        if (str_consume(&line, STR("def ")) && str_starts(line, f->name) && line.n > f->name.n &&
            line.p[f->name.n] == '(')
            return true;
    }
    return false;
}

/*
 * A statement over several lines is recorded by its first line: the known text may be the beginning of the line here.
 */
static bool is_traced(const struct text_lines *t, const struct named *n)
{
    for (size_t i = 0; i < n->known.n; i++) {
        struct str first = str_split(&(struct str){n->known.v[i]->source.p, n->known.v[i]->source.n}, '\n');

        if (!str_eq(str_trim(first), line_of(t, n->known.v[i]->line)))
            return false;
    }
    for (size_t i = 0; n->known.n == 0 && i < n->frames.n; i++)
        if (defines(t, n->frames.v[i]))
            return true;
    return n->known.n > 0;
}

/* --- finding it --------------------------------------------------------------------------------------------------- */

/* Whether a path stays inside the directory, whatever the trace says. */
static bool is_safe(struct str path)
{
    while (path.n) {
        struct str part = str_split(&path, '/');

        if (str_eq(part, STR("..")))
            return false;
    }
    return true;
}

/* The text of dir/tail, if it is a file of reasonable size. */
static bool read_below(struct search *s, struct str tail, struct str *text)
{
    struct str path = arena_printf(s->arena, "%s/%.*s", s->dir, STR_ARG(tail));
    struct buf b = {0};
    struct stat st;
    bool ok = memchr(path.p, '\0', path.n) == NULL && stat(path.p, &st) == 0 && S_ISREG(st.st_mode) &&
              read_file(path.p, FILE_MAX, &b) == 0;

    if (ok)
        *text = arena_str(s->arena, buf_view(&b));
    buf_free(&b);
    return ok;
}

static void split_lines(struct arena *a, struct str text, struct text_lines *out)
{
    struct str line;

    while (str_next_line(&text, &line))
        vec_push(a, &out->list, line);
}

/* The longest tails first: "a/b/c.py", "b/c.py", "c.py". Of a path with many components, the first ones are dropped. */
static void tails_of(struct str path, struct str tails[COMPONENTS_MAX], size_t *n)
{
    size_t at = path.n;

    for (*n = 0; *n < COMPONENTS_MAX && at > 0; ++*n) {
        while (at > 0 && path.p[at - 1] != '/')
            at--;
        tails[*n] = str_skip(path, at);
        while (at > 0 && path.p[at - 1] == '/')
            at--;
    }
}

/* The lines of the traced file; false if it is not in the directory. */
static bool find_lines(struct search *s, const struct named *n, struct text_lines *out)
{
    struct str tails[COMPONENTS_MAX], text;
    bool differs = false;
    size_t count;

    if (!is_safe(n->path))
        return false;
    tails_of(n->path, tails, &count);
    while (count-- > 0) {
        if (!read_below(s, tails[count], &text))
            continue;
        *out = (struct text_lines){0};
        split_lines(s->arena, text, out);
        if (is_traced(out, n))
            return true;
        differs = true;
    }
    s->out->differing += differs;
    if (differs)
        s->out->example = n->path;
    return false;
}

/* Makes a stack of one call, which is all that the trace has. */
static void fill_break(struct search *s, struct graph_break *b, struct str line)
{
    struct stack_tree *stacks = &b->compile->process->input->stacks;

    if (line.n == 0)
        return;
    b->stack = stack_push(stacks, NULL, b->file, b->line, b->function, line);
    s->out->filled++;
}

static void fill(struct search *s, const struct run *run, const struct named *n)
{
    struct text_lines lines;

    if ((n->wanted.n == 0 && n->breaks.n == 0) || !find_lines(s, n, &lines))
        return;
    for (size_t i = 0; i < n->breaks.n; i++)
        fill_break(s, n->breaks.v[i], line_of(&lines, n->breaks.v[i]->line));
    s->out->files++;
    for (size_t i = 0; i < n->wanted.n; i++) {
        struct str line = line_of(&lines, n->wanted.v[i]->line);

        s->out->filled += line.n > 0;
        n->wanted.v[i]->source = arena_str(run->arena, line);
    }
}

int source_root_apply(struct run *run, const char *dir, struct source_root_result *out)
{
    struct search s = {.arena = arena_new(), .dir = dir, .out = out};
    struct stat st;
    int rc = stat(dir, &st) != 0 ? -errno : S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;

    *out = (struct source_root_result){0};
    map_init(&s.files, s.arena);
    if (rc == 0)
        collect(&s, run);
    for (size_t i = 0; i < s.files.n; i++)
        if (s.files.entries[i].value)
            fill(&s, run, s.files.entries[i].value);
    arena_free(s.arena);
    return rc;
}
