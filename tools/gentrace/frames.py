"""The frames that Dynamo compiles: stages, optimizer steps, and small helper functions.

A frame says what its compile shows: its code object, its inputs, its graphs. compiling.py turns
that into records without knowing which sort of frame it is.
"""

from collections import namedtuple

from . import model, words
from .graph import Dim, Graph, Namer, Source

# One tensor that Dynamo made fake. `module` is set for parameters of nn.Modules.
Input = namedtuple("Input", "source shape dtype requires_grad parameter")

# `joint`, `forward` and `backward` are None for inference, `inference` is None for training.
Graphs = namedtuple("Graphs", "dynamo joint forward backward inference")


class StageFrame:
    """The forward of a stage: compiled for training, its backward later."""

    function = "forward"
    arguments = ("self", "tokens")

    def __init__(self, stage):
        self.stage = stage
        self.file = stage.file
        self.line = stage.first_line
        self.device = stage.device
        self.sources = stage.sources

    def inputs(self, variant):
        tensors = [Input(p.source, p.shape, "float32", True, True)
                   for p in self.stage.parameters]
        tokens = Input("L['tokens']", [Dim(variant.batch), Dim(variant.sequence)], "int64", False,
                       False)
        return tensors[:1] + [tokens] + tensors[1:]

    def graphs(self, variant):
        return Graphs(model.dynamo_graph(self.stage, variant),
                      *model.training_graphs(self.stage, variant), None)


