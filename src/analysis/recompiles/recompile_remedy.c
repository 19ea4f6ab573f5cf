#include "analysis/recompiles/recompile_remedy.h"

#include "analysis/answers/versions.h"
#include "analysis/find/guard_facts.h"
#include "analysis/recompiles/recompile_names.h"
#include "analysis/recompiles/recompile_paste.h"
#include "analysis/recompiles/recompile_state.h"
#include "analysis/recompiles/recompile_why.h"
#include "model/code_file.h"
#include "text/guards/guard_message.h"
#include "text/python/python_call.h"
#include "text/python/python_code.h"

/* --- conditions --------------------------------------------------------------------------------------------------- */

static bool is_specialized(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->state == INPUT_SPECIALIZED && cause->decided_at != NULL;
}

/* No line of the program does it: the compiler needs the number after Dynamo has traced the function. */
static bool is_specialized_later(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->state == INPUT_SPECIALIZED && cause->decided_at == NULL;
}

/* The log of `dynamic` shows it of the new compile, whose reason is in another log. */
static bool makes_constants(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->first->compile->specializations.n > 0;
}

/* The line calls an operator that is none of PyTorch's own: its fake kernel needs the number. */
static bool is_specialized_by_operator(struct finder *f, const struct recompile_cause *cause)
{
    struct str rest = cause->decided_at ? cause->decided_at->source : (struct str){0}, name;

    return is_specialized(f, cause) && str_between(rest, STR("torch.ops."), STR("("), &name) &&
           !str_starts(name, STR("aten.")) && !str_starts(name, STR("prims."));
}

static bool is_dynamic(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->state == INPUT_DYNAMIC;
}

/* torch.compile(dynamic=False) switches both off while it compiles; a program may switch them off for all compiles. */
static bool dynamic_is_off(struct finder *f, const struct recompile_cause *cause)
{
    return str_eq(recompile_setting(f, cause->first->compile, "dynamo_config", "automatic_dynamic_shapes"),
                  STR("false"));
}

/* If the settings are unknown (2.5 and earlier): a size that had changed was made a constant again. */
static bool stays_static(struct finder *f, const struct recompile_cause *cause)
{
    return cause->state == INPUT_STATIC && cause->constants > 1 &&
           recompile_setting(f, cause->first->compile, "dynamo_config", "automatic_dynamic_shapes").n == 0;
}

/* A log of recompiles alone: PyTorch makes a size dynamic at its first change (2.1 and later), and here it did not. */
static bool is_constant_again(struct finder *f, const struct recompile_cause *cause)
{
    const struct process *p = cause->first->compile->process;

    (void)f;
    return cause->state == INPUT_UNKNOWN && cause->constant_again && !str_starts(process_pytorch(p), STR("2.0."));
}

static bool number_is_static(struct finder *f, const struct recompile_cause *cause)
{
    return cause->sample && !cause->sample->could_be_dynamic && !is_dynamic(f, cause);
}

/* The number is the reason that is known of a compile that was refused. */
static bool reached_limit(struct finder *f, const struct recompile_cause *cause)
{
    bool limit = false;

    for (size_t i = 0; i < cause->list.n; i++)
        limit |= cause->list.v[i]->compile->limit_hit;
    return limit && !is_dynamic(f, cause);
}

static const struct stated *stated_beside(const struct recompile_cause *cause)
{
    return &cause->first->compile->process->input->stated;
}

