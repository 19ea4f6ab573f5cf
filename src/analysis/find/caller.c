#include "analysis/find/caller.h"

#include "analysis/answers/versions.h"
#include "model/conclude/callers.h"

/* --- who called --------------------------------------------------------------------------------------------------- */

/* The calls outside of Dynamo in a stack that was taken while it compiled. */
static const struct call *outside_of_dynamo(const struct call *stack)
{
    const struct call *entered = NULL;

    for (; stack; stack = stack->parent)
        if (code_file_has(stack->file, STR("torch/_dynamo/convert_frame.py")))
            entered = stack;
    return entered ? entered->parent : NULL;
}

/* Records of symbols have the whole stack; NULL if the compile has none. */
static const struct call *recorded_callers(const struct compile *c)
{
    const struct call *out = NULL;

    for (size_t i = 0; i < c->symbols.n && !out; i++)
        out = outside_of_dynamo(c->symbols.v[i].stack);
    for (size_t i = 0; i < c->shape_guards.n && !out; i++)
        out = outside_of_dynamo(c->shape_guards.v[i].stack);
    return out;
}

/* Another compile of the same function whose stack began the same way was called from the same place. */
static const struct call *callers_of_another(const struct compile *c)
{
    const struct call *out = NULL;

    for (size_t i = 0; c->frame && c->stack && i < c->frame->compiles.n && !out; i++)
        if (c->frame->compiles.v[i]->stack == c->stack)
            out = recorded_callers(c->frame->compiles.v[i]);
    return out;
}

/*
 * dynamo_start leaves out the innermost two calls around the frame since 2.9 (convert_frame.py, log_dynamo_start). For
 * a module both are PyTorch's own. For a function they are compile_wrapper and its caller.
 */
static bool drops_calls(const struct process *p)
{
    struct str version = process_pytorch(p);
    uint64_t major, minor;

    return p->input->kind == INPUT_TORCH_TRACE && str_take_u64(&version, &major) && str_consume(&version, STR(".")) &&
           str_take_u64(&version, &minor) && (major > 2 || minor >= 9);
}

static bool start_lacks_caller(const struct compile *c)
{
    if (!c->stack->parent || code_file_has(c->stack->parent->file, STR("torch/")) ||
        str_eq(c->stack->function, STR("forward")))
        return false;
    return drops_calls(c->process);
}

static const struct call *started_from(const struct compile *c)
{
    if (!c->stack || callers_only(c->process)) /* 2.3 and 2.4 record only the callers */
        return c->stack;
    return start_lacks_caller(c) ? NULL : c->stack->parent;
}

static bool is_call_of(const struct call *call, const char *file, const char *function)
{
    return call && code_file_has(call->file, str_of(file)) && str_eq(call->function, str_of(function));
}

/*
 * Module._wrapped_call_impl calls _call_impl, which calls forward, or compile_wrapper (_fn until 2.8), which calls
 * forward. Where the innermost two calls are left out, a _call_impl may belong to an enclosing module.
 */
bool caller_is_module_call(const struct compile *c)
{
    static const char file[] = "torch/nn/modules/module.py", dynamo[] = "torch/_dynamo/eval_frame.py";
    const struct call *call = c->stack && !callers_only(c->process) ? c->stack->parent : NULL;

    if (!call)
        return false;
    if (is_call_of(call, file, "_wrapped_call_impl") || is_call_of(call, dynamo, "compile_wrapper"))
        return true;
    return is_call_of(is_call_of(call, dynamo, "_fn") ? call->parent : call, file, "_call_impl") &&
           !drops_calls(c->process);
}

/* Without PyTorch's own functions. */
const struct call *caller_direct(const struct compile *c)
{
    const struct call *call = recorded_callers(c);

    if (!call)
        call = callers_of_another(c);
    if (!call)
        call = started_from(c);
    while (call && is_framework_file(call->file))
        call = call->parent;
    return call;
}

const struct call *caller_of(const struct compile *c)
{
    const struct call *direct = caller_direct(c), *call = direct;

    while (call && (is_framework_file(call->file) || is_library_file(call->file)))
        call = call->parent;
    return call ? call : direct;
}

bool caller_is_wrapper(const struct frame *fr)
{
    return fr->file.n && is_framework_file(fr->file) && !fr->is_resume;
}
