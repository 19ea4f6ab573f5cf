#include "analysis/guard_facts.h"

#include "text/guard_name.h"
#include "text/guard_tree.h"
#include "text/guard_words.h"

/* What the guards say of one value. */
struct value {
    struct str source, name; /* L['self']._modules['l'], self.l */
    struct str type;         /* "<class 'dict'>"; empty in 2.6 and earlier */
    int64_t position;
    uint64_t checks_hash; /* of the texts of all checks of it; 0 none */
    VEC(const struct guard_node *) checks;
};

struct guard_facts {
    VEC(struct value *) values;
    struct map by_source;
};

struct guard_facts_all {
    struct arena *arena;
    struct map by_compile;
};

/* --- reading ------------------------------------------------------------------------------------------------------ */

static struct value *value_of(struct arena *a, struct guard_facts *facts, struct str source)
{
    void **slot = map_at(&facts->by_source, source);
    struct value *v = *slot;

    if (!v) {
        *slot = v = ARENA_NEW(a, struct value);
        v->source = source;
        v->name = guard_name(a, source);
        v->position = -1;
        vec_push(a, &facts->values, v);
    }
    return v;
}

/* Checks that follow from others, or that say nothing of the value's own: they would count a difference twice. */
static bool is_about_value(const struct guard_node *check)
{
    static const struct str others[] = {
        STR_INIT("LAMBDA_GUARD"),       STR_INIT("SYMBOLIC_SHAPE_GUARD"), STR_INIT("NO_TENSOR_ALIASING"),
        STR_INIT("OBJECT_ALIASING"),    STR_INIT("STORAGE_OVERLAPPING"),  STR_INIT("DIMENSION_DYNAMIC_MARKING_GUARD"),
        STR_INIT("WEAKREF_ALIVE"),
    };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (str_eq(check->kind, others[i]))
            return false;
    return !str_has(check->text, STR("_dynamo_"));
}

/* What stands at the root has no source: its kind tells it apart. */
static void add_check(struct arena *a, struct guard_facts *facts, const struct guard_node *check)
{
    struct value *v;

    if (!is_about_value(check))
        return;
    v = value_of(a, facts, check->source.n ? check->source : check->kind);
    v->checks_hash = v->checks_hash * 31 + str_hash(check->text);
    vec_push(a, &v->checks, check);
}

/* "FrameLocalsGuardAccessor(key='x', framelocals_idx=0)" */
static int64_t position_of(struct str accessor)
{
    struct str number;
    int64_t n;

    return str_between(accessor, STR("framelocals_idx="), STR(")"), &number) && str_i64(number, &n) ? n : -1;
}

static void add_managers(struct arena *a, struct guard_facts *facts, const struct guard_node *node)
{
    struct value *v;

    if (!node->is_guard && node->source.n) {
        v = value_of(a, facts, node->source);
        v->type = node->type;
        v->position = position_of(node->accessor);
    }
    for (size_t i = 0; i < node->children.n; i++)
        add_managers(a, facts, node->children.v[i]);
}

static const struct artifact *tree_of(const struct compile *c)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (str_eq(c->artifacts.v[i]->name, STR("dynamo_cpp_guards_str")))
            return c->artifacts.v[i];
    return NULL;
}

static void read_tree(struct finder *f, struct arena *a, const struct artifact *artifact, struct guard_facts *facts)
{
    struct guard_tree tree;

    guard_tree_parse(a, arena_str(a, finder_read(f, artifact)), &tree);
    add_managers(a, facts, tree.root);
    for (size_t i = 0; i < tree.guards.n; i++)
        add_check(a, facts, tree.guards.v[i]);
}

static struct guard_facts_all *all_of(struct finder *f)
{
    if (!f->guard_facts) {
        struct arena *a = arena_new();

        f->guard_facts = ARENA_NEW(a, struct guard_facts_all);
        f->guard_facts->arena = a;
        map_init(&f->guard_facts->by_compile, a);
    }
    return f->guard_facts;
}

const struct guard_facts *guard_facts_of(struct finder *f, const struct compile *c)
{
    struct guard_facts_all *all = all_of(f);
    void **slot = map_at_copy(&all->by_compile, MAP_KEY(c));
    struct guard_facts *facts = *slot;
    const struct artifact *tree;

    if (facts)
        return facts;
    *slot = facts = ARENA_NEW(all->arena, struct guard_facts);
    map_init(&facts->by_source, all->arena);
    if ((tree = tree_of(c)) != NULL)
        read_tree(f, all->arena, tree, facts);
    return facts;
}

void guard_facts_forget(struct finder *f)
{
    if (f->guard_facts)
        arena_free(f->guard_facts->arena);
    f->guard_facts = NULL;
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

size_t guard_facts_differences(const struct guard_facts *a, const struct guard_facts *b)
{
    size_t n = 0;

    for (size_t i = 0; i < a->values.n; i++) {
        const struct value *mine = a->values.v[i], *other = map_get(&b->by_source, mine->source);

        n += other && mine->checks_hash && other->checks_hash && mine->checks_hash != other->checks_hash;
    }
    return n;
}

struct str guard_facts_type(const struct guard_facts *facts, struct str source)
{
    const struct value *v = map_get(&facts->by_source, source);

    return v ? words_type(v->type) : (struct str){0};
}

int64_t guard_facts_position(const struct guard_facts *facts, struct str source)
{
    const struct value *v = map_get(&facts->by_source, source);

    return v ? v->position : -1;
}

/* What the check says the value is, when it is a check of the same thing. */
static struct str told_by(struct finder *f, const struct guard_node *check, const struct guard_reason *failed)
{
    struct guard_reason now;

    if (str_eq(check->kind, STR("TENSOR_MATCH")))
        return failed->class == GUARD_SIZE ? (struct str){0} : STR("a tensor");
    guard_reason_parse(f->guard_facts->arena, check->text, &now);
    if (now.class != failed->class && failed->class != GUARD_NONE && now.class != GUARD_NONE &&
        now.class != GUARD_TYPE && failed->class != GUARD_TYPE)
        return (struct str){0};
    return now.expected;
}

struct str guard_facts_now(struct finder *f, const struct guard_facts *facts, const struct guard_reason *failed)
{
    struct str now;

    for (size_t i = 0; i < facts->values.n; i++) {
        const struct value *v = facts->values.v[i];

        if (failed->name.n == 0 || !str_eq(v->name, failed->name))
            continue;
        for (size_t k = 0; k < v->checks.n; k++)
            if ((now = told_by(f, v->checks.v[k], failed)).n && !str_eq(now, failed->expected))
                return arena_str(f->arena, str_take(now, 200));
    }
    return (struct str){0};
}
