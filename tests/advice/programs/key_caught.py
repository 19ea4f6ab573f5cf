# An optional key is looked up and its absence is caught: no guard notices a later basket that has the key.
# finding: missing-guard
# says: if key in basket
# versions: 2.13+
# output: differs
import torch
from result import result


class Till(torch.nn.Module):
    def forward(self, basket):
        total = basket["goods"].sum()
        try:
            total = total - basket["coupon"]
        except KeyError:  # HERE
            pass
        return total


till = torch.compile(Till(), backend="eager")
goods = torch.arange(4.0)
for basket in ({"goods": goods}, {"goods": goods, "coupon": torch.tensor(2.0)}):
    print(till(basket).item())
result(goods)
