#include "analysis/remedies/remedies_values.h"

#include "analysis/recompiles/recompile_version.h"
#include "analysis/remedies/recompile_paste.h"
#include "text/python/python_code.h"

static bool number_is_static(struct finder *f, const struct recompile_cause *cause)
{
    return cause->sample && !cause->sample->could_be_dynamic && !remedy_is_dynamic(f, cause);
}

/* A later compile than the first has the number as a constant, too: "7/3: n == 4"; or several compiles have it. */
static bool stays_constant(struct finder *f, const struct recompile_cause *cause)
{
    enum { SEVERAL = 3 };

    if (remedy_is_dynamic(f, cause))
        return false;
    return cause->constants >= SEVERAL || (remedy_reached_limit(f, cause) && cause->sample->against.n &&
                                           !str_ends(cause->sample->against, STR("/0")));
}

static bool is_constant_in_version(struct finder *f, const struct recompile_cause *cause)
{
    return stays_constant(f, cause) && remedy_may_lack_automatic(cause);
}

/* "x + y", "y * 2", of a line that neither takes an element by the number nor calls, compares or loops with it. */
static bool only_computes(struct str code, struct str name)
{
    static const struct str others[] = {STR_INIT("("),   STR_INIT("["),   STR_INIT("{"),     STR_INIT("if "),
                                        STR_INIT(" < "), STR_INIT(" > "), STR_INIT("for "),  STR_INIT("="),
                                        STR_INIT("!"),   STR_INIT("and "), STR_INIT("while "), STR_INIT(" or ")};
    ptrdiff_t assigned = str_find(code, STR(" = ")), at;
    struct str before, behind;

    if (!str_consume(&code, STR("return ")) && assigned > 0)
        code = str_skip(code, (size_t)assigned + 3);
    at = name.n ? str_find(code, name) : -1;
    if (at < 0 || STR_HAS_ANY(code, others))
        return false;
    before = str_trim(str_take(code, (size_t)at));
    behind = str_trim(str_skip(code, (size_t)at + name.n));
    if ((before.n && str_is_word_char(code.p[at - 1])) || (behind.n && str_is_word_char(code.p[(size_t)at + name.n])))
        return false;
    return (before.n && strchr("+-*/", before.p[before.n - 1])) || (behind.n && strchr("+-*/", behind.p[0]));
}

bool remedies_values_is_computed_with(struct finder *f, const struct recompile_cause *cause)
{
    return stays_constant(f, cause) && !stated_has(remedy_stated(cause), STATED_DYNAMIC) &&
           only_computes(remedy_line(cause->sample), cause->sample->name);
}

struct str remedies_values_computed_words(struct arena *a, const struct recompile_cause *cause)
{
    const struct guard_reason *g = cause->sample;
    struct str place = g->user_line ? arena_printf(a, " (%.*s:%lld)", STR_ARG(str_file_name(g->user_file)),
                                                   (long long)g->user_line)
                                    : (struct str){0};

    return arena_printf(a,
                        "PyTorch makes an integer dynamic when it has changed once. This one stayed a constant, and "
                        "the line `%.*s`%.*s only computes with it, which needs none: most likely dynamic shapes are "
                        "off (`dynamic=False`, `automatic_dynamic_shapes = False`, `specialize_int = True`). Leave "
                        "that setting out, or pass the number as a tensor.",
                        STR_ARG(str_take(remedy_line(g), 100)), STR_ARG(place));
}

static bool stays_constant_if_dynamic(struct finder *f, const struct recompile_cause *cause)
{
    return stays_constant(f, cause) && stated_has(remedy_stated(cause), STATED_DYNAMIC);
}

/* Floats are dynamic after the first change since 2.6, and with dynamic=True from the first call on since 2.8. */
/* G['_SHOP'].queue.length, two or more attributes below: the object changes elsewhere, most often for other code. */
static bool is_of_object_behind_global(struct finder *f, const struct recompile_cause *cause)
{
    struct str source = cause->sample ? cause->sample->source : (struct str){0};
    ptrdiff_t first = str_chr(source, '.');

    (void)f;
    return first > 0 && str_chr(str_skip(source, (size_t)first + 1), '.') > 0 && !str_has(source, STR("param_groups"));
}

static bool float_may_begin_dynamic(struct finder *f, const struct recompile_cause *cause)
{
    return remedy_is_dynamic(f, cause) && recompile_version_is(cause, 2, 8);
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
            if (is_in_range(remedy_line(g), cause->sample->name))
                return true;
    return false;
}

