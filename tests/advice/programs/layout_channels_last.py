# Images are in the channels-last layout, all but one: it must be brought into that layout, not out of it.
# finding: recompile-stride
# paste-before (2.7+): # CALL
# tolerance: 1e-5
import torch
from result import result

torch.manual_seed(0)
model = torch.compile(torch.nn.Conv2d(3, 4, 3), backend="eager")
with torch.no_grad():
    for i in range(3):
        image = torch.arange(2 * 3 * 8 * 8).reshape(2, 3, 8, 8) / 100
        image = image if i == 1 else image.contiguous(memory_format=torch.channels_last)
        out = model(image)  # HERE  # CALL
        result(out.sum((2, 3)))
