#include "text/guards/guard_tree.h"

#include "input/limits.h"
#include "text/guards/guard_comment.h"
#include "text/guards/guard_kind.h"
#include "util/formats/json.h"

#include <stdlib.h>

struct tree_reader {
    struct arena *arena;
    struct guard_tree *tree;
    struct guard_node *path[LIMIT_GUARD_DEPTH + 1]; /* the last node of each level, down to `depth` */
    unsigned depth;
    bool flat;               /* below "GUARDS:", where each line is a check, until another part begins */
    bool code;               /* inside the source of a compiled guard, which repeats the checks of the tree */
    struct guard_node *open; /* the last node: a line without the tree's marks continues its text */
    struct str open_text;
};

/* --- nodes -------------------------------------------------------------------------------------------------------- */

static struct guard_node *new_node(struct arena *a, struct guard_node *parent)
{
    struct guard_node *node = ARENA_NEW(a, struct guard_node);

    node->parent = parent;
    node->user_string = -1;
    if (parent) {
        node->depth = parent->depth + 1;
        vec_push(a, &parent->children, node);
    }
    return node;
}

static void begin(struct arena *a, struct guard_tree *out)
{
    *out = (struct guard_tree){.latency_us = -1};
    out->root = new_node(a, NULL);
}

static void set_guard(struct arena *a, struct guard_tree *tree, struct guard_node *node, struct str text)
{
    struct guard_comment c = {0};

    if (tree->checks_only)
        c.check = guard_comment_check(text);
    else
        guard_comment_parse(a, text, &c);
    node->is_guard = true;
    node->text = c.check;
    node->source = node->parent->source;
    node->user_code = c.user_code;
    node->user_file = c.file;
    node->user_line = c.line;
    node->user_function = c.function;
    node->hint = c.hint;
    vec_push(a, &tree->guards, node);
}

/* The offset of the last occurrence of a mark that begins with a comma, or -1. */
static ptrdiff_t find_last(struct str s, struct str mark)
{
    for (struct str before = s;;) {
        ptrdiff_t at = str_rchr(before, ',');

        if (at < 0 || str_starts(str_skip(s, (size_t)at), mark))
            return at;
        before = str_take(before, (size_t)at);
    }
}

/*
 * "source=S, accessed_by=A, type=T, tag_safe=(False, False)"; 2.5 and earlier end with A. Dict keys in S and A are
 * quoted without escapes, so the other fields are searched from the end.
 */
