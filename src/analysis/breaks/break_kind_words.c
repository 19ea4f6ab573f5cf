/* Messages of 2.6 and earlier, which have no number: their words determine the number that later versions give them. */
#include "analysis/breaks/break_kind.h"

/*
 * The beginning of a message, after "Unsupported: " and quotes; or, after "*", words anywhere in its first line.
 * torch/_dynamo/symbolic_convert.py and torch/_dynamo/variables of 2.3 to 2.6. The first matching row counts.
 */
static const struct {
    const char *words, *gb_id;
} words[] = {
    /* on purpose */
    {"skip function graph_break in file", "GB0025"},
    {"call torch._dynamo.graph_break", "GB0025"},
    {"call_function graph_break in skip_files ", "GB0025"}, /* of 2.0 */
    {"*wrapped with torch.compiler.disable", "GB0098"},
    {"call torch._dynamo.disable() wrapped function", "GB0098"},
    {"*torch/_dynamo/eval_frame.py", "GB0099"},
    {"*torch/_dynamo/external_utils.py", "GB0099"},
    {"torch._dynamo.skip_frame", "GB4297"},
    {"torch._dynamo.step_unsupported", "GB4636"},

    /* calls */
    {"skip function ", "GB0007"},
    {"Graph break due to unsupported ", "GB0007"},
    {"*in skip_files ", "GB0007"}, /* of 2.0 */
    {"inline in skipfiles: ", "GB0008"},
    {"in skipfiles: ", "GB0008"}, /* of 2.0 */
    {"builtin: ", "GB0059"},
    {"call_method ", "GB0156"},
    {"call_function args: ", "GB0055"},
    {"call_function BuiltinVariable(int) [TensorVariable", "GB0124"},
    {"call_function BuiltinVariable(float) [TensorVariable", "GB0124"},
    {"call_function BuiltinVariable(bool) [TensorVariable", "GB0170"},
    {"call_function BuiltinVariable(", "GB0059"},
    {"call_function ", "GB0147"},
    {"Reordering debugging function ", "GB0296"},
    {"Logger not supported", "GB0291"},
    {"logging.Logger method not supported", "GB0291"},
    {"copy.deepcopy", "GB0179"},
    {"torch.* op returned non-Tensor", "GB0208"},
    {"Can't find numpy function", "GB0294"},
    {"numpy.", "GB0294"},
    {"Tensor.numpy", "GB0294"},
    {"*is not modelled in torch._numpy", "GB0158"},
    {"call_id", "GB0191"},

    /* values of tensors */
    {"generic_jump", "GB0170"},
    {"Data-dependent jump", "GB0170"},
    {"data-dependent branching", "GB0170"},
    {"*ynamic control flow", "GB0170"},
    {"assert with non-string message", "GB0171"},
    {"Data-dependent assertion failed", "GB0034"},
    {"Tensor.item", "GB0124"},
    {"Tensor.tolist", "GB0124"},
    {"Input tensor for tolist must be an integer tensor", "GB0109"},
    {"unsupported index(tensor)", "GB0218"},
    {"__getitem__ with non-constant tensor", "GB0218"},
    {"Dynamic slicing on data-dependent value", "GB0038"},
    {"Dynamic slicing with Tensor arguments", "GB0038"},
    {"data dependent operator: ", "GB0033"},
    {"*Operator does not have a meta kernel that supports dynamic output shapes", "GB0037"},
    {"dynamic shape operator: ", "GB0036"},
    {"torch.nn.functional.one_hot with data-dependent output shape", "GB0246"},
    {"sort with non-constant keys", "GB0207"},

    /* tensors and autograd */
    {"Tensor.backward", "GB0123"},
    {"TensorVariable has a grad_fn", "GB0104"},
    {"inplace op on input tensor", "GB0072"},
    {"in-place op on input", "GB0072"},
    {"Tensor.resize_as_", "GB0127"},
    {"Tensor.resize_", "GB0126"},
    {"Tensor.set_", "GB0128"},
    {"Tensor.requires_grad_", "GB0125"},
    {"setattr() on Tensor.requires_grad", "GB0206"},
    {"factory functions that return tensors that require grad", "GB0225"},
    {"uniform_ op is called with from keyword", "GB0110"},
    {"Tensor.random_ op", "GB0107"},
    {"out variants with resizing on graph inputs", "GB0247"},
    {"torch.compile does not support sparse Tensors", "GB0015"},
    {"torch.compile does not support strided NestedTensor", "GB0016"},
    {"Workaround for issues with nn_parameter construction", "GB0264"},
    {"Compilation of intermediate hooks requires compiled autograd", "GB0029"},
    {"module-level backwards hooks require compiled autograd", "GB0083"},
    {"unregistered hook removable handle", "GB0013"},
    {"speculate_subgraph: while introspecting autograd.Function", "GB0145"},
    {"NYI - User defind vjp", "GB0145"},
    {"NYI - User defind jvp", "GB0144"},
    {"torch.use_deterministic_algorithms(warn_only=True)", "GB0230"},

    /* Python's control flow */
    {"BEFORE_WITH ", "GB0142"},
    {"SETUP_WITH ", "GB0142"},
    {"Unsupported context manager ", "GB0142"},
    {"Graph break under GenericContextWrappingVariable", "GB0066"},
    {"missing: LOAD_BUILD_CLASS", "GB0075"},
    {"Observed exception", "GB0088"},
    {"*raised exception ", "GB0088"},
    {"TypeError ", "GB0112"},
    {"*positional argument", "GB0112"},
    {"generator", "GB0003"},
    {"async ", "GB0003"},

    /* modules, operators, backends */
    {"TorchDynamo purposely graph breaks on RNN", "GB0014"},
    {"unsupported operator: ", "GB0090"},
    {"Encountered non-PT2-compliant op", "GB0043"},
    {"HigherOrderOperator: ", "GB0067"},
    {"HigherOrderOperator with body that accepts non-Tensors", "GB0351"},
    {"CollectiveFunctionRewriteVariable can't support async_op=True", "GB0172"},
    {"Backend compiler failed with a fake tensor exception", "GB0219"},
    {"backend compiler failed", "GB0219"},
    {"ScriptModules aren't supported", "GB4695"},
};

/* Without the text that 2.6 and earlier put before a message: the name of the exception, a quote of repr(). */
static struct str bare(struct str message)
{
    message = str_trim(message);
    str_consume(&message, STR("Unsupported: "));
    str_consume(&message, STR("'"));
    str_consume(&message, STR("\""));
    return message;
}

struct str break_id_of_words(struct str message)
{
    struct str rest = bare(message), line = str_split(&rest, '\n');

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct str w = str_of(words[i].words);

        if (str_consume(&w, STR("*")) ? str_has(line, w) : str_starts(line, w))
            return str_of(words[i].gb_id);
    }
    return (struct str){0};
}

const char *break_id_of_words_at(size_t i)
{
    return i < sizeof words / sizeof *words ? words[i].gb_id : NULL;
}
