import torch
from result import result


class Waits(torch.distributions.Exponential):
    def log_prob(self, sold):
        sold = torch.where((sold < 0).any(), sold.abs(), sold)
        return super().log_prob(sold)


@torch.compile(backend="eager")
def loss(rate, sold):
    return Waits(rate.exp() * 2).log_prob(sold.sin()) + 1


result(loss(torch.ones(3), torch.ones(3)))