class OptimizerFrame:
    """A compiled optimizer step over some parameters of a stage: inference, many small inputs."""

    function = "step"
    arguments = ("self",)
    RATE = 0.0003

    def __init__(self, rng, stage, parameters):
        self.stage = stage
        self.parameters = parameters
        self.device = stage.device
        self.file = "%s/optim/%s.py" % (words.PROJECT, rng.choice(("calm", "brisk", "steady")))
        self.line = rng.randrange(40, 200)
        lines = ("age += 1", "weight.mul_(1 - rate * decay)", "mean.lerp_(slope, 1 - beta1)",
                 "spread.mul_(beta2).addcmul_(slope, slope, value=1 - beta2)",
                 "room = spread.sqrt().add_(eps)", "weight.addcdiv_(mean, room, value=-rate)")
        self.lines = [Source(self.file, self.line + 8 + i, "step_one", code)
                      for i, code in enumerate(lines)]
        self.sources = {"loop": self.lines[0]}

    KINDS = ("weight", "slope", "mean", "spread", "age")

    def inputs(self, _variant):
        result = []
        for kind in self.KINDS:
            for i, parameter in enumerate(self.parameters):
                shape = [] if kind == "age" else parameter.shape
                result.append(Input(self._source(kind, i), shape, "float32", kind == "weight",
                                    kind == "weight"))
        return result

    @staticmethod
    def _source(kind, i):
        group = "L['self'].param_groups[0]['params'][%d]" % i
        if kind == "weight":
            return group
        if kind == "slope":
            return group + ".grad"
        return "list(L['self'].state.values())[%d]['%s']" % (i, kind)

    def graphs(self, _variant):
        dynamo, aot = Graph(self.device), Graph(self.device)
        count = len(self.parameters)
        for k, kind in enumerate(self.KINDS):
            for i, parameter in enumerate(self.parameters):
                shape = [] if kind == "age" else parameter.shape
                dynamo.inputs.append(("l_self_%s_%d_" % (kind, i), dynamo.type(shape), "", shape))
                index = k * count + i
                note = ("ParamAOTInput(target='self_weight_%d')" % i if kind == "weight"
                        else "PlainAOTInput(idx=%d)" % index)
                aot.inputs.append(("arg%d_1" % index, aot.type(shape), note, shape))
        for i, parameter in enumerate(self.parameters):
            self._update_dynamo(dynamo, i, parameter.shape)
            self._update_aten(aot, ["arg%d_1" % (k * count + i) for k in range(5)], parameter.shape)
        return Graphs(dynamo, None, None, None, aot)

    def _update_dynamo(self, g, i, shape):
        weight, slope, mean, spread, age = ("l_self_%s_%d_" % (kind, i) for kind in self.KINDS)
        steps = (("add_", age, "1", (), []),
                 ("mul_", weight, "0.99997", (), shape),
                 ("lerp_", mean, "%s, 0.1" % slope, (slope,), shape),
                 ("mul_", spread, "0.99", (), shape),
                 ("addcmul_", None, "%s, %s, value = 0.01" % (slope, slope), (slope,), shape),
                 ("sqrt", spread, "", (), shape),
                 ("add_", None, "1e-08", (), shape),
                 ("addcdiv_", weight, "%s, {last}, value = -%s" % (mean, self.RATE), (mean,),
                  shape))
        last = None
        for k, (method, target, arguments, uses, result) in enumerate(steps):
            g.source = self.lines[(0, 1, 2, 3, 3, 4, 4, 5)[k]]
            on = target or last
            uses = (on,) + uses + ((last,) if "{last}" in arguments else ())
            last = g.add(method.rstrip("_"), "", "%s.%s(%s)"
                         % (on, method, arguments.replace("{last}", str(last))), uses, result)

    def _update_aten(self, g, names, shape):
        weight, slope, mean, spread, age = names

        def step(line, base, overload, arguments, uses, result=shape):
            g.source = self.lines[line]
            return g.aten(base, overload, arguments, uses, result)

        one = step(0, "add", "add.Tensor", "%s, 1" % age, (age,), [])
        kept = step(1, "mul", "mul.Tensor", "%s, 0.99997" % weight, (weight,))
        gap = step(2, "sub", "sub.Tensor", "%s, %s" % (slope, mean), (slope, mean))
        part = step(2, "mul", "mul.Tensor", "%s, 0.1" % gap, (gap,))
        new_mean = step(2, "add", "add.Tensor", "%s, %s" % (mean, part), (mean, part))
        slow = step(3, "mul", "mul.Tensor", "%s, 0.99" % spread, (spread,))
        squared = step(3, "mul", "mul.Tensor", "%s, %s" % (slope, slope), (slope,))
        little = step(3, "mul", "mul.Tensor", "%s, 0.01" % squared, (squared,))
        new_spread = step(3, "add", "add.Tensor", "%s, %s" % (slow, little), (slow, little))
        root = step(4, "sqrt", "sqrt.default", new_spread, (new_spread,))
        room = step(4, "add", "add.Tensor", "%s, 1e-08" % root, (root,))
        ratio = step(5, "div", "div.Tensor", "%s, %s" % (new_mean, room), (new_mean, room))
        move = step(5, "mul", "mul.Tensor", "%s, -%s" % (ratio, self.RATE), (ratio,))
        result = step(5, "add", "add.Tensor", "%s, %s" % (kept, move), (kept, move))
        for target, value in ((weight, result), (mean, new_mean), (spread, new_spread),
                              (age, one)):
            step(5, "copy_", "copy_.default", "%s, %s" % (target, value), (target, value),
                 [] if target is age else shape)


