"""FX graphs: nodes with types and source lines, and the ways PyTorch prints them."""

from collections import namedtuple
from functools import cached_property

# A line of the user's program; all nodes that come from it share one object.
Source = namedtuple("Source", "file line function code")

# `type` is "" for nodes with several outputs, which PyTorch prints without annotation.
Node = namedtuple("Node", "name type call uses source shape")


class Dim:
    """Sizes: integers, or products of an integer and one symbol, printed as sympy prints them."""

    __slots__ = ("factor", "symbol")

    def __init__(self, factor, symbol=None):
        self.factor, self.symbol = factor, symbol

    def __mul__(self, other):
        if isinstance(other, int):
            return Dim(self.factor * other, self.symbol)
        assert not (self.symbol and other.symbol)
        return Dim(self.factor * other.factor, self.symbol or other.symbol)

    def __str__(self):
        if self.symbol is None:
            return str(self.factor)
        return self.symbol if self.factor == 1 else "%d*%s" % (self.factor, self.symbol)


def contiguous(shape):
    """The strides of a contiguous tensor."""
    strides, step = [], Dim(1)
    for dim in reversed(shape):
        strides.append(step)
        step = step * dim
    return strides[::-1]


def join(dims):
    return ", ".join(map(str, dims))


def tuple_text(dims):
    """A Python tuple: one element needs its comma."""
    return "(%s, )" % dims[0] if len(dims) == 1 else "(%s)" % join(dims)


def numel(shape):
    """How many elements; a symbol counts once."""
    product = 1
    for dim in shape:
        product *= dim.factor
    return product


def device_text(device):
    """`device(type='cuda', index=0)`, as reprs of torch.device have it."""
    kind, _, index = device.partition(":")
    return "device(type='%s'%s)" % (kind, ", index=%s" % index if index else "")


def returned(graph):
    """What a graph returns, as a tuple."""
    return "(%s)" % "".join(name + ", " for name, _ in graph.outputs).rstrip(" ")


class Namer:
    """FX names: the first `add` is `add`, the next `add_1`; shared by the parts of a graph."""

    def __init__(self):
        self._used = {}

    def __call__(self, base):
        count = self._used.get(base, 0)
        self._used[base] = count + 1
        return base if count == 0 else "%s_%d" % (base, count)


class Graph:
    """Nodes in order, the inputs they read and the outputs they leave."""

    def __init__(self, device, namer=None):
        self.device = device
        self.name = namer or Namer()
        self.nodes = []
        self.inputs = []        # (name, type, note, shape)
        self.outputs = []       # (name, note)
        self.source = None      # the line that add() gives to new nodes
        self._types = {}

    def type(self, shape, strides=None, dtype="f32"):
        """`f32[2, 3][3, 1]cpu`, cached because few shapes make up most of a graph."""
        key = (dtype, join(shape), None if strides is None else join(strides))
        text = self._types.get(key)
        if text is None:
            text = self._types[key] = "%s[%s][%s]%s" % (
                dtype, key[1], key[2] if strides is not None else join(contiguous(shape)),
                self.device)
        return text

    def add(self, base, target, arguments, uses, shape=None, strides=None, dtype="f32"):
        """Appends a node `target(arguments)`; without a shape it has several outputs."""
        name = self.name(base)
        type_ = "" if shape is None else self.type(shape, strides, dtype)
        call = "%s(%s)" % (target, arguments) if target else arguments
        self.nodes.append(Node(name, type_, call, uses, self.source, shape))
        return name

    def aten(self, base, overload, arguments, uses, shape=None, strides=None, dtype="f32"):
        return self.add(base, "torch.ops.aten." + overload, arguments, uses, shape, strides, dtype)

    @cached_property
    def statements(self):
        """(node, right-hand side) with the `;  x = None` that frees what is used no more.

        To be read only when the graph is complete: it is worked out once for all printers."""
        alive = {name for name, _ in self.outputs}
        result = []
        for node in reversed(self.nodes):
            dead = []
            for used in node.uses:
                if used not in alive:
                    alive.add(used)
                    dead.append(used)
            result.append((node, "%s;  %s = None" % (node.call, " = ".join(dead))
                           if dead else node.call))
        result.reverse()
        return result


def annotated_body(statements):
    """Statements with types, and a comment wherever the user's line changes."""
    lines, source = [], None
    for node, right in statements:
        if node.source is not source:
            source = node.source
            if lines:
                lines.append("")
            lines.append("        # File: %s:%d in %s, code: %s" % source)
        lines.append('        %s: "%s" = %s' % (node.name, node.type, right) if node.type
                     else "        %s = %s" % (node.name, right))
    return lines


def plain_body(statements, indent):
    """Statements as GraphModule.code has them: no types, no comments."""
    return ["%s%s = %s" % (indent, node.name, right) for node, right in statements]


def print_dynamo(graph):
    """dynamo_output_graph and the pre-grad graphs: upper-case parameters, one line."""
    lines = ["class GraphModule(torch.nn.Module):",
             "    def forward(self, %s):" % ", ".join(
                 '%s: "%s"' % ("L" + name[1:] if name[0] == "l" else name, type_)
                 for name, type_, _, _ in graph.inputs)]
    lines += ["        %s = L%s" % (name, name[1:])
              for name, _, _, _ in graph.inputs if name[0] == "l"]
    lines.append("")
    lines += annotated_body(graph.statements)
    lines += ["        return " + returned(graph), ""]
    return "\n".join(lines)


def print_aot(graph, class_name="GraphModule"):
    """aot_forward_graph and its kin: one parameter and one output per line, with their origin."""
    lines = ["class %s(torch.nn.Module):" % class_name, "    def forward(", "        self,"]
    lines += ['        %s: "%s",  # %s' % (name, type_, note)
              for name, type_, note, _ in graph.inputs]
    lines.append("    ):")
    lines += annotated_body(graph.statements)
    lines.append("        return (")
    lines += ["            %s,  # %s" % output for output in graph.outputs]
    lines += ["        )", ""]
    return "\n".join(lines)


def print_joint(graph):
    """aot_joint_graph: inputs and tangents come as two pytrees."""
    names = [name for name, _, _, _ in graph.inputs]
    lines = ["class inner_f(torch.nn.Module):", "    def forward(", "        self,",
             "        primals,", "        tangents,", "    ):"]
    lines += ['        %s: "%s"  # %s' % (name, type_, note)
              for name, type_, note, _ in graph.inputs]
    lines.append("        %s, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)"
                 % ", ".join(names))
    lines += annotated_body(graph.statements)
    lines.append("        return pytree.tree_unflatten([")
    lines += ["            %s,  # %s" % output for output in graph.outputs]
    lines += ["        ], self._out_spec)", ""]
    return "\n".join(lines)


def print_post_grad(graph, class_name="GraphModule"):
    """before_post_grad_graph and the joint-pass graphs: one-line signature, views as reshapes."""
    lines = ["class %s(torch.nn.Module):" % class_name,
             "    def forward(self, %s):" % ", ".join(
                 '%s: "%s"' % (name, type_) for name, type_, _, _ in graph.inputs)]
    lines += annotated_body(graph.statements)
    lines += ["        return " + returned(graph), ""]
    return "\n".join(lines).replace("aten.view.default", "aten.reshape.default")


def print_cache_key(graph):
    """The graph as it enters a cache key: `def forward` of GraphModule.code."""
    lines = ["def forward(self, %s):" % ", ".join(name for name, _, _, _ in graph.inputs)]
    lines += plain_body(graph.statements, "    ")
    lines.append("    return " + returned(graph))
    return "\n".join(lines)
