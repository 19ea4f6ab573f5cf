/* Findings about guards, which are checked at every call, and about one that is missing. */
#include "analysis/answers/versions.h"
#include "analysis/find/find.h"

#include "analysis/find/callee.h"
#include "analysis/find/caller.h"
#include "text/guards/guard_kind.h"
#include "text/guards/guard_name.h"
#include "text/guards/guard_tree.h"
#include "text/versions/names.h"
#include "util/frequency.h"

enum { MANY_GUARDS = 1000, SLOW_US = 1000, VERY_SLOW_US = 5000, SLOW_CHECKS = 2, LOOKED_AT_MAX = 8, SHOWN = 3 };

static int64_t number(const struct compile *c, const char *key)
{
    int64_t n;

    return metrics_i64(compile_metrics(c, METRICS_FORWARD), key, &n) && n > 0 ? n : 0;
}

/* --- which guards there are most of ------------------------------------------------------------------------------- */

/* "L['self']" of L['self']._modules['layers'], also inside a call: list(dict.keys(L['x'])). */
static struct str root_of(struct str source)
{
    ptrdiff_t begin = str_find(source, STR("['")), end = str_find(source, STR("']"));

    if (begin < 1 || end < begin)
        return source.n ? source : STR("the whole frame");
    return str_take(str_skip(source, (size_t)begin - 1), (size_t)(end - begin) + 3);
}

/* The most frequent one, as "1200 × TENSOR_MATCH (the tensor's dtype ...)". */
static struct str most_frequent(struct finder *f, const struct map *counts, bool kinds)
{
    const struct frequency **list = frequency_ranked(f->arena, counts);
    struct str out = {"", 0};

    for (size_t i = 0; i < counts->n && i < SHOWN; i++) {
        const char *words = kinds ? guard_kind_words(list[i]->name) : NULL;

        out = arena_printf(f->arena, "%.*s%s%llu %s`%.*s`%s%s%s", STR_ARG(out), i ? ", " : "",
                           (unsigned long long)list[i]->n, kinds ? "× " : "on ", STR_ARG(list[i]->name),
                           words ? " (" : "", words ? words : "", words ? ")" : "");
    }
    return out;
}

/* --- what a call checks ------------------------------------------------------------------------------------------- */

struct checks {
    int64_t count;
    bool cut;        /* the tree was not read completely */
    struct str most; /* the most frequent kinds and variables; empty if unknown */
};

/*
 * The guards of the tree: those that a guard_filter_fn kept. The metrics count all that were created. If the tree is
 * not read completely, the count is an estimate.
 */
static void read_tree(struct finder *f, const struct artifact *artifact, struct checks *out)
{
    struct str text = arena_str(f->arena, finder_read_guards(f, artifact));
    struct guard_tree tree;
    struct map kinds, roots;

    guard_tree_parse_checks(f->arena, text, &tree);
    map_init(&kinds, f->arena);
    map_init(&roots, f->arena);
    for (size_t i = 0; i < tree.guards.n; i++) {
        frequency_add(&kinds, tree.guards.v[i]->kind);
        frequency_add(&roots, root_of(tree.guards.v[i]->source));
    }
    if (kinds.n == 0)
        return;
    out->count = (int64_t)tree.guards.n;
    out->cut = f->cut;
    if (f->cut && text.n)
        out->count = (int64_t)((double)out->count * (double)artifact->payload.text_bytes / (double)text.n);
    out->most = arena_printf(f->arena, "%s %.*s; %.*s.", f->cut ? "Most, at the beginning of the tree:" : "Most are",
                             STR_ARG(most_frequent(f, &kinds, true)), STR_ARG(most_frequent(f, &roots, false)));
}

static struct checks checks_of(struct finder *f, const struct compile *c)
{
    struct checks out = {.count = number(c, "guard_count")};
    const struct artifact *tree = compile_guard_tree(c);

    if (tree)
        read_tree(f, tree, &out);
    return out;
}

/* --- the finding -------------------------------------------------------------------------------------------------- */

/* Compiles with the most guards, most first: few enough to read their trees. */
struct guard_candidates {
    const struct compile *list[LOOKED_AT_MAX];
    size_t n;
};

