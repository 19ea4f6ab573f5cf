#include "analysis/find/guard_facts.h"

#include "text/guards/guard_name.h"
#include "text/guards/guard_tree.h"
#include "text/guards/guard_words.h"

/* Everything the guards say about one value. */
struct guard_value {
    struct str source; /* L['self']._modules['l'] */
    struct str name;   /* self.l; made when it is needed */
    struct str type;   /* "<class 'dict'>"; empty in 2.6 and earlier */
    int64_t position;
    VEC(const struct guard_node *) checks;
};

struct guard_facts {
    VEC(struct guard_value *) values;
    struct map by_source;
};

struct guard_facts_all {
    struct arena *arena;
    struct map by_compile;
};

/* --- reading ------------------------------------------------------------------------------------------------------ */

static struct guard_value *value_of(struct arena *a, struct guard_facts *facts, struct str source)
{
    void **slot = map_at(&facts->by_source, source);
    struct guard_value *v = *slot;

    if (!v) {
        *slot = v = ARENA_NEW(a, struct guard_value);
        v->source = source;
        v->position = -1;
        vec_push(a, &facts->values, v);
    }
    return v;
}

/* Skips checks that follow from others, or that are not about the value itself: a difference would count twice. */
static bool is_about_value(const struct guard_node *check)
{
    static const struct str others[] = {
        STR_INIT("LAMBDA_GUARD"),    STR_INIT("SYMBOLIC_SHAPE_GUARD"), STR_INIT("NO_TENSOR_ALIASING"),
        STR_INIT("OBJECT_ALIASING"), STR_INIT("STORAGE_OVERLAPPING"),  STR_INIT("DIMENSION_DYNAMIC_MARKING_GUARD"),
        STR_INIT("WEAKREF_ALIVE"),
    };

    return !STR_IS_ANY(check->kind, others) && !str_has(check->text, STR("_dynamo_"));
}

/* "FrameLocalsGuardAccessor(key='x', framelocals_idx=0)" */
static int64_t position_of(struct str accessor)
{
    struct str number;
    int64_t n;

    return str_between(accessor, STR("framelocals_idx="), STR(")"), &number) && str_i64(number, &n) ? n : -1;
}

static void add_manager(struct guard_value *v, const struct guard_node *node)
{
    if (v->type.n == 0) { /* its attributes and defaults may be below a manager of the same source */
        v->type = node->type;
        v->position = position_of(node->accessor);
    }
}

/* A check at the root has no source and is identified by its kind. */
static void add_nodes(struct arena *a, struct guard_facts *facts, const struct guard_node *parent)
{
    struct guard_value *v = parent->source.n ? value_of(a, facts, parent->source) : NULL;

    if (v)
        add_manager(v, parent);
    for (size_t i = 0; i < parent->children.n; i++) {
        const struct guard_node *node = parent->children.v[i];

        if (!node->is_guard)
            add_nodes(a, facts, node);
        else if (is_about_value(node))
            vec_push(a, &(v ? v : value_of(a, facts, node->kind))->checks, node);
    }
}

const struct artifact *compile_guard_tree(const struct compile *c)
{
    return compile_artifact(c, ARTIFACT_DYNAMO_CPP_GUARDS_STR);
}

