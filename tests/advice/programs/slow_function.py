# One large function takes nearly all of the compile time: the backend takes its time for each operator.
# long
# finding: slow-function
# severity: info
import random
import time

import torch
from result import result


def slowly(graph, inputs):
    time.sleep(0.6 * sum(node.op != "placeholder" for node in graph.graph.nodes))
    return graph.forward


operators = random.Random(0).choices([torch.sin, torch.cos, torch.tanh, torch.relu, torch.sigmoid, torch.abs], k=55)


def large(x):  # HERE
    for operator in operators:
        x = operator(x)
    return x


def small(x):
    return (x - 1).abs().sum()


x = torch.compile(large, backend=slowly)(torch.ones(4))
result(torch.compile(small, backend=slowly)(x))
