#include "analysis/remedies/remedies_tensors.h"

#include "analysis/answers/versions.h"
#include "analysis/find/caller.h"
#include "analysis/find/guard_facts.h"
#include "analysis/recompiles/recompile_constant.h"
#include "analysis/recompiles/recompile_limit.h"
#include "analysis/recompiles/recompile_version.h"
#include "analysis/recompiles/recompile_why.h"
#include "analysis/remedies/paste_call.h"
#include "analysis/remedies/recompile_paste.h"
#include "model/code_file.h"
#include "text/guards/guard_name.h"
#include "text/python/python_call.h"
#include "text/python/python_code.h"

/* No line of the program does it: the compiler needs the number after Dynamo has traced the function. */
static bool is_specialized_later(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->state == INPUT_SPECIALIZED && cause->decided_at == NULL;
}

/* Inductor lowers the backward of a convolution for the sizes that it has: also seen where the backward came later. */
static bool is_specialized_by_convolution(struct finder *f, const struct recompile_cause *cause)
{
    const struct frame *fr = cause->first->compile->frame;

    (void)f;
    for (size_t i = 0; cause->state == INPUT_SPECIALIZED && !cause->decided_at && i < fr->compiles.n; i++)
        vec_each(const struct input_change, x, &cause->inputs.list)
        {
            if (str_eq(recompile_constant_lowering(fr->compiles.v[i], x->source), STR("convolution_backward_lowering")))
                return true;
        }
    return false;
}

/* The line calls an operator that is none of PyTorch's own: its fake kernel needs the number. */
static bool is_specialized_by_operator(struct finder *f, const struct recompile_cause *cause)
{
    struct str rest = cause->decided_at ? cause->decided_at->source : (struct str){0}, name;

    return remedy_is_specialized(f, cause) && str_between(rest, STR("torch.ops."), STR("("), &name) &&
           !str_starts(name, STR("aten.")) && !str_starts(name, STR("prims."));
}

/* torch.compile(dynamic=False) switches both off while it compiles; a program may switch them off for all compiles. */
static bool dynamic_is_off(struct finder *f, const struct recompile_cause *cause)
{
    return recompile_is_off(f, cause, "automatic_dynamic_shapes");
}

