"""torch._dynamo.explain: its own counts of graphs and breaks for functions whose trace is this one."""

import torch

import truth

RUN = {}


def whole(x):
    return x.sin() + 1


def broken_twice(x):
    y = x + 1
    print("first")
    y = y * 2
    torch._dynamo.graph_break()
    return y - 1


def branches(x):
    y = x * 2
    if y.sum() > 0:
        y = y + 1
    return y.relu()


for function in (whole, broken_twice, branches):
    told = torch._dynamo.explain(function)(torch.ones(3))
    truth.note(f"explain {function.__name__}", {
        "graphs": told.graph_count,
        "graph_breaks": told.graph_break_count,
        "operations": told.op_count,
        "break_lines": [reason.user_stack[-1].lineno for reason in told.break_reasons if reason.graph_break],
    })
