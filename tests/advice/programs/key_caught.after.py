import torch
from result import result


class Till(torch.nn.Module):
    def forward(self, basket):
        total = basket["goods"].sum()
        coupon = basket.get("coupon")
        if coupon is not None:
            total = total - coupon
        return total


till = torch.compile(Till(), backend="eager")
goods = torch.arange(4.0)
for basket in ({"goods": goods}, {"goods": goods, "coupon": torch.tensor(2.0)}):
    print(till(basket).item())
result(goods)