class HelperFrame:
    """A small function of the user's: a few operations on one or two tensors."""

    UNARY = ("sin", "cos", "exp", "tanh", "sigmoid", "relu", "abs", "sqrt", "neg", "erf", "log1p")
    BINARY = (("add", "+"), ("mul", "*"), ("sub", "-"), ("div", "/"))
    NAMES = ("scale", "shift", "blend", "clip", "warp", "trim", "score", "weigh", "smooth",
             "rescale", "center", "mask_out", "pool", "decay")

    def __init__(self, rng, device, training=False, function=None, line=None, file=None):
        self.function = function or "%s_%d" % (rng.choice(self.NAMES), rng.randrange(100))
        self.file = file or "%s/tools/%s_%02d.py" % (
            words.PROJECT, rng.choice(("losses", "metrics", "augment", "sampling", "callbacks")),
            rng.randrange(40))
        self.line = line or rng.randrange(10, 600)
        self.device = device
        self.training = training
        self.arguments = ("x", "y") if rng.random() < 0.5 else ("x",)
        self.rank = rng.randrange(1, 4)
        self.steps = [(rng.choice(self.UNARY), rng.choice(self.BINARY), rng.randrange(-900, 900) / 8)
                      for _ in range(rng.randrange(2, 6))]
        self.codes = [Source(self.file, self.line + 1 + i, self.function,
                             "value = torch.%s(value) %s %s" % (unary, sign, number))
                      for i, (unary, (_, sign), number) in enumerate(self.steps)]
        self.sources = {"loop": self.codes[0]}

    def _shape(self, variant):
        return [Dim(variant.batch)] + [Dim(variant.sequence)] * (self.rank - 1)

    def inputs(self, variant):
        return [Input("L['%s']" % name, self._shape(variant), "float32", self.training, False)
                for name in self.arguments]

    def graphs(self, variant):
        dynamo = Graph(self.device)
        shape = self._shape(variant)
        for name in self.arguments:
            dynamo.inputs.append(("l_%s_" % name, dynamo.type(shape), "", shape))
        value = "l_x_"
        for source, (unary, (binary, sign), number) in zip(self.codes, self.steps):
            dynamo.source = source
            value = dynamo.add(unary, "torch." + unary, value, (value,), shape)
            value = dynamo.add("value", "", "%s %s %s" % (value, sign, number), (value,), shape)
        dynamo.outputs.append((value, ""))
        if self.training:
            return Graphs(dynamo, *self._training(shape), None)
        inference = Graph(self.device)
        for i, _ in enumerate(self.arguments):
            inference.inputs.append(("arg%d_1" % i, inference.type(shape),
                                     "PlainAOTInput(idx=%d)" % i, shape))
        result, _ = self._forward(inference, "arg0_1", shape)
        inference.outputs.append((result, "PlainAOTOutput(idx=0)"))
        return Graphs(dynamo, None, None, None, inference)

    def _forward(self, g, value, shape):
        """Appends the operations; returns the result and what each operation read."""
        read = []
        for source, (unary, (binary, _), number) in zip(self.codes, self.steps):
            g.source = source
            read.append(value)
            value = g.aten(unary, unary + ".default", value, (value,), shape)
            value = g.aten(binary, binary + ".Tensor", "%s, %s" % (value, number), (value,), shape)
        return value, read

    def _training(self, shape):
        joint = Graph(self.device, Namer())
        joint.inputs = [("primals_%d" % (i + 1), joint.type(shape), "PlainAOTInput(idx=%d)" % i,
                         shape) for i, _ in enumerate(self.arguments)]
        result, read = self._forward(joint, "primals_1", shape)
        split = len(joint.nodes)
        grad = "tangents_1"
        for source, value, (_, _, number) in zip(self.codes[::-1], read[::-1], self.steps[::-1]):
            joint.source = source
            slope = joint.aten("cos", "cos.default", value, (value,), shape)
            grad = joint.aten("mul", "mul.Tensor", "%s, %s" % (grad, slope), (grad, slope), shape)
            grad = joint.aten("mul", "mul.Tensor", "%s, %s" % (grad, number), (grad,), shape)
        tangent = ("tangents_1", joint.type(shape), "TangentAOTInput(output=PlainAOTOutput(idx=0))",
                   shape)
        saved = list(dict.fromkeys(read))
        outputs = [(result, "PlainAOTOutput(idx=0)")]
        grads = [(grad if i == 0 else "None", "GradAOTOutput(grad_of=PlainAOTInput(idx=%d))" % i)
                 for i, _ in enumerate(self.arguments)]
        forward = Graph(self.device)
        forward.nodes, forward.inputs = joint.nodes[:split], list(joint.inputs)
        forward.outputs = outputs + [(name, "SavedForBackwardsAOTOutput(idx=%d)" % i)
                                     for i, name in enumerate(saved)]
        backward = Graph(self.device)
        backward.nodes = joint.nodes[split:]
        backward.inputs = [(name, joint.type(shape), "SavedForBackwardsAOTOutput(idx=%d)" % i, shape)
                           for i, name in enumerate(saved)] + [tangent]
        backward.outputs = grads
        joint.inputs = joint.inputs + [tangent]
        joint.outputs = outputs + grads
        return joint, forward, backward
