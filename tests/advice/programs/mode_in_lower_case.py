# The way to sum up a till is an option of two words: it is written in lower case, and looked up. That is no text.
# finding: recompile-constant
# never-says: The text itself|every call is a new case
# versions: 2.7+
import torch
from result import result

WAYS = {"sum up": torch.sum, "take mean": torch.mean, "find max": torch.amax, "find min": torch.amin}


class Till(torch.nn.Module):
    def forward(self, x, way):
        return WAYS[way.lower()](x * 2)


model = torch.compile(Till(), backend="eager")
for way in ("Sum up", "Take mean", "Find max", "Find min", "Sum up"):
    result(model(torch.arange(4.0), way))  # HERE
