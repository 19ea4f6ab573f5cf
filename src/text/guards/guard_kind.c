#include "text/guards/guard_kind.h"

#include "text/python/python_code.h"

struct kind_words {
    const char *kind, *words;
};

static const struct kind_words kinds[] = {
    /* leaf guards in C++ */
    {"COMPLEX_IS_NAN", "a complex number is NaN"},
    {"DATA_PTR_MATCH", "the tensor lies at the same address"},
    {"DEFAULT_DEVICE", "the default device is the same"},
    {"DICT_CONTAINS", "the dict has, or lacks, a key"},
    {"DICT_LENGTH", "the number of entries of a dict"},
    {"DICT_VERSION", "the dict was not changed"},
    {"DIMENSION_DYNAMIC_MARKING_GUARD",
     "the tensor is marked with mark_dynamic, mark_static or mark_unbacked as before"},
    {"DISPATCH_KEY_SET_MATCH", "a set of dispatch keys is the same"},
    {"DUAL_LEVEL_MATCH", "the level of forward-mode differentiation"},
    {"DYNAMIC_INDICES", "the tensor is marked with mark_dynamic as before"},
    {"EQUALS_MATCH", "the value equals the one compiled for"},
    {"FAKE_SCRIPT_TYPE_MATCH", "the type of an opaque object"},
    {"FALSE_MATCH", "the value is False"},
    {"FLOAT_IS_NAN", "the float is NaN"},
    {"GLOBAL_STATE", "grad mode, autocast, threads, default dtype and other global settings"},
    {"ID_MATCH", "it is the same object"},
    {"LAMBDA_GUARD", "a condition evaluated in Python"},
    {"LAMBDA_GUARD_NO_ARGS", "a condition evaluated in Python"},
    {"LAMBDA_GUARD_NO_FRAMELOCALS", "a condition evaluated in Python"},
    {"LENGTH_CHECK", "the length of a list, tuple or other sequence"},
    {"MAPPING_KEYS_MATCH", "the keys of a mapping, in their order"},
    {"NONE_MATCH", "the value is None"},
    {"NOT_NONE", "the value is not None"},
    {"NO_HASATTR", "the object lacks an attribute"},
    {"NO_TENSOR_ALIASING", "no two of these inputs are the same tensor"},
    {"OBJECT_ALIASING", "two inputs are the same object"},
    {"RANGE_ITERATOR_MATCH", "where a range iterator stands, ends and how it steps"},
    {"SET_CONTAINS", "the set has, or lacks, a member"},
    {"STORAGE_OVERLAPPING", "which inputs share memory"},
    {"SYMBOLIC_SHAPE_GUARD", "relations between sizes, in C++"},
    {"TENSOR_MATCH", "the tensor's type, dtype, device, gradient flag, shape and strides"},
    {"TORCH_FUNCTION_MODE_STACK", "the active torch function modes"},
    {"TRUE_MATCH", "the value is True"},
    {"TUPLE_ITERATOR_LEN", "how many items a tuple iterator has left"},
    {"TYPE_MATCH", "the type of the value"},
    {"WEAKREF_ALIVE", "the object behind a weak reference still exists"},

    /* methods of GuardBuilder */
    {"AUTOGRAD_SAVED_TENSORS_HOOKS", "the active saved-tensors hooks"},
    {"BACKEND_MATCH", "the backend is the same"},
    {"BOOL_FALSE", "the value is false"},
    {"BOOL_MATCH", "the value of a bool"},
    {"BUILTIN_MATCH", "it is the same builtin function"},
    {"CLASS_MATCH", "it is the same class"},
    {"CLOSURE_MATCH", "it is the same function, by its code"},
    {"CONSTANT_MATCH", "the value of a constant"},
    {"CONSTANT_SUBCLASS_MATCH", "the value of a constant of a subclass of int, float, str …"},
    {"COUNT_ITERATOR_MATCH", "where an itertools.count stands and how it steps"},
    {"DATA_PTR", "the tensor lies at the same address"},
    {"DETERMINISTIC_ALGORITHMS", "whether deterministic algorithms are required"},
    {"DICT_CONST_KEYS", "the constant keys of a dict"},
    {"DICT_KEYS", "the keys of a dict"},
    {"DICT_KEYS_MATCH", "the keys of a dict"},
    {"DICT_NOT_CONTAINS", "the dict lacks a key"},
    {"DTENSOR_SPEC_MATCH", "the mesh and placement of a DTensor"},
    {"DUAL_LEVEL", "the level of forward-mode differentiation"},
    {"DUPLICATE_INPUT", "two inputs are the same object"},
    {"EMPTY_NN_MODULE_HOOKS_DICT", "the module has no hooks"},
    {"FSDP_TRAINING_STATE", "the training state of FSDP"},
    {"FUNCTION_MATCH", "it is the same function"},
    {"FUNCTORCH_CURRENT_LEVEL_MATCH", "the active function transforms (vmap, grad …)"},
    {"FUNCTORCH_STACK_MATCH", "the active function transforms (vmap, grad …)"},
    {"GRAD_MODE", "whether gradients are recorded"},
    {"HASATTR", "the object has, or lacks, an attribute"},
    {"LIST_LENGTH", "the length of a list"},
    {"MAPPING_KEYS_CHECK", "the keys of a mapping, in their order"},
    {"MODULE_MATCH", "it is the same Python module"},
    {"NAME_MATCH", "the name of a function or class"},
    {"NN_MODULE", "it is the same nn.Module, in the same training mode"},
    {"NN_MODULE_PARAM_NAMES", "the names of a module's parameters"},
    {"NOT_NONE_MATCH", "the value is not None"},
    {"NOT_PRESENT_IN_GENERIC_DICT", "the object itself lacks an attribute"},
    {"ODICT_KEYS", "the keys of an ordered dict"},
    {"OPAQUE_OBJ_GUARD_FN_MATCH", "what an opaque object says of itself"},
    {"PARAM_NO_LENGTH", "a parameter without a length"},
    {"SEQUENCE_LENGTH", "the length of a sequence or dict"},
    {"SET_NOT_CONTAINS", "the set lacks a member"},
    {"SHAPE_ENV", "relations between sizes"},
    {"TENSOR_SUBCLASS_METADATA_MATCH", "the metadata of a tensor subclass"},
    {"TORCH_FUNCTION_STATE", "whether and how torch functions are overridden"},
    {"TUPLE_ITERATOR_LENGTH", "how many items a tuple iterator has left"},
};

