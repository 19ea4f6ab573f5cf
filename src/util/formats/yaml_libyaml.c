#include "util/formats/yaml.h"

#include <stdio.h>
#include <yaml.h>

enum { DEPTH_MAX = 16, NODES_MAX = 200000 };

struct yaml_reader {
    struct arena *arena;
    yaml_parser_t yaml;
    yaml_event_t event; /* the last event that was read */
    struct yaml_error *error;
    size_t nodes;
};

static bool fail(struct yaml_reader *p, size_t line, struct str text)
{
    if (p->error->text.n == 0)
        *p->error = (struct yaml_error){line + 1, text};
    return false;
}

static bool next(struct yaml_reader *p)
{
    yaml_event_delete(&p->event);
    if (yaml_parser_parse(&p->yaml, &p->event))
        return true;
    return fail(p, p->yaml.problem_mark.line,
                arena_printf(p->arena, "not YAML: %s", p->yaml.problem ? p->yaml.problem : "not in UTF-8"));
}

static struct yaml_node *node(struct yaml_reader *p, int depth);

/* Reads entries up to the event that ends the list or map. */
static bool children(struct yaml_reader *p, struct yaml_node *to, yaml_event_type_t end, int depth)
{
    for (;;) {
        struct yaml_node *key = NULL, *value;

        if (!next(p))
            return false;
        if (p->event.type == end)
            return true;
        if (to->kind == YAML_MAP) {
            key = node(p, depth);
            if (!key || !next(p))
                return false;
            if (key->kind != YAML_TEXT)
                return fail(p, key->line - 1, STR("a key is not a text"));
            vec_push(p->arena, &to->keys, key);
        }
        value = node(p, depth);
        if (!value)
            return false;
        vec_push(p->arena, &to->values, value);
    }
}

/* The node that begins with the last event; NULL after an error. */
static struct yaml_node *node(struct yaml_reader *p, int depth)
{
    struct yaml_node *n = ARENA_NEW(p->arena, struct yaml_node);
    size_t line = p->event.start_mark.line;
    bool ok = true;

    *n = (struct yaml_node){.line = line + 1};
    if (depth > DEPTH_MAX || ++p->nodes > NODES_MAX) {
        ok = fail(p, line, depth > DEPTH_MAX ? STR("too deep") : STR("too long"));
    } else if (p->event.type == YAML_SCALAR_EVENT) {
        n->text =
            arena_str(p->arena, (struct str){(const char *)p->event.data.scalar.value, p->event.data.scalar.length});
    } else if (p->event.type == YAML_SEQUENCE_START_EVENT) {
        n->kind = YAML_LIST;
        ok = children(p, n, YAML_SEQUENCE_END_EVENT, depth + 1);
    } else if (p->event.type == YAML_MAPPING_START_EVENT) {
        n->kind = YAML_MAP;
        ok = children(p, n, YAML_MAPPING_END_EVENT, depth + 1);
    } else {
        ok = fail(p, line, STR("anchors (&x, *x) are not read"));
    }
    return ok ? n : NULL;
}

static struct yaml_node *document(struct yaml_reader *p)
{
    struct yaml_node *empty = ARENA_NEW(p->arena, struct yaml_node), *root;

    *empty = (struct yaml_node){.kind = YAML_MAP, .line = 1};
    if (!next(p) || !next(p)) /* the stream begins, then the document */
        return NULL;
    if (p->event.type == YAML_STREAM_END_EVENT)
        return empty;
    root = next(p) ? node(p, 0) : NULL;
    if (!root || !next(p) || !next(p))
        return NULL;
    if (p->event.type != YAML_STREAM_END_EVENT)
        return fail(p, p->event.start_mark.line, STR("a second document")), NULL;
    return root;
}

struct yaml_node *yaml_parse(struct arena *a, struct str text, struct yaml_error *error)
{
    struct yaml_reader p = {.arena = a, .error = error};
    struct yaml_node *root = NULL;

    *error = (struct yaml_error){0};
    if (yaml_parser_initialize(&p.yaml)) {
        yaml_parser_set_input_string(&p.yaml, (const unsigned char *)(text.p ? text.p : ""), text.n);
        root = document(&p);
        yaml_event_delete(&p.event);
        yaml_parser_delete(&p.yaml);
    }
    return root;
}

const char *yaml_library(void)
{
    static char name[40];

    snprintf(name, sizeof name, "libyaml %s", yaml_get_version_string());
    return name;
}