static void read_tree(struct finder *f, struct arena *a, const struct artifact *artifact, struct guard_facts *facts)
{
    struct guard_tree tree;

    guard_tree_parse_checks(a, arena_str(a, finder_read_guards(f, artifact)), &tree);
    add_nodes(a, facts, tree.root);
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
    if ((tree = compile_guard_tree(c)) != NULL)
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

static bool is_tensor(const struct guard_value *v)
{
    for (size_t i = 0; i < v->checks.n; i++)
        if (str_eq(v->checks.v[i]->kind, STR("TENSOR_MATCH")))
            return true;
    return false;
}

struct str guard_variable(struct str source)
{
    struct str name;

    if (str_between(source, STR("L['"), STR("']"), &name) || str_between(source, STR("G['"), STR("']"), &name))
        return name;
    return source;
}

static bool has_check(const struct guard_value *v, struct str text)
{
    for (size_t i = 0; i < v->checks.n; i++)
        if (str_eq(v->checks.v[i]->text, text))
            return true;
    return false;
}

/* "not ___dict_contains('k', d)" and "___dict_contains('k', d)": the code of one compile looked up more keys. */
static bool is_about_key(const struct guard_node *check)
{
    return str_eq(check->kind, STR("DICT_CONTAINS"));
}

static bool denies(const struct guard_value *v, const struct guard_node *check)
{
    struct str text = check->text, other;
    bool negated = str_consume(&text, STR("not "));

    for (size_t i = 0; i < v->checks.n; i++) {
        other = v->checks.v[i]->text;
        if (str_consume(&other, STR("not ")) != negated && str_eq(other, text))
            return true;
    }
    return false;
}

/* A check of the first that the second lacks, unless it is only about a key that the second never looked up. */
static struct str lacking(const struct guard_value *v, const struct guard_value *other)
{
    for (size_t i = 0; i < v->checks.n; i++) {
        const struct guard_node *check = v->checks.v[i];

        if (is_about_key(check) ? denies(other, check) : !has_check(other, check->text))
            return check->text;
    }
    return (struct str){0};
}

/* A value in a hostile trace may have any number of checks. */
enum { CHECKS_COMPARED_MAX = 500 };

static bool same_checks(const struct guard_value *x, const struct guard_value *y)
{
    if (x->checks.n != y->checks.n)
        return false;
    for (size_t i = 0; i < x->checks.n; i++)
        if (!str_eq(x->checks.v[i]->text, y->checks.v[i]->text))
            return false;
    return true;
}

/*
 * The earlier check that fails for a value that passes the later ones; empty if there is none. A compile that got
 * further through the code has more checks of the same value: that is not a difference.
 */
static struct str contradicted(const struct guard_value *before, const struct guard_value *now)
{
    struct str check;

    if (before->checks.n == 0 || now->checks.n == 0 || same_checks(before, now))
        return (struct str){0};
    if (before->checks.n > CHECKS_COMPARED_MAX || now->checks.n > CHECKS_COMPARED_MAX)
        return before->checks.v[0]->text;
    check = lacking(before, now);
    return lacking(now, before).n ? check : (struct str){0};
}

void guard_facts_compare(struct finder *f, const struct guard_facts *earlier, const struct guard_facts *later,
                         struct guard_differences *out)
{
    *out = (struct guard_differences){.known = earlier->values.n && later->values.n};
    for (size_t i = 0; i < earlier->values.n; i++) {
        const struct guard_value *before = earlier->values.v[i], *now = map_get(&later->by_source, before->source);
        struct str check = now ? contradicted(before, now) : (struct str){0};

        out->alone += !now;
        if (check.n == 0)
            continue;
        if (is_tensor(before) && is_tensor(now))
            out->tensors = true;
        else
            vec_push(f->guard_facts->arena, &out->list,
                     ((struct guard_difference){before->source, guard_variable(before->source), check}));
    }
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

/* "mask" of L['kwargs']['mask']; empty if it is not an item of that dict, or not a string. */
static struct str key_in(struct str source, struct str dict)
{
    if (!str_consume(&source, dict) || !str_consume(&source, STR("['")) || !str_ends(source, STR("']")))
        return (struct str){0};
    source = str_drop(source, 2);
    return str_chr(source, '\'') < 0 ? source : (struct str){0};
}

/* "list(dict.keys(D))[1] == 'mask'", until 2.6 "list(D.keys())[1] == 'mask'": the key at an index of the dict. */
static struct str key_at(struct str check, struct str dict)
{
    struct str key;
    bool is_key =
        str_consume(&check, STR("list(dict.keys(")) && str_consume(&check, dict) && str_consume(&check, STR("))["));

    if (!is_key)
        is_key =
            str_consume(&check, STR("list(")) && str_consume(&check, dict) && str_consume(&check, STR(".keys())["));
    return is_key && str_between(check, STR("] == '"), STR("'"), &key) ? key : (struct str){0};
}

static struct str counted_key(const struct guard_value *v, struct str dict)
{
    struct str key = {0};

    for (size_t i = 0; i < v->checks.n && i < CHECKS_COMPARED_MAX && key.n == 0; i++)
        key = key_at(v->checks.v[i]->text, dict);
    return key;
}

static struct str key_of(const struct guard_value *v, struct str dict)
{
    struct str key = key_in(v->source, dict);

    return key.n ? key : counted_key(v, dict);
}

size_t guard_facts_counted_keys(const struct guard_facts *facts, struct str dict)
{
    size_t n = 0;

    for (size_t i = 0; i < facts->values.n; i++)
        n += counted_key(facts->values.v[i], dict).n > 0;
    return n;
}

void guard_facts_keys_added(struct finder *f, const struct guard_facts *from, const struct guard_facts *to,
                            struct str dict, struct guard_keys *out)
{
    struct map known;

    *out = (struct guard_keys){0};
    map_init(&known, f->guard_facts->arena);
    for (size_t i = 0; i < from->values.n; i++)
        *map_at(&known, key_of(from->values.v[i], dict)) = out;
    *map_at(&known, (struct str){0}) = out; /* most values are not keys of a dict */
    for (size_t i = 0; i < to->values.n; i++) {
        struct str key = key_of(to->values.v[i], dict);
        void **slot = map_at(&known, key);

        if (!*slot && out->n++ < KEYS_SHOWN)
            out->words = arena_printf(f->arena, "%.*s%s`%.*s`", STR_ARG(out->words), out->words.n ? ", " : "",
                                      STR_ARG(str_take(key, 60)));
        *slot = out;
    }
}

/* Differences of one variable are mostly adjacent, but not always. */
static bool is_first_of_variable(const struct guard_differences *d, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (str_eq(d->list.v[i].variable, d->list.v[at].variable))
            return false;
    return true;
}

enum { COUNTED_MAX = 200 };

size_t guard_differences_count(const struct guard_differences *d)
{
    size_t n = d->tensors;

    for (size_t i = 0; i < d->list.n && i < COUNTED_MAX; i++)
        n += is_first_of_variable(d, i);
    return n;
}

struct str guard_differences_words(struct finder *f, const struct guard_differences *d, struct str but)
{
    enum { SHOWN = 4 };
    struct str out = {0};

    for (size_t i = 0, n = 0; i < d->list.n && i < COUNTED_MAX && n < SHOWN; i++) {
        struct str name = d->list.v[i].variable;

        if (str_eq(name, guard_variable(but)) || str_eq(name, d->list.v[i].source) || !is_first_of_variable(d, i))
            continue;
        out = arena_printf(f->arena, "%.*s%s`%.*s`", STR_ARG(out), n++ ? ", " : "", STR_ARG(str_take(name, 60)));
    }
    return out;
}

struct str guard_facts_type(const struct guard_facts *facts, struct str source)
{
    const struct guard_value *v = map_get(&facts->by_source, source);

    return v ? words_type(v->type) : (struct str){0};
}

static bool has_items(struct str type)
{
    return str_eq(type, STR("list")) || str_eq(type, STR("tuple")) || str_eq(type, STR("dict")) ||
           str_starts(type, STR("torch.nn.modules.container"));
}

/* "experts" of L['self']._modules['experts'] and of L['self'].experts */
static struct str last_name(struct str source)
{
    bool quoted = str_ends(source, STR("']"));
    ptrdiff_t at;

    source = quoted ? str_drop(source, 2) : source;
    at = str_rchr(source, quoted ? '\'' : '.');
    return at < 0 ? (struct str){0} : str_skip(source, (size_t)at + 1);
}

bool guard_facts_has_items(const struct guard_facts *facts, struct str name)
{
    for (size_t i = 0; name.n && i < facts->values.n; i++)
        if (str_eq(last_name(facts->values.v[i]->source), name) && has_items(words_type(facts->values.v[i]->type)))
            return true;
    return false;
}

bool guard_facts_have_tensors(const struct guard_facts *facts)
{
    for (size_t i = 0; i < facts->values.n; i++)
        for (size_t k = 0; k < facts->values.v[i]->checks.n; k++)
            if (str_eq(facts->values.v[i]->checks.v[k]->kind, STR("TENSOR_MATCH")))
                return true;
    return false;
}

/* "L['func']", but nothing reached from it. */
static bool is_variable(struct str source)
{
    return str_starts(source, STR("L['")) && str_ends(source, STR("']")) &&
           str_find(source, STR("']")) == (ptrdiff_t)source.n - 2;
}

struct str guard_facts_function_behind(const struct guard_facts *facts, int64_t position)
{
    for (size_t i = 0; i < facts->values.n; i++) {
        const struct guard_value *v = facts->values.v[i];
        struct str type = words_type(v->type);

        if (v->position > position && is_variable(v->source) &&
            (str_eq(type, STR("function")) || str_eq(type, STR("method"))))
            return v->source;
    }
    return (struct str){0};
}

int64_t guard_facts_position(const struct guard_facts *facts, struct str source)
{
    const struct guard_value *v = map_get(&facts->by_source, source);

    return v ? v->position : -1;
}

/* "___check_obj_id(x, 7)" and similar checks name the value in their own way; others compare it with something. */
static struct str left_side(struct finder *f, struct str guard)
{
    ptrdiff_t at = str_find(guard, STR(" == "));

    return guard_name(f->guard_facts->arena, at < 0 ? guard : str_take(guard, (size_t)at));
}

static bool is_constant(enum guard_class class)
{
    return class == GUARD_INT || class == GUARD_FLOAT || class == GUARD_BOOL || class == GUARD_STRING ||
           class == GUARD_CONSTANT || class == GUARD_NONE || class == GUARD_MODULE_ATTRIBUTE;
}

/* What the check says about the value, if it is a check of the same thing. */
static struct str known_by(struct finder *f, const struct guard_node *check, const struct guard_reason *failed)
{
    struct guard_reason now;

    if (str_eq(check->kind, STR("TENSOR_MATCH")))
        return STR("");
    guard_reason_parse(f->guard_facts->arena, check->text, &now);
    return now.class == failed->class || (is_constant(now.class) && is_constant(failed->class)) ? now.expected
                                                                                                : STR("");
}

/* The kind of the new value, where a value or none was expected. */
static struct str kind_by_words(struct finder *f, const struct guard_node *check, const struct guard_reason *failed)
{
    struct guard_reason now;

    if (failed->class == GUARD_LENGTH || failed->class == GUARD_DICT)
        return STR("");
    if (str_eq(check->kind, STR("TENSOR_MATCH")))
        return STR("a tensor");
    guard_reason_parse(f->guard_facts->arena, check->text, &now);
    if (now.class == GUARD_TYPE && now.expected.n == 0)
        return failed->class == GUARD_IDENTITY ? STR(VALUE_OF_A_TYPE) : STR("");
    if (now.class != GUARD_TYPE)
        return now.class == GUARD_NONE ? now.expected : STR("");
    return arena_printf(f->arena, "of type %.*s", STR_ARG(now.expected));
}

/* Keys of a dict are values of their own, named by the whole check. */
static bool is_same_value(struct finder *f, struct guard_value *v, const struct guard_reason *failed)
{
    if (v->name.n == 0)
        v->name = guard_name(f->guard_facts->arena, v->source);
    if (failed->class == GUARD_DICT)
        return str_eq(v->name, left_side(f, failed->guard));
    return failed->name.n && str_eq(v->name, failed->name);
}

struct str guard_facts_now(struct finder *f, const struct guard_facts *facts, const struct guard_reason *failed)
{
    struct str now = {0};

    for (size_t i = 0; i < facts->values.n; i++) {
        struct guard_value *v = facts->values.v[i];

        if (!is_same_value(f, v, failed))
            continue;
        for (size_t k = 0; k < v->checks.n && now.n == 0; k++)
            now = known_by(f, v->checks.v[k], failed);
        for (size_t k = 0; k < v->checks.n && now.n == 0; k++)
            now = kind_by_words(f, v->checks.v[k], failed);
        if (now.n && !str_eq(now, failed->expected))
            return arena_str(f->arena, str_take(now, 200));
    }
    return (struct str){0};
}
