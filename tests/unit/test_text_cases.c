/*
 * Runs tests/cases/text: NAME.KIND is a text as PyTorch writes it, NAME.KIND.json what the parser of that kind makes of
 * it. Kinds: traceback, break, message (a break's message alone), tree (guards), reasons (of recompiles), fx (a graph),
 * code (that Inductor generated), bytecode (of functions, and what each does with a value that it reads).
 *
 *   test_text_cases DIRECTORY             compares
 *   test_text_cases --write DIRECTORY     writes the .json of every case: look at the difference before it is committed
 */
#include "text/graphs/fx_graph.h"
#include "text/graphs/output_code.h"
#include "text/guards/guard_reason.h"
#include "text/guards/guard_tree.h"
#include "text/messages/break_text.h"
#include "text/python/bytecode_use.h"
#include "util/formats/json.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* --- results as JSON: what is empty or unknown is left out -------------------------------------------------------- */

static void put_str(json_t *to, const char *key, struct str s)
{
    if (s.n)
        json_put_str(to, key, s);
}

static void put_number(json_t *to, const char *key, int64_t n, int64_t unknown)
{
    if (n != unknown)
        json_put_i64(to, key, n);
}

static void put_flag(json_t *to, const char *key, bool b)
{
    if (b)
        json_put_bool(to, key, b);
}

static void put_stack(json_t *to, const char *key, const struct text_stack *s)
{
    json_t *list = json_new_array();

    vec_each(const struct text_call, c, &s->calls)
    {
        json_t *call = json_new_object();

        put_str(call, "file", c->file);
        put_number(call, "line", c->line, 0);
        put_str(call, "function", c->function);
        put_str(call, "source", c->source);
        json_push(list, call);
    }
    if (s->calls.n)
        json_put(to, key, list);
    else
        json_decref(list);
}

static json_t *dump_traceback(struct arena *a, struct str text)
{
    json_t *to = json_new_object();
    struct traceback t;

    if (!traceback_parse(a, text, &t))
        return to;
    put_str(to, "module", t.module);
    put_str(to, "type", t.type);
    put_str(to, "message", t.message);
    put_number(to, "causes", t.causes, 0);
    put_str(to, "first_type", t.first_type);
    put_str(to, "first_message", t.first_message);
    put_stack(to, "calls", &t.calls);
    put_stack(to, "user_calls", &t.user_calls);
    return to;
}

static json_t *dump_parsed_break(const struct break_text *b)
{
    json_t *to = json_new_object(), *hints = json_new_array();

    put_str(to, "file", b->file);
    put_number(to, "line", b->line, 0);
    put_str(to, "type", b->type);
    put_str(to, "then_type", b->then_type);
    put_str(to, "attempted", b->attempted);
    put_str(to, "hop", b->hop);
    put_str(to, "explanation", b->explanation);
    vec_each(const struct str, h, &b->hints) json_push(hints, json_of_str(*h));
    json_put(to, "hints", hints);
    put_str(to, "context", b->context);
    put_str(to, "url", b->url);
    put_str(to, "gb_id", b->gb_id);
    put_flag(to, "skipped_frame", b->skipped_frame);
    put_flag(to, "suppressed", b->suppressed);
    put_stack(to, "user_stack", &b->user_stack);
    put_str(to, "message", b->message);
    return to;
}

static json_t *dump_break(struct arena *a, struct str text)
{
    struct break_text b;

    break_text_parse(a, text, &b);
    return dump_parsed_break(&b);
}

static json_t *dump_message(struct arena *a, struct str text)
{
    struct break_text b;

    break_message_parse(a, text, &b);
    return dump_parsed_break(&b);
}

static json_t *dump_node(const struct guard_node *n)
{
    json_t *to = json_new_object(), *children = json_new_array();

    put_str(to, "kind", n->kind);
    put_flag(to, "guard", n->is_guard);
    if (n->is_guard)
        put_str(to, "text", n->text);
    put_str(to, "source", n->source);
    put_str(to, "accessor", n->accessor);
    put_str(to, "type", n->type);
    put_str(to, "user_code", n->user_code);
    put_str(to, "user_file", n->user_file);
    put_number(to, "user_line", n->user_line, 0);
    put_str(to, "user_function", n->user_function);
    put_number(to, "user_string", n->user_string, -1);
    put_str(to, "hint", n->hint);
    for (size_t i = 0; i < n->children.n; i++)
        json_push(children, dump_node(n->children.v[i]));
    if (n->children.n)
        json_put(to, "children", children);
    else
        json_decref(children);
    return to;
}