static void set_manager(struct guard_node *node, struct str text)
{
    ptrdiff_t at;

    node->text = text;
    str_consume(&text, STR("GuardManager: "));
    str_consume(&text, STR("DictGuardManager: "));
    if (!str_consume(&text, STR("source=")))
        return;
    if ((at = find_last(text, STR(", tag_safe=("))) >= 0)
        text = str_take(text, (size_t)at);
    if ((at = find_last(text, STR(", type="))) >= 0) {
        node->type = str_skip(text, (size_t)at + 7);
        text = str_take(text, (size_t)at);
    }
    if ((at = str_find(text, STR(", accessed_by="))) >= 0) {
        node->accessor = str_skip(text, (size_t)at + 14);
        text = str_take(text, (size_t)at);
    }
    node->source = text;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static bool is_check(struct str kind)
{
    return kind.n && !str_ends(kind, STR("Manager")) && !str_starts(kind, STR("Epilogue"));
}

/*
 * A node is complete only when the next one begins: the value that a check compares with is printed by the user's
 * __repr__, which may write several lines.
 */
static void close_node(struct tree_reader *r)
{
    struct guard_node *node = r->open;

    r->open = NULL;
    if (!node)
        return;
    if (is_check(node->kind))
        set_guard(r->arena, r->tree, node, r->open_text);
    else
        set_manager(node, str_trim(r->open_text));
}

/*
 * Adds a node at a level: below the last node of the level above, or the deepest one there is. A guard has no
 * children.
 */
static struct guard_node *add_at(struct tree_reader *r, unsigned depth)
{
    struct guard_node *parent, *node;
    unsigned above = depth > 0 ? depth - 1 : 0;

    if (above > r->depth)
        above = r->depth;
    if (above > LIMIT_GUARD_DEPTH - 1)
        above = LIMIT_GUARD_DEPTH - 1;
    parent = r->path[above];
    if (parent->is_guard)
        parent = parent->parent;
    node = new_node(r->arena, parent);
    r->depth = above + 1;
    r->path[r->depth] = node;
    return node;
}

/* "Kind: text", "Kind" or "KeyValueManager pair at index=0". */
static struct str take_kind(struct str *line)
{
    struct str kind = *line;
    size_t n = 0;

    if (str_starts(kind, STR("Epilogue Lambda Guards"))) {
        *line = str_skip(*line, kind.n);
        return str_take(kind, 22);
    }
    while (n < line->n && line->p[n] != ':' && line->p[n] != ' ')
        n++;
    kind.n = n;
    *line = str_skip(*line, n);
    str_consume(line, STR(":"));
    str_consume(line, STR(" "));
    return str_trim(kind);
}

bool guard_tree_line_is_check(struct str line)
{
    while (str_consume(&line, STR("| ")))
        ;
    return str_consume(&line, STR("+- ")) && is_check(take_kind(&line));
}

/* "| | +- Kind: text" */
static bool read_node(struct tree_reader *r, struct str line)
{
    struct guard_node *node;
    unsigned depth = 0;
    struct str kind;

    while (str_consume(&line, STR("| ")))
        depth++;
    if (!str_consume(&line, STR("+- ")))
        return false;
    close_node(r);
    r->flat = r->code = false;
    kind = take_kind(&line);
    if (kind.n == 0)
        return false;
    if (depth == 0 && r->tree->root->kind.n == 0 && str_ends(kind, STR("Manager"))) {
        node = r->tree->root;
        r->depth = 0;
    } else {
        node = add_at(r, depth);
    }
    node->kind = kind;
    r->open = node;
    r->open_text = line;
    return true;
}

/* "Guard latency = 62.04 us" in the record, "Guard eval latency = 62.04 us" in the log. */
static bool read_latency(struct tree_reader *r, struct str line)
{
    char number[32];

    if (!str_consume(&line, STR("Guard latency = ")) && !str_consume(&line, STR("Guard eval latency = ")))
        return false;
    line = str_split(&line, ' ');
    if (line.n == 0 || !str_terminate(line, number, sizeof number))
        return false;
    r->tree->latency_us = strtod(number, NULL);
    return true;
}

static bool read_heading(struct tree_reader *r, struct str line)
{
    bool guards = str_eq(line, STR("GUARDS:")), tree = str_eq(line, STR("TREE_GUARD_MANAGER:"));
    bool code =
        str_starts(line, STR("Python shape guard function:")) || str_starts(line, STR("C++ shape guard function:"));

    if (!guards && !tree && !code)
        return read_latency(r, line);
    r->flat = guards;
    r->code = code;
    return true;
}

static void add_flat(struct arena *a, struct guard_tree *tree, struct str text)
{
    struct guard_node *node = new_node(a, tree->root);

    set_guard(a, tree, node, text);
    node->kind = guard_kind_of_check(node->text);
}

/* A blank line ends a node: the text after it is another part, not the continuation of a check. */
static void read_line(struct tree_reader *r, struct str line)
{
    struct str trimmed = str_trim(line);

    if (trimmed.n == 0) {
        close_node(r);
        return;
    }
    r->tree->lines++;
    if (read_node(r, line))
        return;
    if (read_heading(r, trimmed))
        close_node(r);
    else if (r->open)
        r->open_text = str_range(r->open_text.p, line.p + line.n);
    else if (r->flat)
        add_flat(r->arena, r->tree, line);
    else if (!r->code)
        r->tree->lines_unknown++;
}

static void parse(struct arena *a, struct str text, bool checks_only, struct guard_tree *out)
{
    struct tree_reader r = {.arena = a, .tree = out};
    struct str line;

    begin(a, out);
    out->checks_only = checks_only;
    r.path[0] = out->root;
    while (str_next_line(&text, &line))
        read_line(&r, line);
    close_node(&r);
}

void guard_tree_parse(struct arena *a, struct str text, struct guard_tree *out)
{
    parse(a, text, false, out);
}

void guard_tree_parse_checks(struct arena *a, struct str text, struct guard_tree *out)
{
    parse(a, text, true, out);
}

/* --- the JSON list ------------------------------------------------------------------------------------------------ */

/* The innermost call of user_stack. Its file is an index into the process's string table. */
static void set_json_stack(struct json_doc *doc, struct arena *a, json_t *item, struct guard_node *node)
{
    json_t *stack, *call;
    struct str name;

    if (json_get_array(doc, item, "user_stack", &stack) != JSON_FOUND || json_array_size(stack) == 0)
        return;
    call = json_array_get(stack, json_array_size(stack) - 1);
    json_get_i64(doc, call, "line", &node->user_line);
    json_get_i64(doc, call, "filename", &node->user_string);
    if (json_get_str(doc, call, "name", &name) == JSON_FOUND)
        node->user_function = arena_str(a, name);
}

static void read_json_item(struct json_doc *doc, struct arena *a, json_t *item, struct guard_tree *out)
{
    struct str code;

    out->lines++;
    if (json_get_str(doc, item, "code", &code) != JSON_FOUND) {
        out->lines_unknown++;
        return;
    }
    add_flat(a, out, arena_str(a, code));
    set_json_stack(doc, a, item, out->guards.v[out->guards.n - 1]);
}

bool guard_tree_parse_json(struct arena *a, struct str text, struct guard_tree *out)
{
    struct json_doc doc;
    size_t i;
    json_t *item;
    bool is_list;

    begin(a, out);
    is_list = json_doc_load(&doc, text) && json_is_array(doc.root);
    if (is_list)
        json_array_foreach(doc.root, i, item) read_json_item(&doc, a, item, out);
    json_doc_free(&doc);
    return is_list;
}
