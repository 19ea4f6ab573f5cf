#include "analysis/remedies/recompile_state.h"

#include "analysis/remedies/remedy_row.h"

/* By PyTorch's names in the guard (GlobalStateGuard::reason, torch/csrc/dynamo/guards.cpp). */
static const struct {
    const char *name, *fix;
} settings[] = {
    {"grad_mode",
     "The compiled function is called with gradients and under torch.no_grad(): one compile for each, as training and "
     "validation need. Call it in one mode if that is too much."},
    {"autocast", "The compiled function is called inside and outside of torch.autocast, or with another dtype of it. "
                 "Enter it in the same way around every call, the first one too."},
    {"Autocast",
     "The compiled function is called inside and outside of torch.autocast. Enter it in the same way around "
     "every call, the first one too."},
    {"num_threads", "torch.set_num_threads is called after the first compile. Call it once, at the start."},
    {"deterministic", "torch.use_deterministic_algorithms is called after the first compile. Call it once, at the "
                      "start."},
    {"default_dtype", "torch.set_default_dtype is called after the first compile. Call it once, at the start."},
    {"allow_tf32", "TF32 is switched after the first compile. Choose once, at the start."},
    {"torch_function_mode_stack",
     "Other torch function modes are active than in the first call: each set of them is one compile. Enter the same "
     "ones around every call, or around none: `with torch.device(...)` and any class of `TorchFunctionMode`. A default "
     "device (`torch.set_default_device`) is such a mode: set it before the first call."},
    {"torch_function", "Whether torch functions can be overridden changes between calls. Enter "
                       "torch._C.DisableTorchFunction around every call or none."},
    {"CURRENT_DEVICE", "torch.set_default_device is called after the first compile. Call it once, at the start."},
};

/* As written by recompile_words. */
static bool changes_dtypes(const struct recompile_cause *cause)
{
    return cause->changes.n && str_has(cause->changes.v[0], STR("; the dtype of "));
}

bool recompile_state_is_grad_mode(const struct recompile_cause *cause)
{
    static const struct str begin = STR_INIT("GLOBAL_STATE changed:");
    struct str states = cause->sample ? cause->sample->guard : (struct str){0};

    return cause->change == CHANGE_GLOBAL_STATE && str_consume(&states, begin) &&
           str_eq(str_trim(states), STR("grad_mode")) && !changes_dtypes(cause);
}

bool recompile_state_is_of_requests(const struct recompile_cause *cause)
{
    return recompile_state_is_grad_mode(cause) && stated_has(remedy_stated(cause), STATED_SERVES);
}

struct str recompile_state_fix(struct arena *a, const struct recompile_cause *cause)
{
    if (recompile_state_is_of_requests(cause))
        return STR("A server is compiled again while it answers: most likely the warm-up (or the capture of its "
                   "graphs) ran in another gradient mode than the requests do. Put all of them under the same "
                   "`torch.no_grad()` or `torch.inference_mode()`, the first call, too. In SGLang: update it, or start "
                   "without `--enable-piecewise-cuda-graph`.");
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (cause->change == CHANGE_GLOBAL_STATE && str_has(cause->sample->guard, str_of(settings[i].name)))
            return arena_printf(a, "%s%s", settings[i].fix,
                                changes_dtypes(cause) ? " Convert tensors to another dtype once, too, or accept one "
                                                        "compile for each."
                                                      : "");
    return (struct str){0};
}