static json_t *dump_tree(struct arena *a, struct str text)
{
    json_t *to = json_new_object();
    struct guard_tree t;

    if (!guard_tree_parse_json(a, text, &t))
        guard_tree_parse(a, text, &t);
    put_number(to, "lines", (int64_t)t.lines, -1);
    put_number(to, "lines_unknown", (int64_t)t.lines_unknown, -1);
    put_number(to, "guards", (int64_t)t.guards.n, -1);
    if (t.latency_us >= 0)
        json_put(to, "latency_us", json_of_double(t.latency_us));
    json_put(to, "root", dump_node(t.root));
    return to;
}

static json_t *dump_reason(struct arena *a, struct str text)
{
    json_t *to = json_new_object();
    struct guard_reason r;

    guard_reason_parse(a, text, &r);
    json_put_str(to, "class", str_of(guard_class_name(r.class)));
    put_str(to, "words", r.words);
    put_str(to, "against", r.against);
    put_str(to, "guard", r.guard);
    put_str(to, "source", r.source);
    put_str(to, "name", r.name);
    put_str(to, "expected", r.expected);
    put_str(to, "actual", r.actual);
    put_number(to, "index", r.index, -1);
    put_flag(to, "could_be_dynamic", r.could_be_dynamic);
    put_str(to, "user_code", r.user_code);
    put_str(to, "user_file", r.user_file);
    put_number(to, "user_line", r.user_line, 0);
    put_str(to, "user_function", r.user_function);
    put_str(to, "hint", r.hint);
    put_str(to, "user_stack", r.user_stack);
    return to;
}

static json_t *dump_reasons(struct arena *a, struct str text)
{
    json_t *list = json_new_array();
    struct guard_reason_texts texts = {0};

    guard_reason_split(a, text, &texts);
    vec_each(const struct str, t, &texts.list) json_push(list, dump_reason(a, *t));
    return list;
}

static json_t *dump_fx(struct arena *a, struct str text)
{
    json_t *list = json_new_array();
    struct fx_graph graph;

    fx_graph_parse(a, text, &graph);
    vec_each(const struct fx_node, n, &graph.nodes)
    {
        json_t *to = json_new_object();

        put_str(to, "name", n->name);
        put_str(to, "file", n->file);
        put_number(to, "line", n->line, 0);
        json_push(list, to);
    }
    return list;
}

static void put_list(json_t *to, const char *key, const struct str *v, size_t n)
{
    json_t *list = n ? json_new_array() : NULL;

    for (size_t i = 0; i < n; i++)
        json_push(list, json_of_str(v[i]));
    if (list)
        json_put(to, key, list);
}

static json_t *dump_code(struct arena *a, struct str text)
{
    json_t *to = json_new_object(), *kernels = json_new_array();
    struct output_code code;

    output_code_parse(a, text, &code);
    put_str(to, "aot_id", code.aot_id);
    vec_each(const struct code_kernel, k, &code.kernels)
    {
        json_t *kernel = json_new_object();

        put_str(kernel, "name", k->name);
        put_str(kernel, "kind", k->kind);
        put_str(kernel, "heuristic", k->heuristic);
        put_list(kernel, "nodes", k->nodes.v, k->nodes.n);
        put_list(kernel, "sources", k->sources.v, k->sources.n);
        put_list(kernel, "sizes", k->sizes.v, k->sizes.n);
        put_number(kernel, "calls", (int64_t)k->calls, 0);
        put_number(kernel, "bytes", k->bytes, -1);
        json_push(kernels, kernel);
    }
    json_put(to, "kernels", kernels);
    return to;
}

/* What the instructions of these functions choose from by a number is a list. */
static bool is_experts(void *context, struct str name)
{
    (void)context;
    return str_eq(name, STR("experts"));
}

static json_t *dump_use(const struct bytecode_use *use)
{
    static const char *const words[] = {
        [USE_OTHER] = "other", [USE_BRANCH] = "branch", [USE_LOOP] = "loop", [USE_INDEX] = "index",
        [USE_AMONG] = "among", [USE_KEY] = "key",       [USE_TEXT] = "text", [USE_CALL] = "call"};
    json_t *to = json_new_object();

    put_flag(to, "lost", !use->found);
    put_str(to, "use", str_of(words[use->use]));
    put_number(to, "line", use->line, 0);
    put_str(to, "variable", use->name);
    put_str(to, "of", use->what);
    put_number(to, "unsure_line", use->unsure_line, 0);
    put_str(to, "unsure", use->unsure);
    put_number(to, "read_line", use->read_line, 0);
    put_flag(to, "returned", use->returned != VALUE_OTHER);
    return to;
}

