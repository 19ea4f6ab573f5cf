"""Compiles that fail and raise, one per kind of exception; each is caught and the next one tried."""

import torch

import truth

RUN = {}


def broken_backend(graph, inputs):
    raise ValueError("this backend never works")


@torch.compile(backend="eager", fullgraph=True)
def whole_graph_or_nothing(x):
    print("not in one graph")
    return x + 1


@torch.compile(backend=broken_backend)
def given_to_a_broken_backend(x):
    return x.sin()


@torch.compile(backend="eager")
def wrong_shapes(x, y):
    return x @ y


@torch.compile(backend="eager")
def bad_index(x):
    return x.sum(dim=5)


@torch.compile(backend="eager", dynamic=False)
def may_not_recompile(x):
    return x + 1


@torch.compile(backend="eager")
def branches_disagree(x):
    return torch.cond(x.sum() > 0, lambda y: y.sin(), lambda y: y.sum(), (x,))


@torch.compile(backend="eager")
def trips_over_dynamo(x):
    return x.neg()


@torch.compile(backend="eager")
def raises_itself(x):
    if x.dim() == 1:
        raise KeyError("the user's own")
    return x


def break_dynamo(*_):
    raise RuntimeError("something inside the compiler went wrong")


x = torch.ones(3)
with truth.expected_error("forward"):
    whole_graph_or_nothing(x)
with truth.expected_error("forward"):
    given_to_a_broken_backend(x)
with truth.expected_error("forward"):
    wrong_shapes(torch.ones(2, 3), torch.ones(2, 3))
with truth.expected_error("forward"):
    bad_index(x)
may_not_recompile(x)
with torch._dynamo.config.patch(error_on_recompile=True), truth.expected_error("forward"):
    may_not_recompile(torch.ones(4))
with truth.expected_error("forward"):
    branches_disagree(x)
with torch.compiler.set_stance("fail_on_recompile"), truth.expected_error("runtime"):
    may_not_recompile(torch.ones(5))
with truth.expected_error("forward"):
    torch.compile(lambda y: y + 1, backend="no_such_backend")(x)
with truth.expected_error("runtime"):
    raises_itself(x)

# Last, since it takes Dynamo's own parts away.
torch._dynamo.symbolic_convert.InstructionTranslator.RETURN_VALUE = break_dynamo
torch._dynamo.symbolic_convert.InstructionTranslator.dispatch_table = [
    break_dynamo if getattr(handler, "__name__", "") == "RETURN_VALUE" else handler
    for handler in torch._dynamo.symbolic_convert.InstructionTranslator.dispatch_table
]
with truth.expected_error("forward"):
    trips_over_dynamo(x)