static void add_candidate(struct guard_candidates *all, const struct compile *c)
{
    size_t at = all->n;

    if (all->n < LOOKED_AT_MAX)
        all->n++;
    else if (number(c, "guard_count") <= number(all->list[--at], "guard_count"))
        return;
    for (; at > 0 && number(all->list[at - 1], "guard_count") < number(c, "guard_count"); at--)
        all->list[at] = all->list[at - 1];
    all->list[at] = c;
}

/*
 * The time is of one check, when the compile ends, and a busy machine makes it long: twice is no accident, and the
 * shortest says the most. Any model of some size has so many guards; what they cost is what counts.
 */
static enum finding_severity severity_of(const struct run *r)
{
    const struct compile *c;
    int64_t shortest = 0;
    int slow = 0;

    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));) {
        int64_t us = number(c, "guard_count") >= MANY_GUARDS ? number(c, "guard_latency_us") : 0;

        slow += us >= VERY_SLOW_US;
        shortest = us && (!shortest || us < shortest) ? us : shortest;
    }
    if (slow >= SLOW_CHECKS)
        return FINDING_MEDIUM;
    return shortest && shortest < SLOW_US ? FINDING_INFO : FINDING_LOW;
}

static void set_fix(struct finding *x, const struct compile *c)
{
    x->fix =
        STR("Modules with many attributes cost most. If the modules never change after the first call, their guards "
            "can be skipped; if one does change, nothing notices.");
    if (names_has(NAME_API, STR("torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe"),
                  process_pytorch(c->process)) == NAME_ABSENT)
        return;
    finding_paste(x, PASTE_PATTERN,
                  STR("torch.compile(model, options={\"guard_filter_fn\": "
                      "torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe})"));
    finding_paste_at(x, NULL, STR("where the model is compiled"));
}

/* 1500 for 1462: an estimate from the beginning of a tree is not more precise. */
static int64_t two_digits(int64_t n)
{
    int64_t unit = 1;

    while (n / unit >= 100)
        unit *= 10;
    return (n + unit / 2) / unit * unit;
}

static void add_finding(struct finder *f, const struct compile *worst, const struct checks *checks)
{
    struct finding *x = finding_add(f, "slow-guards", severity_of(f->run));
    const struct call *caller = caller_of(worst);
    struct str name = worst->frame && worst->frame->name.n ? callee_words(f, worst) : finding_compile_name(f, worst);
    const struct compile *c;

    x->title = arena_printf(f->arena, "%s%lld guards are checked at every call of %.*s", checks->cut ? "Some " : "",
                            (long long)(checks->cut ? two_digits(checks->count) : checks->count), STR_ARG(name));
    x->detail = checks->most;
    if (number(worst, "guard_latency_us"))
        x->detail = arena_printf(f->arena, "Checking them once took %lld \xc2\xb5s.%s%.*s",
                                 (long long)number(worst, "guard_latency_us"), checks->most.n ? " " : "",
                                 STR_ARG(checks->most));
    set_fix(x, worst);
    finding_place(x, caller ? caller : stack_user_call(worst->stack));
    finding_evidence(f, x, worst);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        if (c != worst && number(c, "guard_count") >= MANY_GUARDS)
            finding_evidence(f, x, c);
}

void find_guards(struct finder *f)
{
    struct guard_candidates all = {.n = 0};
    const struct compile *c;

    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        if (number(c, "guard_count") >= MANY_GUARDS)
            add_candidate(&all, c);
    for (size_t i = 0; i < all.n; i++) {
        struct checks checks = checks_of(f, all.list[i]);

        if (checks.count < MANY_GUARDS)
            continue;
        add_finding(f, all.list[i], &checks);
        break;
    }
    guard_facts_forget(f);
}

/* --- a lookup that failed, which no guard notices ----------------------------------------------------------------- */

/* What an exception of Python is about: a key of a dict, or an attribute of an object. */
static const struct lookup {
    struct str exception;
    bool of_dict;
} lookups[] = {
    {STR_INIT("KeyError"), true}, {STR_INIT("LookupError"), true}, {STR_INIT("AttributeError"), false}};

