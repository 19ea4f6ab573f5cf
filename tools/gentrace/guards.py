"""TREE_GUARD_MANAGER text: what dynamo_cpp_guards_str holds."""

from .graph import contiguous, join

MARKS = ("_dynamo_dynamic_indices", "_dynamo_weak_dynamic_indices", "_dynamo_unbacked_indices",
         "_dynamo_strict_unbacked_indices", "_dynamo_static_indices")
GLOBAL_STATE = (
    '{"allow_bf16_reduce":0,"allow_fp16_reduce":0,"allow_tf32":true,"autocast_state":'
    '{"cached_enabled":true,"dtype":[15,15,5,5],"enabled":[false,false,false,false]},'
    '"default_dtype":6,"deterministic_algorithms":false,"grad_mode":true,"num_threads":16,'
    '"torch_function":true,"torch_function_all_disabled":false}')
MODULE_TYPES = {"Linear": "torch.nn.modules.linear.Linear",
                "RMSNorm": "torch.nn.modules.normalization.RMSNorm",
                "Embedding": "torch.nn.modules.sparse.Embedding"}


class Addresses:
    """Addresses of objects in the traced process: the same name always has the same one."""

    def __init__(self, noise):
        self._noise = noise
        self._known = {}

    def __call__(self, name):
        if name not in self._known:
            self._known[name] = 0x7f0000000000 + self._noise.randrange(1 << 36) * 16
        return self._known[name]


class _Tree:
    """Lines of a tree under construction."""

    def __init__(self, addresses):
        self.address = addresses
        self.lines = ["", "TREE_GUARD_MANAGER:", "+- RootGuardManager"]
        self.guards = 0

    def manager(self, depth, source, accessor, type_, kind="GuardManager"):
        self.lines.append("%s+- %s: source=%s, accessed_by=%s, type=<class '%s'>, "
                          "tag_safe=(False, False)" % ("| " * depth, kind, source, accessor, type_))

    def leaf(self, depth, kind, expression, origin, hint=""):
        self.guards += 1
        self.lines.append("%s+- %s: %-60s  # %s  # %s:%d in %s%s"
                          % ("| " * depth, kind, expression, origin.code,
                             origin.file.rsplit("/", 2)[-2] + "/" + origin.file.rsplit("/", 1)[1],
                             origin.line, origin.function, hint))

    def type_match(self, depth, source, type_, origin):
        self.leaf(depth, "TYPE_MATCH", "___check_type_id(%s, %d), type=<class '%s'>"
                  % (source, self.address(type_), type_), origin,
                  " (HINT: type %s)" % type_.rsplit(".", 1)[-1])

    def tensor(self, depth, tensor, accessor, device, origin):
        """A tensor's guard with the five guards on how its dimensions were marked."""
        type_ = "torch.nn.parameter.Parameter" if tensor.parameter else "torch.Tensor"
        key = "CPU" if device == "cpu" else "CUDA"
        self.manager(depth, tensor.source, accessor, type_)
        self.leaf(depth + 1, "TENSOR_MATCH",
                  "check_tensor(%s, %s, DispatchKeySet(%s, BackendSelect, ADInplaceOrView, "
                  "Autograd%s), torch.%s, device=%s, requires_grad=%s, size=[%s], stride=[%s])"
                  % (tensor.source, type_.rsplit(".", 1)[-1], key, key, tensor.dtype,
                     "None" if device == "cpu" else "0", tensor.requires_grad, join(tensor.shape),
                     join(contiguous(tensor.shape))), origin)
        for mark in MARKS:
            self.leaf(depth + 1, "DIMENSION_DYNAMIC_MARKING_GUARD",
                      "hasattr(%s, '%s') == False" % (tensor.source, mark), origin)


class _Module:
    """A module with its children, rebuilt from the paths of the parameters."""

    def __init__(self):
        self.children = {}
        self.parameters = []
        self.type = None


def _module_tree(stage, tensors):
    """The stage's modules in attribute order, with types."""
    roles = {name: role for role, name in stage.attribute.items()}
    types = {"blocks": "torch.nn.modules.container.ModuleList",
             "mix": "__main__.%sMixing" % stage.class_name,
             "feed": "__main__.%sFeed" % stage.class_name}
    root = _Module()
    root.type = "__main__." + stage.class_name
    by_source = {tensor.source: tensor for tensor in tensors}
    for parameter in stage.parameters:
        at = root
        for name in parameter.modules:
            if name not in at.children:
                at.children[name] = _Module()
            at = at.children[name]
            at.type = types.get(roles.get(name), "__main__.%sBlock" % stage.class_name)
        if parameter.module in MODULE_TYPES:
            at.type = MODULE_TYPES[parameter.module]
        at.parameters.append((parameter.leaf, by_source[parameter.source]))
    return root


