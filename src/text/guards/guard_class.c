#include "text/guards/guard_class.h"

static const struct {
    const char *name, *title;
} classes[GUARD_CLASS_COUNT] = {
    [GUARD_SIZE] = {"size", "size of a tensor"},
    [GUARD_STRIDE] = {"stride", "strides of a tensor"},
    [GUARD_NDIM] = {"ndim", "number of dimensions of a tensor"},
    [GUARD_DTYPE] = {"dtype", "dtype of a tensor"},
    [GUARD_DEVICE] = {"device", "device of a tensor"},
    [GUARD_LAYOUT] = {"layout", "layout, subclass or autograd state of a tensor"},
    [GUARD_REQUIRES_GRAD] = {"requires_grad", "whether a tensor requires gradients"},
    [GUARD_TENSOR_ALIASING] = {"tensor_aliasing", "inputs that are the same tensor or share memory"},
    [GUARD_INT] = {"int", "value of a Python int"},
    [GUARD_FLOAT] = {"float", "value of a Python float"},
    [GUARD_BOOL] = {"bool", "value of a Python bool"},
    [GUARD_STRING] = {"string", "value of a string"},
    [GUARD_CONSTANT] = {"constant", "value of a constant"},
    [GUARD_NONE] = {"none", "None against something"},
    [GUARD_TYPE] = {"type", "type of a value"},
    [GUARD_IDENTITY] = {"identity", "which object it is"},
    [GUARD_MODULE_ATTRIBUTE] = {"module_attribute", "attribute of a module"},
    [GUARD_DICT] = {"dict", "keys of a dict or members of a set"},
    [GUARD_LENGTH] = {"length", "length of a list, tuple or other sequence"},
    [GUARD_GLOBAL_STATE] = {"global_state", "global setting of PyTorch"},
    [GUARD_FUNCTION] = {"function", "which function it is"},
    [GUARD_SHAPE_EXPRESSION] = {"shape_expression", "condition on sizes and numbers"},
    [GUARD_DYNAMIC_MARKING] = {"dynamic_marking", "marks of mark_dynamic and its kin"},
    [GUARD_ATTRIBUTE] = {"attribute", "presence of an attribute"},
    [GUARD_CONTEXT] = {"context", "active modes, default device or hooks"},
    [GUARD_BACKEND] = {"backend", "backend"},
    [GUARD_INVALIDATED] = {"invalidated", "compiled code that was dropped"},
    [GUARD_OTHER] = {"other", "another check"},
};

const char *guard_class_name(enum guard_class c)
{
    return classes[c].name;
}

const char *guard_class_title(enum guard_class c)
{
    return classes[c].title;
}
