"""What is compiled: stages of an invented model, their parameters, and their graphs."""

from collections import namedtuple

from . import words
from .graph import Dim, Graph, Namer, Node, Source, device_text

# `modules` are the attribute names below self; `source` and `path` are the same parameter as a guard
# expression and as a name in a graph; `module` is the type of the module that owns it.
Parameter = namedtuple("Parameter", "modules leaf source path shape module")

# The shapes a stage is compiled for; `symbol` is set once Dynamo made the sequence dynamic.
Variant = namedtuple("Variant", "batch sequence symbol")

ATTRIBUTES = {
    "blocks": ("blocks", "cells", "layers", "levels"),
    "norm_in": ("norm_in", "pre_norm", "settle"),
    "mix": ("mix", "attention", "exchange"),
    "feed": ("feed", "mlp", "refine"),
    "project": ("project", "to_qkv", "fan_out"),
    "collect": ("collect", "to_out", "fan_in"),
    "norm_mid": ("norm_mid", "mid_norm", "resettle"),
    "gate": ("gate", "valve", "sluice"),
    "widen": ("widen", "spread", "lift"),
    "narrow": ("narrow", "gather_up", "lower"),
    "embed": ("embed", "lookup", "intake"),
    "norm_out": ("norm_out", "last_norm", "finish"),
    "readout": ("readout", "to_logits", "outlet"),
}


class Stage:
    """One module that the job compiles: a stack of gated attention blocks."""

    def __init__(self, rng, layers, device):
        self.class_name = rng.choice(words.FIRST) + rng.choice(words.SECOND)
        self.layers = layers
        self.device = device
        self.heads = rng.choice((4, 8, 12, 16))
        self.width = self.heads * rng.choice((16, 32, 48, 64))
        self.hidden = self.width * rng.choice((2, 3, 4))
        self.vocabulary = rng.randrange(200, 900) * 16
        self.longest = rng.choice((512, 1024, 2048))
        self.attribute = {role: rng.choice(names) for role, names in ATTRIBUTES.items()}
        self.file = "%s/models/%s_%03d.py" % (words.PROJECT, self.class_name.lower(),
                                              rng.randrange(1000))
        self.first_line = rng.randrange(60, 400)
        self.sources = self._sources()
        self.parameters = self._parameters()

    def role_source(self, name):
        """The key in `sources` of the line that uses the module of this attribute name."""
        for role, attribute in self.attribute.items():
            if attribute == name:
                return {"norm_in": "mix", "norm_mid": "feed", "blocks": "loop", "widen": "gate",
                        "norm_out": "readout"}.get(role, role)
        return "block"

    def _sources(self):
        """The user's lines that graphs, guards and stacks refer to."""
        a = self.attribute
        block, top = self.first_line - 40, self.first_line

        def at(line, function, code):
            return Source(self.file, line, function, code)

        return {
            "embed": at(top + 2, "forward", "state = self.%s(tokens) + self.place[: tokens.size(1)]"
                        % a["embed"]),
            "loop": at(top + 3, "forward", "for block in self.%s:" % a["blocks"]),
            "block": at(top + 4, "forward", "state = block(state)"),
            "mix": at(block + 9, "forward", "state = state + self.%s(self.%s(state))"
                      % (a["mix"], a["norm_in"])),
            "project": at(block + 14, "forward", "query, key, value = self.%s(signal).unflatten"
                          "(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)" % a["project"]),
            "attend": at(block + 15, "forward", "seen = F.scaled_dot_product_attention"
                         "(query, key, value, is_causal=True)"),
            "collect": at(block + 16, "forward", "return self.%s(seen.transpose(1, 2).flatten(2))"
                          % a["collect"]),
            "feed": at(block + 10, "forward", "return state + self.%s(self.%s(state))"
                       % (a["feed"], a["norm_mid"])),
            "gate": at(block + 20, "forward", "open = F.silu(self.%s(signal)) * self.%s(signal)"
                       % (a["gate"], a["widen"])),
            "narrow": at(block + 21, "forward", "return self.%s(F.dropout(open, self.p, self.training))"
                         % a["narrow"]),
            "readout": at(top + 5, "forward", "return self.%s(self.%s(state))"
                          % (a["readout"], a["norm_out"])),
        }

    def _parameters(self):
        a, wide, hidden = self.attribute, Dim(self.width), Dim(self.hidden)

        def parameter(modules, leaf, shape, module):
            """`modules` is the path below self, e.g. ("cells", "3", "gate")."""
            return Parameter(
                modules, leaf, "L['self']" + "".join("._modules['%s']" % part for part in modules)
                + "._parameters['%s']" % leaf,
                "self_" + "".join("modules_%s_" % part for part in modules)
                + "parameters_%s_" % leaf, shape, module)

        result = [parameter((a["embed"],), "weight", [Dim(self.vocabulary), wide], "Embedding"),
                  parameter((), "place", [Dim(self.longest), wide], self.class_name)]
        linears = (("project", wide * 3, wide), ("collect", wide, wide), ("gate", hidden, wide),
                   ("widen", hidden, wide), ("narrow", wide, hidden))
        for layer in range(self.layers):
            block = (a["blocks"], str(layer))
            for norm, inner, roles in (("norm_in", "mix", linears[:2]),
                                       ("norm_mid", "feed", linears[2:])):
                result.append(parameter(block + (a[norm],), "weight", [wide], "RMSNorm"))
                for role, out, into in roles:
                    path = block + (a[inner], a[role])
                    result.append(parameter(path, "weight", [out, into], "Linear"))
                    result.append(parameter(path, "bias", [out], "Linear"))
        result.append(parameter((a["norm_out"],), "weight", [wide], "RMSNorm"))
        result.append(parameter((a["readout"],), "weight", [Dim(self.vocabulary), wide], "Linear"))
        result.append(parameter((a["readout"],), "bias", [Dim(self.vocabulary)], "Linear"))
        return result


