# The function that says what flex_attention may see captures a window, another one in each epoch.
# finding: recompile-function
# severity: low
# says: make a tensor of it before the function is defined
# never-says: as an argument\.
# versions: 2.13+
import torch
from result import result
from torch.nn.attention.flex_attention import create_block_mask, flex_attention


def near(window):
    def mask_mod(b, h, q, kv):
        return (q >= kv) & (q - kv <= window)  # HERE

    return create_block_mask(mask_mod, None, None, 128, 128, device="cpu")


torch.manual_seed(0)
attend = torch.compile(flex_attention, backend="eager")
x = torch.randn(1, 1, 128, 16)
for window in (8, 16, 24):
    result(attend(x, x, x, block_mask=near(window)).sum())