/* The log begins to say it, or somebody took lines out of a log that has reasons. */
static bool is_reason_cut(struct finder *f, const struct recompile_cause *cause)
{
    const struct compile *c = cause->first->compile;

    (void)f;
    if (stated_has(stated_beside(cause), STATED_RECOMPILES) && stated_has(stated_beside(cause), STATED_CUT))
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

/* Modules that are compiled one by one share the code of `forward`, and not their channels. */
static bool is_of_parts(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    if (!stated_has(stated_beside(cause), STATED_PARTS) ||
        !str_eq(cause->first->compile->frame->name, STR("forward")))
        return false;
    vec_each(const struct input_change, x, &cause->inputs.list)
        if (x->dim <= 0 || str_starts(x->source, STR("L['self']")) || str_starts(x->source, STR("self")))
            return false;
    return cause->inputs.list.n > 0;
}

/* Before 2.1, sizes and integers did not become dynamic by themselves; of some logs only the year is known. */
static bool may_lack_automatic(const struct recompile_cause *cause)
{
    struct str newest = stated_beside(cause)->newest;

    return recompile_version_is_known(cause) ? !recompile_version_is(cause, 2, 1)
                                             : str_eq(newest, STR("2.0")) || str_eq(newest, STR("2.1"));
}

static bool is_last_of_limit(struct finder *f, const struct recompile_cause *cause)
{
    return reached_limit(f, cause) && recompile_is_last_reason(cause);
}

/* Sizes are dynamic when they have changed once, so that other reasons than this one used up the limit. */
static bool is_last_size(struct finder *f, const struct recompile_cause *cause)
{
    return is_last_of_limit(f, cause) && !may_lack_automatic(cause);
}

/* Batches of text, which a collator pads to the longest of each batch. */
static bool is_of_tokens(const struct recompile_cause *cause)
{
    static const struct str names[] = {STR_INIT("input_ids"), STR_INIT("attention_mask"), STR_INIT("labels"),
                                       STR_INIT("position_ids")};

    vec_each(const struct input_change, x, &cause->inputs.list) if (STR_HAS_ANY(x->source, names)) return true;
    return false;
}

static bool is_last_size_of_tokens(struct finder *f, const struct recompile_cause *cause)
{
    return is_last_size(f, cause) && is_of_tokens(cause);
}

static bool is_of_ddp_alone(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return stated_has(stated_beside(cause), STATED_DDP_ALONE);
}

bool recompile_is_of_optimizer(struct finder *f, const struct recompile_cause *cause)
{
    const struct frame *fr = cause->first->compile->frame;

    (void)f;
    return cause->change == CHANGE_IDENTITY && fr && code_file_has(fr->file, STR("torch/optim/"));
}

bool recompile_has_two_values(const struct recompile_cause *cause)
{
    return cause->change == CHANGE_REQUIRES_GRAD && !(cause->sample && recompile_is_of_parameter(cause->sample));
}

/* A later compile than the first has the number as a constant, too: "7/3: n == 4"; or several compiles have it. */
static bool stays_constant(struct finder *f, const struct recompile_cause *cause)
{
    enum { SEVERAL = 3 };

    if (is_dynamic(f, cause))
        return false;
    return cause->constants >= SEVERAL || (reached_limit(f, cause) && cause->sample->against.n &&
                                           !str_ends(cause->sample->against, STR("/0")));
}

static bool is_constant_in_version(struct finder *f, const struct recompile_cause *cause)
{
    return stays_constant(f, cause) && may_lack_automatic(cause);
}

static bool stays_constant_if_dynamic(struct finder *f, const struct recompile_cause *cause)
{
    return stays_constant(f, cause) && stated_has(stated_beside(cause), STATED_DYNAMIC);
}

/* Floats are dynamic after the first change since 2.6, and with dynamic=True from the first call on since 2.8. */
static bool float_may_begin_dynamic(struct finder *f, const struct recompile_cause *cause)
{
    return is_dynamic(f, cause) && recompile_version_is(cause, 2, 8);
}

static bool has_constant_floats(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return recompile_version_is_known(cause) && !recompile_version_is(cause, 2, 6);
}

static bool is_int(struct finder *f, const struct recompile_cause *cause)
{
    struct str value = cause->sample ? cause->sample->expected : (struct str){0};
    int64_t n;

    (void)f;
    return str_i64(value, &n);
}

/* "+= 1" of "CALLS += 1", where the name is the one that changed. */
static struct str behind_name(const struct recompile_cause *cause)
{
    struct str code = cause->sample ? str_trim(cause->sample->user_code) : (struct str){0};

    return cause->sample && str_consume(&code, cause->sample->name) ? str_trim(code) : (struct str){0};
}

static bool is_stepped(struct str operation)
{
    return str_starts(operation, STR("+=")) || str_starts(operation, STR("-="));
}

/* "CALLS += 1": the compiled code changes the global variable itself. */
static bool counts_itself(struct finder *f, const struct recompile_cause *cause)
{
    struct str code = behind_name(cause);

    (void)f;
    return is_stepped(code) || str_starts(code, STR("*=")) ||
           (str_starts(code, STR("=")) && !str_starts(code, STR("==")));
}

/* The line that made the guard, without its trailing comment. */
static struct str line_of(const struct guard_reason *g)
{
    ptrdiff_t comment = python_find(g->user_code, STR("#"), PYTHON_NOT_IN_STRING);

    return str_trim(comment < 0 ? g->user_code : str_take(g->user_code, (size_t)comment));
}

static bool may_keep_stride(struct finder *f, const struct recompile_cause *cause)
{
    return cause->sample && recompile_may_keep_stride(f, cause);
}

/* "start" among the arguments of range() in "for i in range(start + 1, end):" */
static bool is_in_range(struct str code, struct str name)
{
    static const struct str call = STR_INIT("range(");
    ptrdiff_t at = python_find(code, call, PYTHON_NOT_IN_STRING), end;

    if (at < 0 || !str_starts(code, STR("for ")))
        return false;
    code = str_skip(code, (size_t)at + call.n);
    end = python_find(code, STR(")"), PYTHON_TOP_LEVEL);
    code = str_take(code, end < 0 ? code.n : (size_t)end);
    for (size_t begin = 0; name.n && (at = str_find(str_skip(code, begin), name)) >= 0; begin += name.n) {
        begin += (size_t)at;
        if ((begin == 0 || (!str_is_word_char(code.p[begin - 1]) && code.p[begin - 1] != '.')) &&
            (begin + name.n == code.n || !str_is_word_char(code.p[begin + name.n])))
            return true;
    }
    return false;
}

/* Dynamo unrolls a loop of Python, whatever is dynamic: a guard of the function shows the loop. */
static bool is_bound_of_loop(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    if (!cause->sample || !cause->first->chain)
        return false;
    for (size_t i = 0; i < cause->first->chain->list.n; i++)
        vec_each(const struct guard_reason, g, &cause->first->chain->list.v[i]->reasons)
            if (is_in_range(line_of(g), cause->sample->name))
                return true;
    return false;
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
    struct str code = cause->sample ? line_of(cause->sample) : (struct str){0};
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
    return cause->most == 1 && grows_itself(f, cause) && !reached_limit(f, cause);
}

/* "not ___dict_contains('till', G['packed'])" */
static bool key_came_once(struct finder *f, const struct recompile_cause *cause)
{
    return cause->most == 1 && cause->sample && str_starts(cause->sample->guard, STR("not ___dict_contains(")) &&
           !reached_limit(f, cause);
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

static bool is_of_numpy(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return recompile_is_of_numpy(cause->sample);
}

/* Arrays have no attribute that could mark a size. It is dynamic when it has changed. */
static bool is_dynamic_of_numpy(struct finder *f, const struct recompile_cause *cause)
{
    return is_of_numpy(f, cause) && !dynamic_is_off(f, cause) && !stays_static(f, cause) &&
           !is_constant_again(f, cause) && !reached_limit(f, cause);
}

/* "not self.state" */
static bool was_empty_once(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->most == 1 && cause->sample && str_starts(cause->sample->guard, STR("not "));
}

/* "self.param_groups[0]['lr']" */
static bool is_learning_rate(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->sample && str_has(cause->sample->source, STR("['lr']"));
}

/* Whether the compiled code tests membership, whose result is compiled in: "x in self.skipped". */
static bool is_set(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->sample && str_starts(cause->sample->words, STR("the set "));
}

/* It has two values, so there are two compiles, no matter how many modules there are. */
static bool is_flag(struct finder *f, const struct recompile_cause *cause)
{
    struct str value = cause->sample ? cause->sample->expected : (struct str){0};

    (void)f;
    return str_eq(value, STR("True")) || str_eq(value, STR("False"));
}

/* "p.grad" of a parameter */
static bool is_gradient(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->sample && str_ends(cause->sample->source, STR(".grad"));
}

static bool is_of_parameter(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->sample && recompile_is_of_parameter(cause->sample);
}

/* The weight of a layer, or its running statistics: no call passes it, and nothing may be assigned to it. */
static bool is_of_layer(struct finder *f, const struct recompile_cause *cause)
{
    static const struct str ends[] = {STR_INIT(".weight"), STR_INIT(".bias"), STR_INIT(".running_mean"),
                                      STR_INIT(".running_var")};

    return cause->sample && (is_of_parameter(f, cause) || STR_ENDS_ANY(cause->sample->source, ends));
}

static bool is_of_buffer(struct finder *f, const struct recompile_cause *cause)
{
    bool all = true;

    (void)f;
    vec_each(const struct input_change, x, &cause->inputs.list) all = all && str_has(x->source, STR("._buffers["));
    return all && cause->inputs.list.n > 0;
}

static bool is_no_number(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->sample && cause->sample->class != GUARD_INT && cause->sample->class != GUARD_FLOAT;
}

/* "[self.layer_idx]", or the word anywhere between a bracket and the next closing one. */
static bool is_in_brackets(struct str code, struct str word)
{
    while (str_chr(code, '[') >= 0) {
        ptrdiff_t end;

        code = str_skip(code, (size_t)str_chr(code, '[') + 1);
        end = str_chr(code, ']');
        if (str_has(str_take(code, end < 0 ? code.n : (size_t)end), word))
            return true;
    }
    return false;
}

/* "text.lower().split()", "for character in text" */
static bool takes_apart(struct str code)
{
    static const struct str marks[] = {STR_INIT(".split("), STR_INIT(".splitlines("), STR_INIT(".encode("),
                                       STR_INIT("for ")};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (str_has(code, marks[i]))
            return true;
    return false;
}

/* 'blocks.6.attn.weight', '/models/x.safetensors': of one thing among many. */
static bool has_many_parts(struct str value)
{
    enum { MANY = 2 };
    size_t separators = 0;

    for (size_t i = 0; i < value.n; i++)
        separators += value.p[i] == '.' || value.p[i] == '/' || value.p[i] == '\\';
    return separators >= MANY;
}

/* 'layer_12' */
static bool ends_in_number(struct str value)
{
    return value.n > 1 && str_is_digit(value.p[value.n - 2]);
}

/* "self.key" and "layer_name", but not "mode": which one it is. */
static bool is_called_name(struct str name)
{
    static const struct str names[] = {STR_INIT("key"), STR_INIT("name"), STR_INIT("path"),    STR_INIT("prefix"),
                                       STR_INIT("fqn"), STR_INIT("uid"),  STR_INIT("filename")};

    name = str_skip(name, (size_t)(str_rchr(name, '.') + 1));
    name = str_skip(name, (size_t)(str_rchr(name, '_') + 1));
    return STR_IS_ANY(name, names);
}

/* A key, a name, a path: each object has its own, so that a function used for all of them is compiled for each. */
static bool is_name_of_object(struct finder *f, const struct recompile_cause *cause)
{
    struct str value = cause->sample ? cause->sample->expected : (struct str){0};

    (void)f;
    if (value.n < 3 || (value.p[0] != '\'' && value.p[0] != '"') || str_chr(value, ' ') >= 0)
        return false;
    return has_many_parts(value) || (ends_in_number(value) && is_called_name(cause->sample->name));
}

/* The line compares it: "task == 'sum up'". */
static bool compares(struct str code)
{
    return str_has(code, STR(" == ")) || str_has(code, STR(" != "));
}

/* The line looks it up: "heads[task]", "heads.get(task)". */
static bool looks_up(struct finder *f, const struct guard_reason *g)
{
    return str_has(g->user_file, STR("nn/modules/container.py")) || is_in_brackets(line_of(g), g->name) ||
           str_has(line_of(g), arena_printf(f->arena, ".get(%.*s", STR_ARG(g->name)));
}

/* 'The cat sat': a text, as opposed to a name or an option, which have few values. */
static bool is_text(struct finder *f, const struct recompile_cause *cause)
{
    enum { MANY = 3 };
    struct str value = cause->sample ? cause->sample->expected : (struct str){0};

    if (value.n < 3 || (value.p[0] != '\'' && value.p[0] != '"') || !str_has(value, STR(" ")) ||
        compares(line_of(cause->sample)))
        return false;
    return takes_apart(line_of(cause->sample)) || (cause->most >= MANY && !looks_up(f, cause->sample));
}

/* An index or the bound of a loop is a constant under any settings. */
static bool is_used_as_constant(const struct recompile_cause *cause)
{
    struct str code = cause->sample->user_code, name = cause->sample->name, attribute;

    attribute = str_skip(name, (size_t)(str_rchr(name, '.') + 1));
    if (str_has(cause->sample->user_file, STR("nn/modules/container.py")))
        return true; /* an index, or the bound of a slice, of a ModuleList */
    return str_has(code, STR("range(")) || (attribute.n && is_in_brackets(code, attribute));
}

/* "self.window or n", "if self.window:": what it is, 0 or not, stays a condition when it is dynamic. */
static bool is_tested(const struct guard_reason *g)
{
    static const struct str after[] = {STR_INIT(" or "), STR_INIT(" and "), STR_INIT(" if "), STR_INIT(":"),
                                       STR_INIT(" =="),  STR_INIT(" !="),   STR_INIT(" <"),   STR_INIT(" >")};
    struct str code = line_of(g), name = str_skip(g->name, (size_t)(str_rchr(g->name, '.') + 1));
    ptrdiff_t at = name.n ? str_find(code, name) : -1;

    return at >= 0 && (STR_STARTS_ANY(str_skip(code, (size_t)at + name.n), after) ||
                       str_has(str_take(code, (size_t)at), STR("not ")));
}

#define ALLOW_UNSPEC "torch._dynamo.config.allow_unspec_int_on_nn_module" /* 2.7 and later */

/* One that is tested has one compile as a constant and one for each outcome, so that a few values gain nothing. */
static bool int_may_be_dynamic(struct finder *f, const struct recompile_cause *cause)
{
    enum { FEW = 2 };

    return is_int(f, cause) && !is_used_as_constant(cause) && (cause->most > FEW || !is_tested(cause->sample)) &&
           recompile_has(cause, NAME_SETTING, ALLOW_UNSPEC) &&
           !str_eq(recompile_setting(f, cause->first->compile, "dynamo_config", "allow_unspec_int_on_nn_module"),
                   STR("true"));
}

/* Attributes of other objects than modules are dynamic when they have changed once. */
static bool is_of_module_at_limit(struct finder *f, const struct recompile_cause *cause)
{
    return reached_limit(f, cause) && str_starts(cause->sample->name, STR("self.")) &&
           !is_used_as_constant(cause) && recompile_may_have(cause, NAME_SETTING, ALLOW_UNSPEC);
}

/* "self._modules['attn'].processor", which is no module itself, was another object again and again. */
static bool has_object_of_each(struct finder *f, const struct recompile_cause *cause)
{
    const struct guard_reason *g = cause->sample;

    (void)f;
    return g && g->class == GUARD_IDENTITY && cause->list.n > 1 && !str_ends(g->source, STR("]")) &&
           str_has(g->source, STR("self")) && str_has(g->source, STR("_modules['"));
}

static bool may_isolate(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return recompile_has_parameter(cause, "isolate_recompiles");
}

/* "duck sizing added this equality because these variables had the same size 5" */
static bool is_duck_equality(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return str_has(cause->sample->hint, STR("duck sizing"));
}

/*
 * Up to 2.5 there is only the guard: a size that must equal another one, and no line of the program that requires it.
 */
static bool may_be_duck_equality(struct finder *f, const struct recompile_cause *cause)
{
    struct str left = cause->sample->guard, right;
    ptrdiff_t at = str_find(left, STR(" == "));

    (void)f;
    if (at < 0 || cause->sample->user_code.n || cause->sample->hint.n)
        return false;
    right = str_skip(left, (size_t)at + 4);
    left = str_take(left, (size_t)at);
    return str_has(left, STR(".size()[")) && str_has(right, STR(".size()[")) && str_ends(left, STR("]")) &&
           str_ends(right, STR("]"));
}

/* A line in a PyTorch module: convolutions on CPU choose their implementation by the input size. */
static bool is_choice_of_pytorch(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->sample && str_starts(cause->sample->user_file, STR("nn/"));
}

/* The batch became smaller once, and nothing else changed: usually the last batch of a data set. */
static bool is_last_batch(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    vec_each(const struct input_change, x, &cause->inputs.list)
    {
        int64_t from, to;

        if (x->dim != 0 || !str_i64(x->from, &from) || !str_i64(x->to, &to) || to > from ||
            str_ends(x->source, STR("weight']")) || str_ends(x->source, STR("bias']")))
            return false;
    }
    return cause->most == 1 && cause->inputs.list.n > 0;
}

static bool has_small_size(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    vec_each(const struct input_change, x, &cause->inputs.list) if (recompile_is_small(x)) return true;
    return false;
}

/* PyTorch records what the compiled code changes after the graph: here the module itself. */
static bool changes_itself(struct finder *f, const struct recompile_cause *cause)
{
    const struct compile *c = cause->first->compile;
    struct str source = recompile_full_source(f->arena, cause->sample->source), text = {0};

    for (size_t i = 0; i < c->artifacts.n && text.n == 0; i++)
        if (artifact_is(c->artifacts.v[i], ARTIFACT_DYNAMO_SIDE_EFFECTS))
            text = finder_read(f, c->artifacts.v[i]);
    source = str_take(source, (size_t)(str_rchr(source, '.') < 0 ? 0 : str_rchr(source, '.')));
    return source.n && text.n && str_has(text, arena_printf(f->arena, "(source name: %.*s)", STR_ARG(source)));
}

/* Some calls have the memory layout of a new tensor, others do not. A few compiles show it. */
static bool layout_varies(struct finder *f, const struct recompile_cause *cause)
{
    enum { LOOKED_AT = 8 };
    const struct frame *fr = cause->first->compile->frame;

    (void)f;
    for (size_t i = 0; i < cause->inputs.list.n && i < LOOKED_AT; i++) {
        bool contiguous = false, other = false;

        for (size_t k = 0; k < fr->compiles.n && k < LOOKED_AT; k++) {
            const struct tensor *t = input_tensor(fr->compiles.v[k], cause->inputs.list.v[i].source);

            contiguous |= t && input_layout(t) == LAYOUT_CONTIGUOUS;
            other |= t && input_layout(t) == LAYOUT_OTHER;
        }
        if (contiguous && other)
            return true;
    }
    return false;
}

static bool is_of_batches(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    vec_each(const struct input_change, x, &cause->inputs.list) if (x->dim != 0) return false;
    return true;
}

static bool is_branch(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->sample->user_code.n > 0;
}

/* "x[i] = value" as opposed to "y = x[i]" */
static bool stores_by_index(struct finder *f, const struct recompile_cause *cause)
{
    struct str code = cause->sample ? line_of(cause->sample) : (struct str){0};
    ptrdiff_t at = python_find(code, STR("="), PYTHON_TOP_LEVEL);

    (void)f;
    return at > 0 && str_ends(str_trim(str_take(code, (size_t)at)), STR("]"));
}

static bool is_constant_size(struct finder *f, const struct recompile_cause *cause)
{
    struct str source, value;

    (void)f;
    return cause->sample && recompile_constant_read(cause->sample->guard, &source, &value);
}

static bool is_constant_of_pytorch(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->made.by != NULL;
}

/* --- remedies ----------------------------------------------------------------------------------------------------- */

#define ISOLATE                                                                                                        \
    "compile each with `torch.compile(module, isolate_recompiles=True)`: then it has compiles and a limit of its own."

/* "__nn_module_guard_0(L['self'])", of 2.1 and 2.2: an assignment to an attribute of the module changes it. */
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

/* A scheduler that puts a number in the place of the tensor. */
static bool is_number_for_tensor(struct finder *f, const struct recompile_cause *cause)
{
    return is_learning_rate(f, cause) && str_has(cause->sample->words, STR("was a tensor"));
}

static const struct remedy remedies[] = {
#include "analysis/recompiles/remedies.def"
};

bool recompile_is_expected(struct finder *f, const struct recompile_cause *cause)
{
    if (cause->most > 2)
        return false;
    if (recompile_state_is_grad_mode(cause) && cause->most == 1)
        return true;
    return cause->change == CHANGE_CALLEE || (cause->change == CHANGE_RELATION && is_choice_of_pytorch(f, cause));
}

bool recompile_is_per_object(struct finder *f, const struct recompile_cause *cause)
{
    return (cause->change == CHANGE_CONSTANT || cause->change == CHANGE_MODULE_ATTRIBUTE) &&
           is_name_of_object(f, cause);
}

bool recompile_is_endless(struct finder *f, const struct recompile_cause *cause)
{
    return (cause->change == CHANGE_LENGTH && grows_itself(f, cause)) || guard_itself_failed(f, cause) ||
           (cause->change == CHANGE_CONSTANT && is_text(f, cause)) || is_stepped(behind_name(cause));
}

const struct remedy *recompile_remedy_of(struct finder *f, const struct recompile_cause *cause)
{
    size_t n = sizeof remedies / sizeof *remedies;

    for (size_t i = 0; i < n; i++)
        if (remedies[i].change == cause->change && (!remedies[i].fits || remedies[i].fits(f, cause)))
            return &remedies[i];
    return &remedies[n - 1];
}

/* Nobody is advised to set what the text has set already. */
static struct str without_dynamic(struct finder *f, const struct recompile_cause *cause, struct str words)
{
    static const struct str advice = STR_INIT(", or `torch.compile(..., dynamic=True)`");
    ptrdiff_t at = stated_has(stated_beside(cause), STATED_DYNAMIC) ? str_find(words, advice) : -1;

    if (at < 0)
        return words;
    return arena_printf(f->arena, "%.*s%.*s", (int)at, words.p, STR_ARG(str_skip(words, (size_t)at + advice.n)));
}

struct str recompile_remedy_words(struct finder *f, const struct remedy *r, const struct recompile_cause *cause)
{
    struct str fix = recompile_state_fix(f->arena, cause);

    if (fix.n)
        return fix;
    if (r->fits == is_constant_of_pytorch)
        return arena_printf(f->arena, "PyTorch's own code (%.*s:%lld) makes a constant of %.*s; %s",
                            STR_ARG(cause->made.by->file), (long long)cause->made.by->line,
                            STR_ARG(recompile_constant_words(f->arena, &cause->made)), r->fix);
    return without_dynamic(f, cause, str_of(r->fix));
}