/* It has two values, so there are two compiles, no matter how many modules there are. */
static bool is_flag(struct finder *f, const struct recompile_cause *cause)
{
    struct str value = cause->sample ? cause->sample->expected : (struct str){0};

    (void)f;
    return str_eq(value, STR("True")) || str_eq(value, STR("False"));
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

bool recompile_is_of_numbers(struct finder *f, const struct recompile_cause *cause)
{
    struct str list = {0};

    if (cause->change != CHANGE_INT || !remedy_is_specialized(f, cause))
        return false;
    vec_each(const struct input_change, x, &cause->inputs.list)
    {
        struct str of = recompile_list_of(x->source);

        if (of.n && list.n && str_eq(of, list))
            return true;
        list = of.n ? of : list;
    }
    return false;
}

static bool are_counted(struct finder *f, const struct recompile_cause *cause)
{
    for (const struct call *call = cause->decided_at; call; call = call->parent)
        if (str_has(call->source, STR("Counter(")))
            return recompile_is_of_numbers(f, cause);
    return false;
}

/* The line compares it: "task == 'sum up'". */
static bool compares(struct str code)
{
    return str_has(code, STR(" == ")) || str_has(code, STR(" != "));
}

/* The line looks it up: "heads[task]", "heads.get(task)". */
static bool looks_up(struct finder *f, const struct guard_reason *g)
{
    return str_has(g->user_file, STR("nn/modules/container.py")) || is_in_brackets(remedy_line(g), g->name) ||
           str_has(remedy_line(g), arena_printf(f->arena, ".get(%.*s", STR_ARG(g->name)));
}

/* "heads[task.lower()]": what the brackets behind a name have in them. A list in brackets is no index. */
static bool is_in_index(struct str code, struct str word)
{
    for (size_t i = 1; i < code.n; i++)
        if (code.p[i] == '[' && (str_is_word_char(code.p[i - 1]) || code.p[i - 1] == ')') &&
            is_in_brackets(str_skip(code, i), word))
            return true;
    return false;
}

/* "for c in text": the letters of a text; but "for head in heads[task]" and "for head in self.heads" are not. */
static bool goes_through_letters(struct str code)
{
    static const struct str in = STR_INIT(" in ");
    ptrdiff_t at = str_has(code, STR("for ")) ? str_find(code, in) : -1;
    size_t n = 0;

    if (at < 0)
        return false;
    code = str_skip(code, (size_t)at + in.n);
    while (n < code.n && code.p[n] != ' ' && code.p[n] != ':' && code.p[n] != ']' && code.p[n] != ')')
        n++;
    code = str_take(code, n);
    return str_chr(code, '[') < 0 && !str_starts(code, STR("self.")) && !str_starts(code, STR("range("));
}

/* "text.lower().split()": ways to compute with a text; names of modes are written in lower case as well. */
static bool takes_apart(struct str code)
{
    static const struct str marks[] = {STR_INIT(".split("), STR_INIT(".splitlines("), STR_INIT(".lower("),
                                       STR_INIT(".upper("), STR_INIT(".strip("),      STR_INIT(".replace(")};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (str_has(code, marks[i]) && !is_in_index(code, marks[i]))
            return true;
    return goes_through_letters(code);
}

/* "ord(c)", "text.encode()": nobody does this to the name of a mode. */
static bool makes_numbers(struct str code)
{
    static const struct str marks[] = {STR_INIT("ord("), STR_INIT(".encode("), STR_INIT("tokenizer("),
                                       STR_INIT("tokenize(")};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        ptrdiff_t at = str_find(code, marks[i]);

        if (at >= 0 && (marks[i].p[0] == '.' || at == 0 || !str_is_word_char(code.p[at - 1]) || code.p[at - 1] == '_'))
            return true;
    }
    return false;
}

/* 'The cat sat', in any of the calls: words, not one word. */
static bool has_words(const struct recompile_cause *cause)
{
    for (size_t i = 0; i < cause->list.n; i++)
        vec_each(const struct guard_reason, g, &cause->list.v[i]->reasons)
            if (str_eq(g->source, cause->sample->source) && str_has(g->expected, STR(" "))) return true;
    return str_has(cause->sample->expected, STR(" "));
}

enum { MANY_STRINGS = 3 };