def _module(tree, depth, source, module, frame, origin):
    """A module's own guards, then those of its children and parameters."""
    tree.type_match(depth, source, module.type, origin)
    tree.manager(depth, source + ".__dict__", "GetGenericDictGuardAccessor", "dict")
    tree.leaf(depth + 1, "DICT_CONTAINS", "not ___dict_contains('forward', %s.__dict__)" % source,
              origin)
    tree.manager(depth + 1, source + ".training", "DictGetItemGuardAccessor('training')", "bool")
    tree.leaf(depth + 2, "EQUALS_MATCH", "%s.training == True" % source, origin)
    if module.type.endswith("RMSNorm"):
        tree.manager(depth + 1, source + ".eps", "DictGetItemGuardAccessor('eps')", "float")
        tree.leaf(depth + 2, "EQUALS_MATCH", source + ".eps == 1e-06", origin)
    if module.children:
        tree.manager(depth + 1, source + "._modules", "DictGetItemGuardAccessor('_modules')",
                     "dict", "DictGuardManager")
    for index, (name, child) in enumerate(module.children.items()):
        inside = "%s._modules['%s']" % (source, name)
        at = frame.sources[frame.stage.role_source(name)]
        _key(tree, depth + 2, source, index, name, at)
        tree.lines.append("%s+- ValueManager: GuardManager: source=%s, type=<class '%s'>, "
                          "tag_safe=(False, False)" % ("| " * (depth + 3), inside, child.type))
        _module(tree, depth + 4, inside, child, frame, at)
    if module.parameters:
        tree.manager(depth + 1, source + "._parameters",
                     "DictGetItemGuardAccessor('_parameters')", "dict")
        tree.type_match(depth + 2, source + "._parameters", "dict", origin)
    for leaf, tensor in module.parameters:
        tree.tensor(depth + 2, tensor, "DictGetItemGuardAccessor('%s')" % leaf, frame.device,
                    origin)


def _key(tree, depth, source, index, name, origin):
    """The key of one entry of `_modules`, whose order is guarded too."""
    key = "list(dict.keys(%s._modules))[%d]" % (source, index)
    tree.lines.append("%s+- KeyValueManager pair at index=%d" % ("| " * depth, index))
    tree.lines.append("%s+- KeyManager: GuardManager: source=%s, type=<class 'str'>, "
                      "tag_safe=(False, False)" % ("| " * (depth + 1), key))
    tree.leaf(depth + 2, "EQUALS_MATCH", "%s == '%s'" % (key, name), origin)


def guard_tree(frame, variant, addresses, latency_us, tensors=None):
    """(text, number of leaf guards) of a frame compiled for one variant."""
    tree = _Tree(addresses)
    tensors = frame.inputs(variant) if tensors is None else tensors
    origin = frame.sources["loop"]
    tree.lines.append("| +- GLOBAL_STATE: ___check_global_state() against " + GLOBAL_STATE)
    tree.lines.append("| +- TORCH_FUNCTION_MODE_STACK: ___check_torch_function_mode_stack()")
    tree.leaf(1, "DEFAULT_DEVICE", "utils_device.CURRENT_DEVICE == None", origin)
    tree.guards += 2
    for i, argument in enumerate(frame.arguments):
        source = "L['%s']" % argument
        accessor = "FrameLocalsGuardAccessor(key='%s', framelocals_idx=%d)" % (argument, i)
        plain = [t for t in tensors if t.source == source]
        if plain:
            tree.tensor(1, plain[0], accessor, frame.device, origin)
        elif hasattr(frame, "stage") and argument == "self" and tensors:
            tree.manager(1, source, accessor, "__main__." + frame.stage.class_name)
            if frame.function == "forward":
                _module(tree, 2, source, _module_tree(frame.stage, tensors), frame, origin)
            else:
                for tensor in tensors:
                    tree.tensor(2, tensor, "ListGetItemGuardAccessor(%d)" % tree.guards,
                                frame.device, origin)
        else:
            tree.manager(1, source, accessor, "object")
            tree.type_match(2, source, "object", origin)
    tree.manager(1, "G", "GlobalsGuardAccessor", "dict")
    for name in ("torch", "F"):
        tree.manager(2, "G['%s']" % name, "DictGetItemGuardAccessor('%s')" % name, "module")
        tree.leaf(3, "ID_MATCH", "___check_obj_id(G['%s'], %d), type=<class 'module'>"
                  % (name, tree.address(name)), origin)
    tree.lines += ["", "Guard latency = %.2f us" % latency_us]
    return "\n".join(tree.lines), tree.guards