static const struct lookup *lookup_of(const struct guard_node *check)
{
    for (size_t i = 0; i < sizeof lookups / sizeof *lookups; i++) {
        struct str name;

        if (str_starts(check->source, STR("G['__builtins_dict__")) &&
            str_between(check->source, STR("]['"), STR("']"), &name) && str_eq(name, lookups[i].exception))
            return &lookups[i];
    }
    return NULL;
}

/* contextlib.suppress asks for the class of an exception only where there was one. */
static bool was_suppressed(const struct guard_tree *tree, const struct guard_node *check)
{
    for (size_t i = 0; i < tree->guards.n; i++) {
        const struct guard_node *other = tree->guards.v[i];

        if (other->user_line == check->user_line && str_ends(other->source, STR("['issubclass']")))
            return true;
    }
    return false;
}

/*
 * The line catches it, and did: Dynamo comes to an `except` only with an exception, and looks up its class then. Where
 * other code asks for the class there is another line.
 */
static bool was_caught(const struct guard_tree *tree, const struct guard_node *check)
{
    struct str code = str_trim(check->user_code);

    if (check->user_line <= 0)
        return false;
    return str_starts(code, STR("except ")) || str_starts(code, STR("except(")) ||
           (str_has(code, STR("suppress(")) && was_suppressed(tree, check));
}

static bool has_check(const struct guard_node *node, struct str kind)
{
    for (size_t i = 0; i < node->children.n; i++)
        if (node->children.v[i]->is_guard && str_eq(node->children.v[i]->kind, kind))
            return true;
    return false;
}

/* What Python and torch.nn.Module keep of their own. */
static bool is_inner_dict(struct str source)
{
    static const struct str ends[] = {STR_INIT("__dict__"), STR_INIT("_modules"), STR_INIT("_parameters"),
                                      STR_INIT("_buffers"), STR_INIT("_hooks"),   STR_INIT("sys.modules")};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (str_ends(source, ends[i]))
            return true;
    return str_eq(source, STR("G")) || str_has(source, STR("__builtins_dict__"));
}

/* A dict of which neither the length nor any missing key is checked. One whose keys are all checked is another node. */
static bool is_open_dict(const struct guard_node *node)
{
    static const struct str types[] = {STR_INIT("<class 'dict'>"), STR_INIT("<class 'collections.OrderedDict'>")};

    return str_eq(node->kind, STR("GuardManager")) && STR_IS_ANY(node->type, types) && !is_inner_dict(node->source) &&
           has_check(node, STR("TYPE_MATCH")) && !has_check(node, STR("DICT_LENGTH")) &&
           !has_check(node, STR("DICT_CONTAINS"));
}

/* A module finds its attributes in several places, each with guards. */
static bool is_module(const struct guard_node *node)
{
    for (size_t i = 0; i < node->children.n; i++) {
        const struct guard_node *child = node->children.v[i];

        if (!child->is_guard && (is_module(child) || str_ends(child->source, STR("._modules")) ||
                                 str_ends(child->source, STR("._parameters"))))
            return true;
    }
    return false;
}

/* An object of a class of the program: "<class 'shop.Order'>". Those of Python's own classes have no dot. */
static bool is_open_object(const struct guard_node *node)
{
    static const struct str others[] = {STR_INIT("<class 'torch."), STR_INIT("<class 'collections."),
                                        STR_INIT("<class 'numpy."), STR_INIT("<class 'abc."),
                                        STR_INIT("<class 'enum.")};

    return str_starts(node->source, STR("L['")) && str_starts(node->type, STR("<class '")) &&
           str_has(node->type, STR(".")) && !STR_STARTS_ANY(node->type, others) &&
           has_check(node, STR("TYPE_MATCH")) && !has_check(node, STR("NO_HASATTR")) && !is_module(node);
}

/* Where what was looked up may have been missing: the one that was used last before the exception was caught. */
struct open_names {
    const struct guard_node *caught;
    struct str best;
    int64_t line;
    size_t n;
};

/* The line that used the object first; 0 if another file did. */
static int64_t line_of_use(const struct guard_node *node, const struct guard_node *caught)
{
    int64_t line = 0;

    for (size_t i = 0; i < node->children.n; i++) {
        const struct guard_node *check = node->children.v[i];

        if (check->is_guard && str_eq(check->user_file, caught->user_file) && check->user_line <= caught->user_line &&
            check->user_line > line)
            line = check->user_line;
    }
    return line;
}

