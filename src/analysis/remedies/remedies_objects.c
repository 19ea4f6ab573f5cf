#include "analysis/remedies/remedies_objects.h"

#include "analysis/find/caller.h"
#include "analysis/find/guard_facts.h"
#include "analysis/recompiles/recompile_names.h"
#include "analysis/remedies/recompile_paste.h"
#include "model/code_file.h"
#include "text/guards/guard_message.h"
#include "text/python/python_call.h"
#include "text/python/python_code.h"

/* The log of `dynamic` shows it of the new compile, whose reason is in another log. */
static bool makes_constants(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->first->compile->specializations.n > 0;
}

/* The log begins to say it, or somebody took lines out of a log that has reasons. */
static bool is_reason_cut(struct finder *f, const struct recompile_cause *cause)
{
    const struct compile *c = cause->first->compile;

    (void)f;
    if (stated_has(remedy_stated(cause), STATED_RECOMPILES) && stated_has(remedy_stated(cause), STATED_CUT))
        return true;
    for (size_t i = 0; i < c->artifacts.n && c->process->input->kind == INPUT_TORCH_LOGS; i++)
        if (artifact_is(c->artifacts.v[i], ARTIFACT_RECOMPILE_REASONS))
            return true;
    return false;
}

bool recompile_reason_is_cut(struct finder *f, const struct recompile_cause *cause)
{
    return cause->change == CHANGE_UNKNOWN && is_reason_cut(f, cause);
}

/* Where a function or a loop of the text compiles what it makes there: "torch.compile(Till(n))". */
static bool compiles_new_objects(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return stated_has(remedy_stated(cause), STATED_COMPILES_NEW);
}

static bool is_of_text(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->first->compile->process->input->kind == INPUT_TORCH_LOGS;
}

/* "functional.linear", of a module: it is defined once. */
static bool was_patched(struct finder *f, const struct recompile_cause *cause)
{
    const struct compile *c = cause->first->compile;
    struct str source = cause->sample ? recompile_full_source(f->arena, cause->sample->source) : (struct str){0};
    ptrdiff_t dot = str_rchr(source, '.');

    return cause->list.n == 1 && dot > 0 && str_starts(source, STR("G['")) &&
           str_eq(guard_facts_type(guard_facts_of(f, c), str_take(source, (size_t)dot)), STR("module"));
}

/* "[0/1]" is the first of the function's compiles that the text shows: its lines are an excerpt. */
static bool begins_later(struct finder *f, const struct recompile_cause *cause)
{
    if (!is_of_text(f, cause))
        return false;
    for (size_t i = 0; i < cause->list.n; i++) {
        const struct frame *fr = cause->list.v[i]->compile->frame;

        if (fr->unnumbered || fr->process->parent)
            return false;
        for (size_t k = 0; k < fr->compiles.n; k++)
            if (fr->compiles.v[k]->id.compile <= 0)
                return false;
    }
    return true;
}

bool recompile_begins_later(struct finder *f, const struct recompile_cause *cause)
{
    return cause->change == CHANGE_UNKNOWN && !is_reason_cut(f, cause) && begins_later(f, cause);
}

/* "till" of "y = till(x).sum()", then nothing: methods of what a call returns are not called by a name. */
static bool next_callee(struct str *code, struct str *callee)
{
    ptrdiff_t at;

    while ((at = str_chr(*code, '(')) >= 0) {
        size_t begin = (size_t)at;

        while (begin > 0 && (str_is_word_char(code->p[begin - 1]) || code->p[begin - 1] == '.'))
            begin--;
        *callee = str_take(str_skip(*code, begin), (size_t)at - begin);
        *code = str_skip(*code, (size_t)at + 1);
        if (callee->n && callee->p[0] != '.')
            return true;
    }
    return false;
}

/* Each line calls something, and nothing that the other calls. */
static bool call_others(struct str a, struct str b)
{
    struct str callee, other;
    struct str rest = b;
    bool any = false;

    if (!next_callee(&rest, &other))
        return false;
    for (; next_callee(&a, &callee); any = true)
        for (rest = b; next_callee(&rest, &other);)
            if (str_eq(callee, other))
                return false;
    return any;
}

bool recompile_is_one_per_line(struct finder *f, const struct recompile_cause *cause)
{
    enum { FEW = 2 };
    const struct frame *fr = cause->first->compile->frame;

    (void)f;
    if (cause->change != CHANGE_MODULE || cause->most > FEW || fr->is_resume || fr->compiles.n < 2 ||
        fr->compiles.n > FEW + 1)
        return false;
    for (size_t i = 0; i < fr->compiles.n; i++) {
        const struct call *line = caller_of(fr->compiles.v[i]);

        if (!line || fr->compiles.v[i]->limit_hit)
            return false;
        for (size_t k = 0; k < i; k++)
            if (!call_others(caller_of(fr->compiles.v[k])->source, line->source))
                return false;
    }
    return true;
}