/* Equal sizes share a symbol under dynamic=True, which a line of the program made a constant in the first call. */
static bool was_equal_at_first(struct finder *f, const struct recompile_cause *cause)
{
    const struct compile *first = cause->first->compile->frame->compiles.v[0];
    const struct input_change *x = cause->inputs.list.n ? &cause->inputs.list.v[0] : NULL;
    const struct call *at;

    return x && recompile_is_dynamic_already(f, cause) &&
           input_state_of(first, x->source, x->dim, &at) == INPUT_SPECIALIZED;
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

/* The same of one record that lists the entries: no other compile is in the log. */
static bool has_static_sizes(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->state == INPUT_UNKNOWN && cause->static_sizes;
}

/* Two compiles for one size: dynamic shapes make one of both only where the rest is alike. */
static bool has_same_size(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->state == INPUT_UNKNOWN && cause->same_size;
}

/* A function that torch.compile() is called on twice has the compiles of both, each for its own options. */
static bool has_several_calls(struct finder *f, const struct recompile_cause *cause)
{
    enum { LOOKED_AT = 64 };

    if (!has_same_size(f, cause))
        return false;
    for (size_t i = 0; i < cause->list.n && i < LOOKED_AT; i++)
        for (size_t k = 0; k < cause->list.v[i]->reasons.n && k < LOOKED_AT; k++)
            if (cause->list.v[i]->reasons.v[k].class == GUARD_BACKEND)
                return true;
    return false;
}

/* Nothing shows a module: neither the name of the function nor an input of `self`. */
static bool has_same_size_without_module(struct finder *f, const struct recompile_cause *cause)
{
    struct str name = cause->first->compile->frame->name;

    if (!has_same_size(f, cause) || name.n == 0 || str_has(name, STR("forward")))
        return false;
    vec_each(const struct input_change, x, &cause->inputs.list)
        if (str_has(x->source, STR("self")))
            return false;
    return true;
}

/* Modules that are compiled one by one share the code of `forward`, and not their channels. */
static bool is_of_forward(const struct recompile_cause *cause)
{
    if (!str_eq(cause->first->compile->frame->name, STR("forward")))
        return false;
    vec_each(const struct input_change, x, &cause->inputs.list)
        if (x->dim <= 0 || str_starts(x->source, STR("L['self']")) || str_starts(x->source, STR("self")))
            return false;
    return cause->inputs.list.n > 0;
}

static bool is_of_modules(const struct recompile_cause *cause, enum stated_fact fact)
{
    return stated_has(remedy_stated(cause), fact) && is_of_forward(cause);
}

static bool is_of_parts(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return is_of_modules(cause, STATED_PARTS);
}

/* The graph breaks at each module that FSDP wraps. */
static bool is_of_wrapped_modules(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->constant_again && is_of_modules(cause, STATED_FSDP_BLOCKS);
}

static bool is_last_of_limit(struct finder *f, const struct recompile_cause *cause)
{
    return remedy_reached_limit(f, cause) && recompile_is_last_reason(cause);
}

/*
 * Dimension 1 of what the blocks of a network of convolutions share: its channels, which the weights of each block fix,
 * and which are round numbers, as a length seldom is.
 */
static bool is_last_of_channels(struct finder *f, const struct recompile_cause *cause)
{
    static const struct str files[] = {STR_INIT("unet"), STR_INIT("resnet"), STR_INIT("resblock"),
                                       STR_INIT("res_block"), STR_INIT("diffusionmodules"), STR_INIT("vae"),
                                       STR_INIT("autoencoder"), STR_INIT("vgg"), STR_INIT("densenet"),
                                       STR_INIT("efficientnet"), STR_INIT("mobilenet"), STR_INIT("convnext"),
                                       STR_INIT("modules/conv.py")};
    enum { ROUND = 8, FILE_MAX = 400 };
    struct str file = cause->first->compile->frame->file;
    char room[FILE_MAX];

    if (!is_last_of_limit(f, cause) || !is_of_forward(cause))
        return false;
    vec_each(const struct input_change, x, &cause->inputs.list)
    {
        int64_t from, to;

        if (x->dim != 1 || !str_i64(x->from, &from) || !str_i64(x->to, &to) || from <= ROUND || to <= ROUND ||
            from % ROUND || to % ROUND)
            return false;
    }
    file = str_lower(str_skip(file, file.n < FILE_MAX ? 0 : file.n - FILE_MAX + 1), room, sizeof room);
    return STR_HAS_ANY(file, files);
}

/* Sizes are dynamic when they have changed once, so that other reasons than this one used up the limit. */
static bool is_last_size(struct finder *f, const struct recompile_cause *cause)
{
    return is_last_of_limit(f, cause) && !remedy_may_lack_automatic(cause);
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
    return stated_has(remedy_stated(cause), STATED_DDP_ALONE);
}

bool recompile_has_two_values(const struct recompile_cause *cause)
{
    return cause->change == CHANGE_REQUIRES_GRAD && !(cause->sample && recompile_is_of_parameter(cause->sample));
}

/* The weight of a layer, or its running statistics: no call passes it, and nothing may be assigned to it. */
static bool is_of_layer(struct finder *f, const struct recompile_cause *cause)
{
    static const struct str ends[] = {STR_INIT(".weight"), STR_INIT(".bias"), STR_INIT(".running_mean"),
                                      STR_INIT(".running_var")};

    (void)f;
    return cause->sample &&
           (recompile_is_of_parameter(cause->sample) || STR_ENDS_ANY(cause->sample->source, ends));
}

static bool may_keep_stride(struct finder *f, const struct recompile_cause *cause)
{
    return cause->sample && recompile_may_keep_stride(f, cause);
}

/* All elements along the dimension are one: a tensor of `expand`. */
static bool is_expanded(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->sample && (str_eq(cause->sample->expected, STR("0")) || str_eq(cause->sample->actual, STR("0")));
}

/* Before 2.5 only sizes became dynamic; until then a failed guard was listed without the compile that it is of. */
static bool has_static_strides(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->sample && cause->changes.n > 1 &&
           (recompile_version_is_known(cause) ? !recompile_version_is(cause, 2, 5) : cause->sample->against.n == 0);
}

static bool keeps_static_stride(struct finder *f, const struct recompile_cause *cause)
{
    return has_static_strides(f, cause) && may_keep_stride(f, cause);
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
           !is_constant_again(f, cause) && !remedy_reached_limit(f, cause);
}

static bool is_of_parameter(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->sample && recompile_is_of_parameter(cause->sample);
}

/*
 * "self._modules['blocks']" and "8" of "self._modules['blocks']._modules['8']._parameters['weight']": a module in a
 * list of modules.
 */
static bool in_list_of_modules(struct str source, struct str *list, struct str *number)
{
    static const struct str mark = STR_INIT("._modules['");
    int64_t n;
    ptrdiff_t at;

    for (size_t begin = 0; (at = str_find(str_skip(source, begin), mark)) >= 0; begin += mark.n) {
        begin += (size_t)at;
        *list = str_take(source, begin);
        *number = str_skip(source, begin + mark.n);
        *number = str_take(*number, (size_t)(str_chr(*number, '\'') < 0 ? 0 : str_chr(*number, '\'')));
        if (str_i64(*number, &n) && str_ends(*list, STR("']")))
            return true;
    }
    return false;
}

/* PyTorch's own containers ignore compile(): no call of theirs is a frame of its own. */
static bool is_container(struct finder *f, const struct recompile_cause *cause, struct str list, struct str number)
{
    struct str source = arena_printf(f->arena, "%.*s._modules['%.*s']", STR_ARG(list), STR_ARG(number)), type;

    type = guard_facts_type(guard_facts_of(f, cause->first->compile), recompile_full_source(f->arena, source));
    return str_starts(type, STR("torch.nn.modules.container."));
}

/* The list whose modules are made trainable, one after the other, in several stages; empty if it is none. */
static struct str list_of_stages(struct finder *f, const struct recompile_cause *cause)
{
    enum { SEVERAL = 3 };
    struct str first = {0}, list, number, last = {0};
    size_t stages = 0;

    for (size_t i = 0; i < cause->list.n; i++) {
        const struct recompile *rc = cause->list.v[i];
        const struct guard_reason *g = rc->reasons.n ? &rc->reasons.v[0] : NULL;

        if (!g || g->class != cause->sample->class || !in_list_of_modules(g->source, &list, &number) ||
            (first.n && !str_eq(first, list)) || is_container(f, cause, list, number))
            return (struct str){0};
        stages += !str_eq(number, last);
        first = list;
        last = number;
    }
    return stages >= SEVERAL ? first : (struct str){0};
}

static bool is_of_parameter_in_stages(struct finder *f, const struct recompile_cause *cause)
{
    return is_of_parameter(f, cause) && list_of_stages(f, cause).n > 0;
}

static bool are_same_calls(const struct call *a, const struct call *b)
{
    enum { CALLS_MAX = 100 };
    int n = 0;

    for (; a && b && a->line == b->line && str_eq(a->file, b->file) && n < CALLS_MAX; n++) {
        a = a->parent;
        b = b->parent;
    }
    return !a && !b && n > 0;
}

/*
 * "x = block(x)", "x, loss = block(x)", "y = self.blocks[i](x)" as opposed to "y = self.net(x)": another module each
 * time, which gets what the one before it computed.
 */
static bool may_call_several(struct arena *a, struct str line)
{
    ptrdiff_t at = python_find(line, STR("="), PYTHON_TOP_LEVEL);
    struct str targets = str_take(line, at < 0 ? 0 : (size_t)at);
    struct str rest = str_skip(line, at < 0 ? line.n : (size_t)at + 1);
    struct python_call call;

    if (str_has(rest, STR("](")))
        return true;
    if (!python_only_call(a, rest, &call))
        return false;
    while (targets.n) {
        struct str target = str_trim(str_split(&targets, ','));

        vec_each(const struct python_argument, x, &call.arguments) if (str_eq(x->value, target)) return true;
    }
    return false;
}

/* "out = checkpoint(block, x)" */
static bool is_called_by_checkpoint(const struct compile *c)
{
    for (const struct call *call = c->stack; call; call = call->parent)
        if (code_file_has(call->file, STR("torch/utils/checkpoint.py")))
            return true;
    return false;
}

/*
 * Blocks of a model that are compiled one by one: the same calls lead to both compiles, and PyTorch's Module calls
 * them.
 */
static bool is_first_of_several(struct finder *f, const struct recompile_cause *cause)
{
    const struct compile *c = cause->first->compile, *before = NULL;
    const struct call *line = caller_of(c);

    for (size_t i = 0; i < c->frame->compiles.n && c->frame->compiles.v[i] != c && !before; i++)
        if (are_same_calls(c->frame->compiles.v[i]->stack, c->stack))
            before = c->frame->compiles.v[i];
    return before && cause->most == 1 && cause->list.n == 1 && cause->sample && caller_is_module_call(c) && line &&
           (may_call_several(f->arena, str_trim(line->source)) || is_called_by_checkpoint(c)) &&
           str_has(cause->sample->guard, STR("expected requires_grad=0"));
}

bool recompile_is_of_first_block(struct finder *f, const struct recompile_cause *cause)
{
    return cause->change == CHANGE_REQUIRES_GRAD && !is_of_parameter(f, cause) && is_first_of_several(f, cause);
}

/* "for block in model.blocks": whoever compiles the model has another name for `self`. */
static void paste_compile_of_each(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    struct str name = guard_name(f->arena, list_of_stages(f, cause));

    str_consume(&name, STR("self"));
    paste_pattern(x,
                  arena_printf(f->arena, "for block in model%.*s:\n    block.compile()", STR_ARG(name)),
                  "in place of compiling the whole model");
}

static bool is_of_buffer(struct finder *f, const struct recompile_cause *cause)
{
    bool all = true;

    (void)f;
    vec_each(const struct input_change, x, &cause->inputs.list) all = all && str_has(x->source, STR("._buffers["));
    return all && cause->inputs.list.n > 0;
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

bool recompile_is_choice_of_pytorch(struct finder *f, const struct recompile_cause *cause)
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

/* "x.split(lengths)": the size is the sum of integers that vary with it. */
static bool is_sum_of_numbers(struct finder *f, const struct recompile_cause *cause)
{
    return remedies_tensors_tied_number(f, cause).n > 0;
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

static bool is_constant_size(struct finder *f, const struct recompile_cause *cause)
{
    struct str source, value;

    (void)f;
    return cause->sample && recompile_constant_read(cause->sample->guard, &source, &value);
}

bool recompile_is_constant_of_pytorch(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->made.by != NULL;
}

struct str remedies_tensors_tied_number(struct finder *f, const struct recompile_cause *cause)
{
    const struct frame *fr = cause->first->compile->frame;
    struct str number = {0};

    (void)f;
    for (size_t i = 0; cause->change == CHANGE_SIZE && i < fr->compiles.n; i++)
        vec_each(const struct input_change, x, &cause->inputs.list)
            if (input_is_tied_to_number(fr->compiles.v[i], x->source, x->dim, &number)) return number;
    return number;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static const struct remedy rows[] = {
#include "analysis/remedies/remedies_tensors.def"
};

const struct remedies remedies_tensors = {rows, sizeof rows / sizeof *rows};