def _input_list(stage, variant):
    """(dynamo name, type spec, guard source) of the graph's inputs, in the order of first use."""
    length = Dim(1, variant.symbol) if variant.symbol else Dim(variant.sequence)
    inputs = [("l_" + p.path, "f32", p.shape) for p in stage.parameters]
    tokens = [("l_tokens_", "i64", [Dim(variant.batch), length])]
    if variant.symbol:
        tokens.insert(0, (variant.symbol, "Sym", None))
    return inputs[:1] + tokens + inputs[1:]


def dynamo_graph(stage, variant):
    """The graph as Dynamo captures it: torch.nn.functional calls on named parameters."""
    g = Graph(stage.device)
    batch = Dim(variant.batch)
    length = Dim(1, variant.symbol) if variant.symbol else Dim(variant.sequence)
    heads, wide = stage.heads, Dim(stage.width)
    each = stage.width // heads
    shape3 = [batch, length, wide]
    for name, dtype, shape in _input_list(stage, variant):
        type_ = "Sym(%s)" % name if dtype == "Sym" else g.type(shape, None, dtype)
        g.inputs.append((name, type_, "", shape))
    names = iter([name for name, dtype, _ in _input_list(stage, variant) if dtype == "f32"])

    def linear(base, value, out):
        weight, bias = next(names), next(names)
        return g.add(base, "torch._C._nn.linear", "%s, %s, %s" % (value, weight, bias),
                     (value, weight, bias), [batch, length, out])

    def norm(value):
        weight = next(names)
        return g.add("rms_norm", "torch.rms_norm", "%s, (%s,), %s, 1e-06" % (value, wide, weight),
                     (value, weight), shape3)

    at = stage.sources
    g.source = at["embed"]
    weight, place = next(names), next(names)
    looked = g.add("embedding", "torch.nn.functional.embedding",
                   "l_tokens_, %s, None, None, 2.0, False, False" % weight, ("l_tokens_", weight),
                   shape3)
    row = g.add("getitem", "", "%s[slice(None, %s, None)]" % (place, length), (place,),
                [length, wide])
    state = g.add("state", "", "%s + %s" % (looked, row), (looked, row), shape3)
    for _ in range(stage.layers):
        g.source = at["mix"]
        signal = norm(state)
        g.source = at["project"]
        joined = linear("linear", signal, wide * 3)
        split = g.add("unflatten", "", "%s.unflatten(-1, (3, %d, -1))" % (joined, heads), (joined,),
                      [batch, length, Dim(3), Dim(heads), Dim(each)])
        turned = g.add("permute", "", "%s.permute(2, 0, 3, 1, 4)" % split, (split,),
                       [Dim(3), batch, Dim(heads), length, Dim(each)],
                       [wide, wide * 3 * length, Dim(each), wide * 3, Dim(1)])
        parts = [g.add(base, "", "%s[%d]" % (turned, i), (turned,),
                       [batch, Dim(heads), length, Dim(each)],
                       [wide * 3 * length, Dim(each), wide * 3, Dim(1)])
                 for i, base in enumerate(("query", "key", "value"))]
        g.source = at["attend"]
        seen = g.add("seen", "torch._C._nn.scaled_dot_product_attention",
                     "%s, %s, %s, is_causal = True" % tuple(parts), tuple(parts),
                     [batch, Dim(heads), length, Dim(each)])
        g.source = at["collect"]
        back = g.add("transpose", "", "%s.transpose(1, 2)" % seen, (seen,),
                     [batch, length, Dim(heads), Dim(each)])
        flat = g.add("flatten", "", "%s.flatten(2)" % back, (back,), shape3)
        mixed = linear("linear", flat, wide)
        g.source = at["mix"]
        state = g.add("state", "", "%s + %s" % (state, mixed), (state, mixed), shape3)
        g.source = at["feed"]
        signal = norm(state)
        g.source = at["gate"]
        gate = linear("linear", signal, Dim(stage.hidden))
        silu = g.add("silu", "torch.nn.functional.silu", gate, (gate,),
                     [batch, length, Dim(stage.hidden)])
        lifted = linear("linear", signal, Dim(stage.hidden))
        opened = g.add("open", "", "%s * %s" % (silu, lifted), (silu, lifted),
                       [batch, length, Dim(stage.hidden)])
        g.source = at["narrow"]
        dropped = g.add("dropout", "torch.nn.functional.dropout", "%s, 0.1, True, False" % opened,
                        (opened,), [batch, length, Dim(stage.hidden)])
        fed = linear("linear", dropped, wide)
        g.source = at["feed"]
        state = g.add("state", "", "%s + %s" % (state, fed), (state, fed), shape3)
    g.source = at["readout"]
    logits = linear("linear", norm(state), Dim(stage.vocabulary))
    g.outputs.append((logits, ""))
    return g


