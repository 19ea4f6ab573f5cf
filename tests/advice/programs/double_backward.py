# The gradient of a compiled module is differentiated again: a penalty on its size.
# finding: double-backward
# fails: double backward
# versions: 2.13+
import torch
from result import result

torch.manual_seed(0)
till = torch.nn.Linear(3, 1)
price = torch.compile(till, backend="aot_eager")
goods = torch.ones(2, 3, requires_grad=True)
result(torch.compile(lambda x: x.sin(), backend="aot_eager")(torch.ones(3)))
slope, = torch.autograd.grad(price(goods).exp().sum(), goods, create_graph=True)  # HERE
(slope.norm() - 1).square().backward()
result(till.weight.grad)
