# A branch of the program's own distribution: no argument turns it off.
# finding: break-branch
# also: break-output
# never-says: validate_args
# versions: 2.6+
import torch
from result import result


class Waits(torch.distributions.Exponential):
    def log_prob(self, sold):
        if (sold < 0).any():  # HERE
            sold = sold.abs()
        return super().log_prob(sold)


@torch.compile(backend="eager")
def loss(rate, sold):
    return Waits(rate.exp() * 2).log_prob(sold.sin()) + 1


result(loss(torch.ones(3), torch.ones(3)))