/* "### branch 2 number", and the instructions of that function. */
static json_t *dump_bytecode(struct arena *a, struct str text)
{
    json_t *to = json_new_object();

    while (str_consume(&text, STR("### "))) {
        ptrdiff_t end = str_find(text, STR("\n### "));
        struct str body = end < 0 ? text : str_take(text, (size_t)end + 1), head, name;
        struct bytecode_read read = {.kind = VALUE_NUMBER, .has_items = is_experts};
        struct bytecode_use use;

        text = str_skip(text, body.n);
        str_next_line(&body, &head);
        name = str_split(&head, ' ');
        str_i64(str_split(&head, ' '), &read.line);
        if (str_eq(head, STR("size")))
            read.kind = VALUE_SIZED;
        bytecode_use_find(body, &read, &use);
        json_put(to, arena_printf(a, "%.*s", STR_ARG(name)).p, dump_use(&use));
    }
    return to;
}

/* --- cases -------------------------------------------------------------------------------------------------------- */

static const struct kind {
    struct str end;
    json_t *(*dump)(struct arena *a, struct str text);
} kinds[] = {
    {STR_INIT(".traceback"), dump_traceback}, {STR_INIT(".break"), dump_break},
    {STR_INIT(".message"), dump_message},     {STR_INIT(".tree"), dump_tree},
    {STR_INIT(".reasons"), dump_reasons},     {STR_INIT(".fx"), dump_fx},
    {STR_INIT(".code"), dump_code},           {STR_INIT(".bytecode"), dump_bytecode},
};

static const struct kind *kind_of(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_ends(str_of(name), kinds[i].end))
            return &kinds[i];
    return NULL;
}

/* The bytes of a file; empty when it cannot be read. */
static struct str read_file(struct arena *a, const char *path)
{
    struct buf b = {0};
    char part[4096];
    size_t n;
    struct str s;
    FILE *f = fopen(path, "rb");

    while (f && (n = fread(part, 1, sizeof part, f)) > 0)
        buf_add(&b, part, n);
    if (f)
        fclose(f);
    s = arena_str(a, buf_view(&b));
    buf_free(&b);
    return s;
}

static bool write_file(const char *path, struct str s)
{
    FILE *f = fopen(path, "wb");
    bool ok = f && fwrite(s.p, 1, s.n, f) == s.n;

    return f && fclose(f) == 0 && ok;
}

static struct str dump(struct arena *a, const struct kind *kind, struct str text)
{
    json_t *result = kind->dump(a, text);
    char *dumped = json_dumps(result, JSON_INDENT(1));
    struct str s = arena_printf(a, "%s\n", dumped);

    free(dumped);
    json_decref(result);
    return s;
}

static bool run_case(const char *directory, const char *name, bool write)
{
    struct arena *a = arena_new();
    struct str path = arena_printf(a, "%s/%s", directory, name), expected_path = arena_printf(a, "%s.json", path.p);
    struct str got = dump(a, kind_of(name), read_file(a, path.p)), expected = read_file(a, expected_path.p);
    bool ok = str_eq(got, expected);

    if (write)
        ok = write_file(expected_path.p, got);
    else if (!ok)
        fprintf(stderr, "--- %s: expected\n%.*s--- got\n%.*s", name, STR_ARG(expected), STR_ARG(got));
    arena_free(a);
    return ok;
}

static int is_case(const struct dirent *e)
{
    return kind_of(e->d_name) != NULL;
}

int main(int argc, char **argv)
{
    bool write = argc == 3 && strcmp(argv[1], "--write") == 0;
    const char *directory = argc > 1 ? argv[argc - 1] : "tests/cases/text";
    struct dirent **names;
    int n = scandir(directory, &names, is_case, alphasort), failed = 0;

    if (n < 0) {
        fprintf(stderr, "%s: %s\n", directory, strerror(errno));
        return 1;
    }
    printf("1..%d\n", n);
    for (int i = 0; i < n; i++) {
        bool ok = run_case(directory, names[i]->d_name, write);

        printf("%sok %d - %s\n", ok ? "" : "not ", i + 1, names[i]->d_name);
        failed += !ok;
        free(names[i]);
    }
    free(names);
    return failed > 0;
}