bool recompile_is_of_optimizer(struct finder *f, const struct recompile_cause *cause)
{
    const struct frame *fr = cause->first->compile->frame;

    (void)f;
    return cause->change == CHANGE_IDENTITY && fr && code_file_has(fr->file, STR("torch/optim/"));
}

static bool is_self(const struct guard_reason *g)
{
    return g && (str_eq(g->source, STR("self")) || str_eq(g->source, STR("L['self']")));
}

bool recompile_is_of_layers(struct finder *f, const struct recompile_cause *cause)
{
    const struct frame *fr = cause->first->compile->frame;

    (void)f;
    return cause->change == CHANGE_TYPE && fr && is_self(cause->sample) &&
           code_file_has(fr->file, STR("torch/distributed/algorithms/_checkpoint/checkpoint_wrapper.py"));
}

bool recompile_is_of_own_class(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->change == CHANGE_TYPE && is_self(cause->sample);
}

/* The arguments do not look into another list: "(k, v)", "x.detach()". */
static bool is_plain(struct str arguments)
{
    for (size_t i = 0; i + 1 < arguments.n; i++)
        if (arguments.p[i] == '(' && arguments.p[i + 1] != ')' && i && str_is_word_char(arguments.p[i - 1]))
            return false;
    return str_chr(arguments, '[') < 0 && str_chr(arguments, '*') < 0;
}

/* The name in the line of code. */
static struct str own_name(struct finder *f, const struct recompile_cause *cause)
{
    struct str name = cause->sample->name;

    if (str_starts(name, STR("___stack")))
        name = recompile_input_name(f, cause->first->compile, recompile_full_source(f->arena, cause->sample->source));
    str_consume(&name, STR("`"));
    return str_ends(name, STR("`")) ? str_drop(name, 1) : name;
}

/*
 * "[key] = x" of "self.cache[key] = x", where the module of the container is `self` in the line: "self.anchors.cache".
 */
static struct str behind_container(struct str code, struct str name)
{
    ptrdiff_t dot = str_rchr(name, '.'), at;
    struct str attribute = dot < 0 ? (struct str){0} : str_skip(name, (size_t)dot);

    if (str_consume(&code, name))
        return code;
    at = attribute.n > 1 ? str_find(code, attribute) : -1;
    if (at < 1 || !python_is_place(str_take(code, (size_t)at)))
        return (struct str){0};
    code = str_skip(code, (size_t)at + attribute.n);
    return code.n && !str_is_word_char(code.p[0]) ? code : (struct str){0};
}

/* "seen.append(x)": the compiled code itself makes the list longer, possibly under another name than the caller's. */
static bool grows_itself(struct finder *f, const struct recompile_cause *cause)
{
    static const struct str calls[] = {STR_INIT(".append("), STR_INIT(".extend("),     STR_INIT(".insert("),
                                       STR_INIT(".add("),    STR_INIT(".appendleft("), STR_INIT(".setdefault("),
                                       STR_INIT(".update(")};
    struct str code = cause->sample ? remedy_line(cause->sample) : (struct str){0};
    struct str own = cause->sample ? behind_container(code, own_name(f, cause)) : code;
    bool is_own = cause->sample && own.n > 0;

    if (is_own && str_starts(own, STR("[")))
        return str_has(own, STR("] = ")) || str_has(own, STR("].append("));
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        ptrdiff_t at = str_find(code, calls[i]);

        if (is_own && str_starts(own, calls[i]))
            return true;
        if (at > 0 && i == 0 && str_ends(code, STR(")")) && str_chr(str_take(code, (size_t)at), ' ') < 0 &&
            str_chr(str_take(code, (size_t)at), '(') < 0 && is_plain(str_skip(code, (size_t)at + calls[i].n)))
            return true;
    }
    return false;
}

/* The type of the value whose guard failed, such as "collections.deque"; 2.6 and earlier do not say. */
static struct str type_of(struct finder *f, const struct recompile_cause *cause)
{
    if (!cause->sample)
        return (struct str){0};
    return guard_facts_type(guard_facts_of(f, cause->first->compile),
                            recompile_full_source(f->arena, cause->sample->source));
}

static bool appends_to_deque(struct finder *f, const struct recompile_cause *cause)
{
    return grows_itself(f, cause) && str_eq(type_of(f, cause), STR("collections.deque"));
}