/* The text is what is computed with, as by splitting it into words: each call brings another. */
static bool is_text_to_compute(struct finder *f, const struct recompile_cause *cause)
{
    struct str code = cause->sample ? remedy_line(cause->sample) : (struct str){0};

    if (!remedy_is_string(f, cause) || compares(code) || looks_up(f, cause->sample) || is_name_of_object(f, cause))
        return false;
    return (has_words(cause) && takes_apart(code)) || (cause->most >= MANY_STRINGS && makes_numbers(code));
}

/* 'The cat sat': a text, as opposed to a name or an option, which have few values. */
static bool is_text(struct finder *f, const struct recompile_cause *cause)
{
    return is_text_to_compute(f, cause) ||
           (remedy_is_string(f, cause) && has_words(cause) && !compares(remedy_line(cause->sample)) &&
            cause->most >= MANY_STRINGS && !looks_up(f, cause->sample) && !remedy_is_list_of_strings(f, cause));
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
    struct str code = remedy_line(g), name = str_skip(g->name, (size_t)(str_rchr(g->name, '.') + 1));
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

/* The newest compile takes any value. */
static bool is_dynamic_int(struct finder *f, const struct recompile_cause *cause)
{
    return is_int(f, cause) && remedy_is_number_once(f, cause);
}

/*
 * "if self.rate == 0.0": one compile for the number that the code decides by, and one for all others. Twice if there is
 * another reason for two compiles: training and validation.
 */
static bool number_was_decided_by(struct finder *f, const struct recompile_cause *cause)
{
    enum { MODES = 2 };

    (void)f;
    return cause->takes_any && cause->most <= MODES;
}

/* "if self.rate == 0.0:", as opposed to "if x.sum() > self.rate:" */
static bool is_compared_with_number(const struct guard_reason *g)
{
    static const struct str operators[] = {STR_INIT(" == "), STR_INIT(" != "), STR_INIT(" <= "),
                                           STR_INIT(" >= "), STR_INIT(" < "),  STR_INIT(" > ")};
    struct str code = remedy_line(g), name = str_skip(g->name, (size_t)(str_rchr(g->name, '.') + 1));
    ptrdiff_t at = name.n ? str_find(code, name) : -1;

    if (at < 0 || !str_starts(str_trim(code), STR("if ")))
        return false;
    code = str_skip(code, (size_t)at + name.n);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (str_consume(&code, operators[i]))
            return code.n && code.p[0] >= '0' && code.p[0] <= '9';
    return false;
}

static bool float_was_decided_by(struct finder *f, const struct recompile_cause *cause)
{
    return (cause->state == INPUT_SPECIALIZED || (cause->sample && is_compared_with_number(cause->sample))) &&
           number_was_decided_by(f, cause);
}

/* "self.pos:self.pos + n" and "[:, :self.pos]": a bound of a slice may be dynamic, an index of a list may not. */
static bool is_bound_of_slice(const struct recompile_cause *cause)
{
    struct str code = remedy_line(cause->sample), name = cause->sample->name;

    name = str_skip(name, (size_t)(str_rchr(name, '.') + 1));
    while (name.n && str_chr(code, '[') >= 0) {
        ptrdiff_t end;
        struct str index;

        code = str_skip(code, (size_t)str_chr(code, '[') + 1);
        end = str_chr(code, ']');
        index = str_take(code, end < 0 ? code.n : (size_t)end);
        if (str_has(index, name) && str_has(index, STR(":")))
            return true;
    }
    return false;
}

static bool can_allow_unspec(struct finder *f, const struct recompile_cause *cause)
{
    return recompile_has(cause, NAME_SETTING, ALLOW_UNSPEC) &&
           !str_eq(recompile_setting(f, cause->first->compile, "dynamo_config", "allow_unspec_int_on_nn_module"),
                   STR("true"));
}

/* Each compile has a larger value than the one before: a position, a counter. */
static bool rises(const struct recompile_cause *cause)
{
    enum { SEVERAL = 3 };
    int64_t last = INT64_MIN;
    size_t n = 0;

    for (size_t i = 0; i < cause->list.n; i++) {
        const struct guard_reason *newest = NULL;
        int64_t value;

        vec_each(const struct guard_reason, g, &cause->list.v[i]->reasons)
            if (!newest && str_eq(g->source, cause->sample->source)) newest = g;
        if (!newest || !str_i64(newest->expected, &value) || value <= last)
            return false;
        last = value;
        n++;
    }
    return n >= SEVERAL;
}

static bool int_rises_in_slices(struct finder *f, const struct recompile_cause *cause)
{
    return is_int(f, cause) && is_bound_of_slice(cause) && rises(cause) && can_allow_unspec(f, cause);
}

/* Attributes of other objects than modules are dynamic when they have changed once. */
static bool is_of_module_at_limit(struct finder *f, const struct recompile_cause *cause)
{
    return remedy_reached_limit(f, cause) && str_starts(cause->sample->name, STR("self.")) &&
           !is_used_as_constant(cause) && recompile_may_have(cause, NAME_SETTING, ALLOW_UNSPEC);
}

/* "layer_idx" of "self.attn.layer_idx": each layer has its own number there, which never changes. */
static bool is_number_of_layer(struct finder *f, const struct recompile_cause *cause)
{
    static const struct str names[] = {STR_INIT("layer_idx"), STR_INIT("layer_id"),     STR_INIT("layer_index"),
                                       STR_INIT("block_idx"), STR_INIT("layer_number"), STR_INIT("block_id")};
    struct str name = cause->sample ? cause->sample->name : (struct str){0};

    (void)f;
    name = str_skip(name, (size_t)(str_rchr(name, '.') + 1));
    return STR_IS_ANY(name, names);
}

static bool is_number_of_layer_after_break(struct finder *f, const struct recompile_cause *cause)
{
    return cause->first->compile->frame->is_resume && is_number_of_layer(f, cause);
}

/* The value of the attribute for which the earlier compile was made; false if the recompile has another reason. */
static bool value_before(const struct recompile *rc, struct str source, int64_t *value)
{
    for (size_t i = 0; i < rc->reasons.n; i++)
        if (str_eq(rc->reasons.v[i].source, source))
            return str_i64(rc->reasons.v[i].expected, value);
    return false;
}

/*
 * "self.cache.size" is 0, 1, 2, ... in the compiles, one after the other. "self.index" may as well be the number of a
 * layer, of modules that share the code of `forward`.
 */
static bool counts_up(struct finder *f, const struct recompile_cause *cause)
{
    struct str name = cause->sample ? cause->sample->name : (struct str){0};
    int64_t value, last = 0;

    (void)f;
    if (str_rchr(name, '.') == str_find(name, STR(".")))
        return false;
    for (size_t i = 0; i < cause->list.n; i++) {
        if (!value_before(cause->list.v[i], cause->sample->source, &value) || (i && value != last + 1))
            return false;
        last = value;
    }
    return cause->list.n > 1;
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

/* "x[i] = value" as opposed to "y = x[i]" */
static bool stores_by_index(struct finder *f, const struct recompile_cause *cause)
{
    struct str code = cause->sample ? remedy_line(cause->sample) : (struct str){0};
    ptrdiff_t at = python_find(code, STR("="), PYTHON_TOP_LEVEL);

    (void)f;
    return at > 0 && str_ends(str_trim(str_take(code, (size_t)at)), STR("]"));
}

bool remedies_values_are_layers(struct finder *f, const struct recompile_cause *cause)
{
    return cause->change == CHANGE_MODULE_ATTRIBUTE && is_number_of_layer(f, cause);
}

/* Below a module that is compiled as a whole, or in a list: other modules do not meet this guard. */
static bool is_string_of_part(struct finder *f, const struct recompile_cause *cause)
{
    return remedy_is_string(f, cause) &&
           (str_has(cause->sample->source, STR("_modules[")) || str_ends(cause->sample->source, STR("]")));
}

static bool is_string_that_may_isolate(struct finder *f, const struct recompile_cause *cause)
{
    return remedy_is_string(f, cause) && remedy_may_isolate(f, cause);
}

bool recompile_is_per_object(struct finder *f, const struct recompile_cause *cause)
{
    return (cause->change == CHANGE_CONSTANT || cause->change == CHANGE_MODULE_ATTRIBUTE) &&
           is_name_of_object(f, cause);
}

bool remedies_values_are_endless(struct finder *f, const struct recompile_cause *cause)
{
    return (cause->change == CHANGE_CONSTANT && is_text(f, cause)) || is_stepped(behind_name(cause)) ||
           (cause->change == CHANGE_MODULE_ATTRIBUTE &&
            ((cause->sample && counts_up(f, cause)) || int_rises_in_slices(f, cause)));
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static const struct remedy rows[] = {
#include "analysis/remedies/remedies_values.def"
};

const struct remedies remedies_values = {rows, sizeof rows / sizeof *rows};