class _Training:
    """Builds the joint graph of a stage: forward nodes, then backward nodes in reverse order."""

    def __init__(self, stage, variant):
        self.stage = stage
        self.g = Graph(stage.device, Namer())
        self.batch = Dim(variant.batch)
        self.length = Dim(1, variant.symbol) if variant.symbol else Dim(variant.sequence)
        self.rows = self.batch * self.length
        self.wide = Dim(stage.width)
        self.symbol = variant.symbol
        self.grads = {}         # primal -> node that holds its gradient
        self._inputs(variant)
        self.length_text, self.rows_text = str(self.length), str(self.rows)
        self.dropouts = 0

    def _inputs(self, variant):
        g, self.primals = self.g, []
        for i, (_, dtype, shape) in enumerate(_input_list(self.stage, variant)):
            name = "primals_%d" % (i + 1)
            type_ = "Sym(%s)" % variant.symbol if dtype == "Sym" else g.type(shape, None, dtype)
            g.inputs.append((name, type_, "PlainAOTInput(idx=%d)" % i, shape))
            if dtype == "f32":
                self.primals.append(name)
            elif dtype == "i64":
                self.tokens = name
            else:
                self.symbol_input = name
        self.next_primal = iter(self.primals)

    # --- shapes and small helpers ---

    def cube(self, last):
        return [self.batch, self.length, last]

    def cube_text(self, last):
        return "[%s, %s, %s]" % (self.batch, self.length_text, last)

    def pointwise(self, op, a, b, last, overload="Tensor"):
        """A binary operation on [batch, length, last]; `b` may be a number."""
        uses = (a, b) if isinstance(b, str) else (a,)
        return self.g.aten(op, "%s.%s" % (op, overload), "%s, %s" % (a, b), uses, self.cube(last))

    def view3(self, value, last):
        return self.g.aten("view", "view.default", "%s, %s" % (value, self.cube_text(last)),
                           (value,), self.cube(last))

    def view2(self, value, last):
        return self.g.aten("view", "view.default", "%s, [%s, %s]" % (value, self.rows_text, last),
                           (value,), [self.rows, last])

    def turn(self, value, rows, columns):
        """permute([1, 0]) of a [columns, rows] matrix: a transposed view."""
        return self.g.aten("permute", "permute.default", "%s, [1, 0]" % value, (value,),
                           [rows, columns], [Dim(1), rows])

    # --- forward ---

    def linear(self, flat, into, out):
        weight, bias = next(self.next_primal), next(self.next_primal)
        turned = self.turn(weight, into, out)
        product = self.g.aten("addmm", "addmm.default", "%s, %s, %s" % (bias, flat, turned),
                              (bias, flat, turned), [self.rows, out])
        return self.view3(product, out), (weight, bias, turned, flat, into, out)

    def norm(self, value):
        g, weight, wide = self.g, next(self.next_primal), self.wide
        squared = g.aten("pow", "pow.Tensor_Scalar", "%s, 2" % value, (value,), self.cube(wide))
        mean = g.aten("mean", "mean.dim", "%s, [2], True" % squared, (squared,), self.cube(Dim(1)))
        shifted = g.aten("add", "add.Scalar", "%s, 1e-06" % mean, (mean,), self.cube(Dim(1)))
        inverse = g.aten("rsqrt", "rsqrt.default", shifted, (shifted,), self.cube(Dim(1)))
        scaled = self.pointwise("mul", value, inverse, wide)
        return self.pointwise("mul", scaled, weight, wide), (weight, value, inverse)

    def attention(self, qkv):
        """Splits heads, attends, joins heads; returns what backward needs as well."""
        g, heads = self.g, Dim(self.stage.heads)
        each = Dim(self.stage.width // self.stage.heads)
        step = self.wide * 3
        split = g.aten("view", "view.default", "%s, [%s, %s, 3, %s, %s]"
                       % (qkv, self.batch, self.length_text, heads, each), (qkv,),
                       [self.batch, self.length, Dim(3), heads, each])
        turned = g.aten("permute", "permute.default", "%s, [2, 0, 3, 1, 4]" % split, (split,),
                        [Dim(3), self.batch, heads, self.length, each],
                        [self.wide, step * self.length, each, step, Dim(1)])
        part = [self.batch, heads, self.length, each]
        parts = tuple(g.aten("select", "select.int", "%s, 0, %d" % (turned, i), (turned,), part,
                             [step * self.length, each, step, Dim(1)]) for i in range(3))
        g.source = self.stage.sources["attend"]
        if self.stage.device == "cpu":
            op, tail, extra = "_scaled_dot_product_flash_attention_for_cpu", "0.0, True", 1
        else:
            op, tail, extra = "_scaled_dot_product_efficient_attention", "None, True, 0.0, True", 3
        kernel = g.aten(op, op + ".default", "%s, %s, %s, %s" % (parts + (tail,)), parts)
        seen = g.add("getitem", "", kernel + "[0]", (kernel,), part)
        rest = [g.add("getitem", "", "%s[%d]" % (kernel, 1 + i), (kernel,), part[:3] if i == 0 else [],
                      None, "f32" if i == 0 else "i64") for i in range(extra)]
        g.source = self.stage.sources["collect"]
        back = g.aten("permute", "permute.default", "%s, [0, 2, 1, 3]" % seen, (seen,),
                      [self.batch, self.length, heads, each])
        return self.view3(back, self.wide), (op, parts, seen, rest, part)

    def dropout(self, value, last):
        g = self.g
        seed = g.add("inductor_lookup_seed_default", "torch.ops.prims.inductor_lookup_seed.default",
                     "inductor_seeds_default, %d" % self.dropouts, ("inductor_seeds_default",), [],
                     None, "i64")
        self.dropouts += 1
        drawn = g.add("inductor_random_default", "torch.ops.prims.inductor_random.default",
                      "%s, %s, 'rand'" % (self.cube_text(last), seed), (seed,), self.cube(last))
        kept = g.aten("gt", "gt.Scalar", "%s, 0.1" % drawn, (drawn,), self.cube(last), None, "b8")
        masked = self.pointwise("mul", kept, value, last)
        return self.pointwise("mul", masked, 1.1111111111111112, last), kept

    def block(self, state):
        """One block forward; returns the new state and a closure that appends its backward."""
        at, hidden = self.stage.sources, Dim(self.stage.hidden)
        g = self.g
        g.source = at["mix"]
        signal, norm_in = self.norm(state)
        g.source = at["project"]
        qkv, project = self.linear(self.view2(signal, self.wide), self.wide, self.wide * 3)
        seen, attended = self.attention(qkv)
        mixed, collect = self.linear(self.view2(seen, self.wide), self.wide, self.wide)
        g.source = at["mix"]
        middle = self.pointwise("add", state, mixed, self.wide)
        g.source = at["feed"]
        signal, norm_mid = self.norm(middle)
        g.source = at["gate"]
        flat = self.view2(signal, self.wide)
        gate, gate_linear = self.linear(flat, self.wide, hidden)
        sigmoid = g.aten("sigmoid", "sigmoid.default", gate, (gate,), self.cube(hidden))
        silu = self.pointwise("mul", gate, sigmoid, hidden)
        lifted, widen = self.linear(flat, self.wide, hidden)
        opened = self.pointwise("mul", silu, lifted, hidden)
        g.source = at["narrow"]
        dropped, kept = self.dropout(opened, hidden)
        fed, narrow = self.linear(self.view2(dropped, hidden), hidden, self.wide)
        g.source = at["feed"]
        out = self.pointwise("add", middle, fed, self.wide)

        def backward(grad):
            g.source = at["narrow"]
            wide_grad = self.linear_backward(grad, narrow)
            scaled = self.pointwise("mul", kept, 1.1111111111111112, hidden)
            wide_grad = self.pointwise("mul", wide_grad, scaled, hidden)
            g.source = at["gate"]
            lift_grad = self.pointwise("mul", wide_grad, silu, hidden)
            silu_grad = self.pointwise("mul", wide_grad, lifted, hidden)
            signal_grad = self.linear_backward(lift_grad, widen)
            rest = g.aten("sub", "sub.Tensor", "1, %s" % sigmoid, (sigmoid,), self.cube(hidden))
            slope = self.pointwise("mul", gate, rest, hidden)
            slope = self.pointwise("add", slope, 1, hidden, "Scalar")
            slope = self.pointwise("mul", sigmoid, slope, hidden)
            gate_grad = self.pointwise("mul", silu_grad, slope, hidden)
            both = self.pointwise("add", signal_grad, self.linear_backward(gate_grad, gate_linear),
                                  self.wide)
            g.source = at["feed"]
            middle_grad = self.pointwise("add", grad, self.norm_backward(both, norm_mid), self.wide)
            g.source = at["collect"]
            seen_grad = self.linear_backward(middle_grad, collect)
            qkv_grad = self.attention_backward(seen_grad, attended)
            g.source = at["project"]
            signal_grad = self.linear_backward(qkv_grad, project)
            g.source = at["mix"]
            return self.pointwise("add", middle_grad, self.norm_backward(signal_grad, norm_in),
                                  self.wide)

        return out, backward

    # --- backward ---

    def linear_backward(self, grad, saved):
        weight, bias, turned, flat, into, out = saved
        g = self.g
        rows = self.view2(grad, out)
        back = g.aten("permute", "permute.default", "%s, [1, 0]" % turned, (turned,), [out, into])
        product = g.aten("mm", "mm.default", "%s, %s" % (rows, back), (rows, back),
                         [self.rows, into])
        columns = self.turn(rows, out, self.rows)
        self.grads[weight] = g.aten("mm", "mm.default", "%s, %s" % (columns, flat),
                                    (columns, flat), [out, into])
        total = g.aten("sum", "sum.dim_IntList", "%s, [0], True" % rows, (rows,), [Dim(1), out])
        self.grads[bias] = g.aten("view", "view.default", "%s, [%s]" % (total, out), (total,),
                                  [out])
        return self.view3(product, into)

    def norm_backward(self, grad, saved):
        weight, value, inverse = saved
        g, wide = self.g, self.wide
        weighted = self.pointwise("mul", grad, weight, wide)
        normal = self.pointwise("mul", value, inverse, wide)
        product = self.pointwise("mul", grad, normal, wide)
        self.grads[weight] = g.aten("sum", "sum.dim_IntList", "%s, [0, 1]" % product, (product,),
                                    [wide])
        along = self.pointwise("mul", weighted, value, wide)
        total = g.aten("sum", "sum.dim_IntList", "%s, [2], True" % along, (along,),
                       self.cube(Dim(1)))
        cubed = g.aten("pow", "pow.Tensor_Scalar", "%s, 3" % inverse, (inverse,), self.cube(Dim(1)))
        share = self.pointwise("mul", total, cubed, Dim(1))
        share = self.pointwise("div", share, -self.stage.width, Dim(1), "Scalar")
        back = self.pointwise("mul", value, share, wide)
        direct = self.pointwise("mul", weighted, inverse, wide)
        return self.pointwise("add", direct, back, wide)

    def attention_backward(self, grad, saved):
        op, parts, seen, rest, part = saved
        g, (batch, heads, length, each) = self.g, part
        split = g.aten("view", "view.default", "%s, [%s, %s, %s, %s]"
                       % (grad, batch, self.length_text, heads, each), (grad,),
                       [batch, length, heads, each])
        turned = g.aten("permute", "permute.default", "%s, [0, 2, 1, 3]" % split, (split,), part)
        g.source = self.stage.sources["attend"]
        used = (turned,) + parts + (seen,) + tuple(rest)
        kernel = g.aten(op + "_backward", op + "_backward.default",
                        "%s, 0.0, True" % ", ".join(used), used)
        grads = [g.add("getitem", "", "%s[%d]" % (kernel, i), (kernel,), part) for i in range(3)]
        g.source = self.stage.sources["project"]
        stacked = [Dim(3)] + part
        placed = [g.aten("select_scatter", "select_scatter.default", "full_default, %s, 0, %d"
                         % (grad, i), ("full_default", grad), stacked)
                  for i, grad in enumerate(grads)]
        total = g.aten("add", "add.Tensor", "%s, %s" % (placed[2], placed[1]),
                       (placed[2], placed[1]), stacked)
        total = g.aten("add", "add.Tensor", "%s, %s" % (total, placed[0]), (total, placed[0]),
                       stacked)
        back = g.aten("permute", "permute.default", "%s, [1, 3, 0, 2, 4]" % total, (total,),
                      [batch, length, Dim(3), heads, each])
        solid = g.aten("clone", "clone.default",
                       "%s, memory_format = torch.contiguous_format" % back, (back,),
                       [batch, length, Dim(3), heads, each])
        return self.view3(solid, self.wide * 3)

    # --- the whole ---

    def build(self):
        """(joint, forward, backward) of the stage."""
        g, at, wide = self.g, self.stage.sources, self.wide
        out = Dim(self.stage.vocabulary)
        g.source = at["embed"]
        if self.symbol:
            self.length_text = self.symbol_input
            self.rows_text = g.name("mul")
            g.nodes.append(Node(self.rows_text, "Sym(%s)" % self.rows,
                                "%s * %s" % (self.batch, self.symbol_input),
                                (self.symbol_input,), g.source, None))
        weight, place = next(self.next_primal), next(self.next_primal)
        looked = g.aten("embedding", "embedding.default", "%s, %s" % (weight, self.tokens),
                        (weight, self.tokens), self.cube(wide))
        row = g.aten("slice", "slice.Tensor", "%s, 0, 0, %s" % (place, self.length_text), (place,),
                     [self.length, wide])
        state = self.pointwise("add", looked, row, wide)
        seeds = g.add("inductor_seeds_default", "torch.ops.prims.inductor_seeds.default",
                      "%d, %s" % (self.stage.layers, device_text(g.device)), (),
                      [Dim(self.stage.layers)], None, "i64")
        assert seeds == "inductor_seeds_default"
        backwards = []
        for _ in range(self.stage.layers):
            state, backward = self.block(state)
            backwards.append(backward)
        g.source = at["readout"]
        signal, norm_out = self.norm(state)
        logits, readout = self.linear(self.view2(signal, wide), wide, out)
        split = len(g.nodes)

        tangent = ("tangents_1", g.type(self.cube(out)), "TangentAOTInput(output=PlainAOTOutput"
                   "(idx=0))", self.cube(out))
        grad = self.linear_backward("tangents_1", readout)
        grad = self.norm_backward(grad, norm_out)
        heads = Dim(self.stage.heads)
        stacked = [Dim(3), self.batch, heads, self.length, Dim(self.stage.width // heads.factor)]
        g.source = at["project"]
        g.aten("full_default", "full.default", "[3, %s, %s, %s, %s], 0, dtype = torch.float32, "
               "layout = torch.strided, device = %s, pin_memory = False"
               % (self.batch, heads, self.length_text, stacked[-1], device_text(g.device)), (),
               stacked)
        for backward in reversed(backwards):
            grad = backward(grad)
        g.source = at["embed"]
        total = g.aten("sum", "sum.dim_IntList", "%s, [0], True" % grad, (grad,),
                       [Dim(1), self.length, wide])
        plain = g.aten("view", "view.default", "%s, [%s, %s]" % (total, self.length_text, wide),
                       (total,), [self.length, wide])
        empty = g.aten("full", "full.default", "[%d, %s], 0, dtype = torch.float32, layout = "
                       "torch.strided, device = %s, pin_memory = False"
                       % (self.stage.longest, wide, device_text(g.device)), (),
                       [Dim(self.stage.longest), wide])
        self.grads[place] = g.aten("slice_scatter", "slice_scatter.default",
                                   "%s, %s, 0, 0, %s" % (empty, plain, self.length_text),
                                   (empty, plain), [Dim(self.stage.longest), wide])
        self.grads[weight] = g.aten(
            "embedding_dense_backward", "embedding_dense_backward.default",
            "%s, %s, %d, -1, False" % (grad, self.tokens, self.stage.vocabulary),
            (grad, self.tokens), [out, wide])
        return self._parts(logits, tangent, split)

    def _parts(self, logits, tangent, split):
        """Cuts the joint graph in two, as the partitioner does, and names what is saved."""
        joint = self.g
        shapes = {node.name: (node.type, node.shape) for node in joint.nodes[:split]}
        shapes.update((name, (type_, shape)) for name, type_, _, shape in joint.inputs)
        notes = {name: note for name, _, note, _ in joint.inputs}
        made, saved = {tangent[0]}, {}
        for node in joint.nodes[split:]:
            for used in node.uses:
                if used not in made:
                    saved[used] = shapes[used]
            made.add(node.name)
        result = (logits, "PlainAOTOutput(idx=0)")
        grads = [(self.grads.get(name, "None"), "GradAOTOutput(grad_of=%s)" % note)
                 for name, _, note, _ in joint.inputs]

        forward = Graph(joint.device)
        forward.nodes, forward.inputs = joint.nodes[:split], list(joint.inputs)
        forward.outputs = [result] + [(name, "SavedForBackwardsAOTOutput(idx=%d)" % i)
                                      for i, name in enumerate(saved)]
        backward = Graph(joint.device)
        backward.nodes = joint.nodes[split:]
        backward.inputs = [
            (name, type_, notes.get(name) or "SavedForBackwardsAOTOutput(idx=%d)" % i, shape)
            for i, (name, (type_, shape)) in enumerate(saved.items())] + [tangent]
        backward.outputs = grads
        joint.inputs = joint.inputs + [tangent]
        joint.outputs = [result] + grads
        return joint, forward, backward


def training_graphs(stage, variant):
    return _Training(stage, variant).build()