/* A memo, which the first call fills. Where the limit was reached, the other reasons may be its next lengths. */
static bool grew_once(struct finder *f, const struct recompile_cause *cause)
{
    return cause->most == 1 && grows_itself(f, cause) && !remedy_reached_limit(f, cause);
}

/* "not ___dict_contains('till', G['packed'])" */
static bool key_came_once(struct finder *f, const struct recompile_cause *cause)
{
    return cause->most == 1 && cause->sample && str_starts(cause->sample->guard, STR("not ___dict_contains(")) &&
           !remedy_reached_limit(f, cause);
}

bool recompile_is_of_deque(struct finder *f, const struct recompile_cause *cause)
{
    return cause->change == CHANGE_LENGTH && appends_to_deque(f, cause);
}

/* A subclass that has data of its own: one that consists of other tensors cannot be taken as a plain one. */
static bool is_plain_subclass(struct str class)
{
    static const struct str others[] = {STR_INIT("torch."), STR_INIT("torchao.")};

    return class.n && !STR_STARTS_ANY(class, others);
}

/* "___check_type_id(x, 123), type=<class '__main__.Image'>", or "... to be a tensor type, ' but found <class ...>" */
static bool is_subclass_of_tensor(struct finder *f, const struct recompile_cause *cause)
{
    const struct guard_reason *g = cause->sample;
    struct str source = g ? recompile_full_source(f->arena, g->source) : (struct str){0}, class;

    if (!g || !str_between(g->guard, STR("<class '"), STR("'"), &class) || !is_plain_subclass(class))
        return false;
    return input_tensor(cause->first->compile, source) &&
           input_tensor(cause->first->compile->frame->compiles.v[0], source);
}

/* "not self.state" */
static bool was_empty_once(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->most == 1 && cause->sample && str_starts(cause->sample->guard, STR("not "));
}

/* Whether the compiled code tests membership, whose result is compiled in: "x in self.skipped". */
static bool is_set(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->sample && str_starts(cause->sample->words, STR("the set "));
}

/* "p.grad" of a parameter */
static bool is_gradient(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->sample && str_ends(cause->sample->source, STR(".grad"));
}

/* "shop.sell.<locals>.Till" of "___check_obj_id(x, 7), type=<class 'shop.sell.<locals>.Till'>". */
static struct str local_class(const struct guard_reason *g)
{
    struct str class = {0};

    return g && str_between(g->guard, STR("type=<class '"), STR("'>"), &class) && str_has(class, STR(".<locals>."))
               ? class
               : (struct str){0};
}

/* One class again and again, as far as the reasons are known: several that are defined once each are several cases. */
bool recompile_is_of_local_class(struct finder *f, const struct recompile_cause *cause)
{
    struct str class = local_class(cause->sample);

    if ((cause->change != CHANGE_IDENTITY && cause->change != CHANGE_TYPE) || class.n == 0)
        return false;
    for (size_t i = 0; i < cause->list.n; i++)
        vec_each(const struct guard_reason, g, &cause->list.v[i]->reasons)
            if (local_class(g).n && !str_eq(local_class(g), class)) return false;
    return cause->most > 1 || remedy_reached_limit(f, cause);
}

/* "of `holder = Holder()` (torch.py:19)", as PyTorch's comment at the guard says. */
static struct str line_of_guard(struct arena *a, const struct guard_reason *g)
{
    struct str code = str_chr(g->user_code, '`') < 0 ? remedy_line(g) : (struct str){0};

    if (code.n == 0 || g->user_line == 0)
        return (struct str){0};
    return arena_printf(a, " (used in `%.*s`, %.*s:%lld)", STR_ARG(str_take(code, 100)),
                        STR_ARG(code_file_name(g->user_file)), (long long)g->user_line);
}

struct str recompile_local_class_words(struct arena *a, const struct recompile_cause *cause)
{
    static const struct str mark = STR_INIT(".<locals>.");
    struct str class = local_class(cause->sample), maker, name;
    ptrdiff_t at = str_find(class, mark);

    maker = str_take(class, (size_t)at);
    maker = str_skip(maker, (size_t)(str_rchr(maker, '.') + 1));
    name = str_skip(class, (size_t)(str_rchr(class, '.') + 1));
    return arena_printf(a,
                        "The class `%.*s`%.*s is defined within the function `%.*s`: each call of it defines another "
                        "class, and each class is one compile. Define the class once, outside of the function. Or "
                        "keep that function uncompiled (`@torch.compiler.disable`).",
                        STR_ARG(name), STR_ARG(line_of_guard(a, cause->sample)), STR_ARG(maker));
}