static void find_open(struct finder *f, struct open_names *out, const struct guard_node *parent, bool dicts)
{
    for (size_t i = 0; i < parent->children.n; i++) {
        const struct guard_node *node = parent->children.v[i];
        int64_t line = node->is_guard ? 0 : line_of_use(node, out->caught);

        if (node->is_guard)
            continue;
        if (dicts ? is_open_dict(node) : is_open_object(node)) {
            if (out->n++ == 0 || line > out->line) {
                out->best = guard_name(f->arena, node->source);
                out->line = line;
            }
        }
        find_open(f, out, node, dicts);
    }
}

static struct finding *new_missing_guard(struct finder *f, const struct compile *c, const struct guard_node *check,
                                         const struct guard_node *root)
{
    const struct lookup *lookup = lookup_of(check);
    struct open_names open = {.caught = check};
    const char *what = lookup->of_dict ? "key" : "attribute";
    struct finding *x;

    find_open(f, &open, root, lookup->of_dict);
    if (open.n == 0)
        return NULL;
    x = finding_add(f, "missing-guard", FINDING_MEDIUM);
    x->title = arena_printf(f->arena,
                            "Later calls may get wrong results: `%.*s` was caught for a missing %s, and no guard "
                            "checks that it is missing",
                            STR_ARG(lookup->exception), what);
    x->detail = arena_printf(f->arena,
                             "The graph was traced without the %s%s`%.*s`. A call that has it runs this graph all the "
                             "same, as if it were missing, and raises nothing.",
                             what, open.n > 1 ? ", most likely of " : " of ", STR_ARG(open.best));
    x->fix = lookup->of_dict ? arena_printf(f->arena,
                                            "Ask for the key in place of catching the exception: `if key in %.*s:`, or "
                                            "`%.*s.get(key)`. Both have a guard: a call with the key is compiled on "
                                            "its own.",
                                            STR_ARG(open.best), STR_ARG(open.best))
                             : arena_printf(f->arena,
                                            "Ask for the attribute in place of catching the exception: `if "
                                            "hasattr(%.*s, name):` has a guard, so a call with the attribute is "
                                            "compiled on its own.",
                                            STR_ARG(open.best));
    x->file = c->frame->file;
    x->line = check->user_line;
    x->source = str_trim(check->user_code);
    return x;
}

static void add_missing_guard(struct finder *f, struct map *seen, const struct compile *c,
                              const struct guard_node *check, const struct guard_node *root)
{
    void **slot =
        map_at(seen, arena_printf(f->arena, "%lld %.*s", (long long)check->user_line, STR_ARG(c->frame->file)));

    if (!*slot)
        *slot = new_missing_guard(f, c, check, root);
    if (*slot)
        finding_evidence(f, *slot, c);
}

/* Guards shorten paths at the beginning. */
static bool is_in_file_of(const struct guard_node *check, const struct frame *fr)
{
    return str_eq(str_file_name(check->user_file), str_file_name(fr->file));
}

static void find_lookups(struct finder *f, struct map *seen, const struct compile *c)
{
    enum { LOOKUPS_MAX = 200 }; /* each looks through the whole tree */
    struct str text = finder_read_guards(f, compile_guard_tree(c));
    struct guard_tree tree;
    size_t looked_at = 0;

    if (!str_has(text, STR("]['KeyError']")) && !str_has(text, STR("]['LookupError']")) &&
        !str_has(text, STR("]['AttributeError']")))
        return;
    guard_tree_parse(f->arena, arena_str(f->arena, text), &tree);
    for (size_t i = 0; i < tree.guards.n && looked_at < LOOKUPS_MAX; i++) {
        const struct guard_node *check = tree.guards.v[i];

        if (!lookup_of(check))
            continue;
        looked_at++;
        if (was_caught(&tree, check) && is_in_file_of(check, c->frame))
            add_missing_guard(f, seen, c, check, tree.root);
    }
}

void find_missing_guards(struct finder *f)
{
    const struct compile *c;
    struct map seen;

    map_init(&seen, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        if (compile_guard_tree(c) && c->frame && !is_library_file(c->frame->file))
            find_lookups(f, &seen, c);
}
