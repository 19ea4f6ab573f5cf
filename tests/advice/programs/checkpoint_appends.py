# The function given to checkpoint appends to a list that is made outside of it.
# finding: break-other
# also: skipped-frame
# says: `checkpoint` calls changes `losses`
# says: append it after the call
# never-says: does not support this yet
# versions: 2.6+
import torch
from result import result
from torch.utils.checkpoint import checkpoint


class Shop(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.shelf = torch.nn.Linear(4, 4)

    def shelve(self, x, losses):
        y = self.shelf(x).relu()
        losses.append(y.mean())  # HERE
        return y

    def forward(self, x):
        losses = []
        y = checkpoint(self.shelve, x, losses, use_reentrant=False)
        return y.sum() + losses[0]


torch.manual_seed(0)
shop = Shop()
total = torch.compile(shop, backend="aot_eager")(torch.ones(2, 4))
total.backward()
result(total, shop.shelf.weight.grad)