/* "self._modules['attn'].processor", which is no module itself, was another object again and again. */
static bool has_object_of_each(struct finder *f, const struct recompile_cause *cause)
{
    const struct guard_reason *g = cause->sample;

    (void)f;
    return g && g->class == GUARD_IDENTITY && cause->list.n > 1 && !str_ends(g->source, STR("]")) &&
           str_has(g->source, STR("self")) && str_has(g->source, STR("_modules['"));
}

static const struct str of_parameter_sizes = STR_INIT("torch._dynamo.config.force_parameter_static_shapes");

bool recompile_is_of_parameter_sizes(struct finder *f, const struct recompile_cause *cause)
{
    const struct guard_reason *g = cause->sample;

    return g && g->class == GUARD_SIZE && str_has(g->guard, of_parameter_sizes) && !remedy_may_isolate(f, cause) &&
           !str_eq(recompile_setting(f, cause->first->compile, "dynamo_config", "force_parameter_static_shapes"),
                   STR("false"));
}

/* Checked: modules of PyTorch's classes need both (`in_features` is an attribute), in 2.5.1, 2.6.0 and 2.13.0. */
static void paste_parameter_sizes(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    (void)cause;
    finding_paste(x, PASTE_SETTING,
                  arena_printf(f->arena,
                               "%.*s = False\ntorch._dynamo.config.force_nn_module_property_static_shapes = False",
                               STR_ARG(of_parameter_sizes)));
}

/* "__nn_module_guard_0(L['self'])", of nightly builds of 2.2: an assignment to any attribute changes it. */
static bool is_of_module(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->sample && str_has(cause->sample->guard, STR("__nn_module_guard_"));
}

static bool guard_itself_failed(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->sample && str_starts(cause->sample->words, STR(GUARD_ITSELF_FAILED));
}

static bool guard_holds_again(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->sample && str_starts(cause->sample->words, STR(GUARD_HOLDS_AGAIN));
}

/* A scheduler that puts a number in the place of the tensor. */
static bool is_number_for_tensor(struct finder *f, const struct recompile_cause *cause)
{
    return remedy_is_learning_rate(f, cause) && str_has(cause->sample->words, STR("was a tensor"));
}

/* "block_mask.mask_mod.__closure__[0].cell_contents": flex_attention calls these with arguments of its own. */
static bool is_number_of_mod(struct finder *f, const struct recompile_cause *cause)
{
    static const struct str mods[] = {STR_INIT("mask_mod.__closure__"), STR_INIT("score_mod.__closure__")};
    const struct guard_reason *g = cause->sample;

    (void)f;
    return g && (g->class == GUARD_INT || g->class == GUARD_FLOAT) && STR_HAS_ANY(g->source, mods);
}

/* "cl.__closure__[1].cell_contents == 1": a value is compared, and no function. */
static bool is_number_of_closure(struct finder *f, const struct recompile_cause *cause)
{
    const struct guard_reason *g = cause->sample;

    (void)f;
    return g && (g->class == GUARD_INT || g->class == GUARD_FLOAT) && str_ends(g->source, STR("].cell_contents")) &&
           str_has(g->source, STR(".__closure__["));
}

/* All compiles know the keys, and none has a key that another lacks. */
static bool is_order_of_keys(struct finder *f, const struct recompile_cause *cause)
{
    struct str dict = {0}, source = cause->sample ? cause->sample->guard : (struct str){0};

    if (!str_between(source, STR("list(dict.keys("), STR("))["), &dict))
        return false;
    dict = recompile_full_source(f->arena, dict);
    for (size_t i = 0; i < cause->list.n; i++) {
        const struct guard_facts *first = guard_facts_of(f, cause->first->compile->frame->compiles.v[0]);
        const struct guard_facts *now = guard_facts_of(f, cause->list.v[i]->compile);
        struct guard_keys more, fewer;

        guard_facts_keys_added(f, first, now, dict, &more);
        guard_facts_keys_added(f, now, first, dict, &fewer);
        if (more.n || fewer.n || guard_facts_counted_keys(now, dict) == 0 ||
            guard_facts_counted_keys(now, dict) != guard_facts_counted_keys(first, dict))
            return false;
    }
    return cause->list.n > 0;
}

bool remedies_objects_are_endless(struct finder *f, const struct recompile_cause *cause)
{
    return (cause->change == CHANGE_LENGTH && grows_itself(f, cause)) || guard_itself_failed(f, cause) ||
           guard_holds_again(f, cause) || recompile_is_of_local_class(f, cause);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static const struct remedy rows[] = {
#include "analysis/remedies/remedies_objects.def"
};

const struct remedies remedies_objects = {rows, sizeof rows / sizeof *rows};