const char *guard_kind_words(struct str kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_eq(kind, str_of(kinds[i].kind)))
            return kinds[i].words;
    return NULL;
}

/* How a check begins, and what it contains outside string literals (or inside, for a name that begins with '_'). */
struct check_form {
    const char *begin, *inside, *kind;
};

/* In this order: the function that a check calls says more than the comparison operator, which says more than "is". */
static const struct check_form forms[] = {
    {"hasattr(", "_dynamo_dynamic_indices", "DYNAMIC_INDICES"},
    {"hasattr(", "", "HASATTR"},
    {"not hasattr(", "", "NO_HASATTR"},
    {"", "_dynamo_dynamic_indices", "DYNAMIC_INDICES"},
    {"check_tensor(", "", "TENSOR_MATCH"},
    {"___check_tensors(", "", "TENSOR_MATCH"},
    {"___check_type_id(", "", "TYPE_MATCH"},
    {"___check_obj_id(", "", "ID_MATCH"},
    {"___check_global_state(", "", "GLOBAL_STATE"},
    {"___check_current_backend(", "", "BACKEND_MATCH"},
    {"___check_torch_function_mode_stack(", "", "TORCH_FUNCTION_MODE_STACK"},
    {"___is_grad_enabled(", "", "GRAD_MODE"},
    {"not ___is_grad_enabled(", "", "GRAD_MODE"},
    {"___are_deterministic_algorithms_enabled(", "", "DETERMINISTIC_ALGORITHMS"},
    {"not ___are_deterministic_algorithms_enabled(", "", "DETERMINISTIC_ALGORITHMS"},
    {"___is_torch_function_enabled(", "", "TORCH_FUNCTION_STATE"},
    {"not ___is_torch_function_enabled(", "", "TORCH_FUNCTION_STATE"},
    {"utils_device.CURRENT_DEVICE", "", "DEFAULT_DEVICE"},
    {"___skip_backend_check", "", "BACKEND_MATCH"},
    {"torch.autograd.forward_ad._current_level", "", "DUAL_LEVEL_MATCH"},
    {"torch._functorch.pyfunctorch.", "", "FUNCTORCH_STACK_MATCH"},
    {"torch._functorch.aot_autograd.utils.top_saved_tensors_hooks", "", "AUTOGRAD_SAVED_TENSORS_HOOKS"},
    {"___dict_contains(", "", "DICT_CONTAINS"},
    {"not ___dict_contains(", "", "DICT_CONTAINS"},
    {"set.__contains__(", "", "SET_CONTAINS"},
    {"not set.__contains__(", "", "SET_CONTAINS"},
    {"___dict_version(", "", "DICT_VERSION"},
    {"list(dict.keys(", "", "DICT_KEYS"},
    {"___key_to_id(", "", "DICT_KEYS"},
    {"set(", ".keys())", "DICT_KEYS"},
    {"list(", ".keys())", "DICT_KEYS"},
    {"___tuple_iterator_len(", "", "TUPLE_ITERATOR_LEN"},
    {"check_overlapping(", "", "STORAGE_OVERLAPPING"},
    {"check_no_aliasing(", "", "NO_TENSOR_ALIASING"},
    {"len(", "", "LENGTH_CHECK"},
    {"", "__math_isnan(", "FLOAT_IS_NAN"},
    {"", ".size()[", "SHAPE_ENV"},
    {"", ".stride()[", "SHAPE_ENV"},
    {"", ".storage_offset()", "SHAPE_ENV"},
    {"", " is not None", "NOT_NONE"},
    {"", " is None", "NONE_MATCH"},
    {"", " is ", "OBJECT_ALIASING"},
    {"", " <= ", "SHAPE_ENV"},
    {"", " < ", "SHAPE_ENV"},
    {"", " != ", "SHAPE_ENV"},
    {"", " == ", "EQUALS_MATCH"},
};

/* An operator inside a string literal is user data; names that begin with '_' are also searched in literals. */
static bool holds(struct str check, const char *inside)
{
    if (inside[0] == '\0' || inside[0] == '_')
        return str_has(check, str_of(inside));
    return python_find(check, str_of(inside), PYTHON_NOT_IN_STRING) >= 0;
}

struct str guard_kind_of_check(struct str check)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (str_starts(check, str_of(forms[i].begin)) && holds(check, forms[i].inside))
            return str_of(forms[i].kind);
    return str_starts(check, STR("not ")) ? STR("LENGTH_CHECK") : STR("GUARD");
}
