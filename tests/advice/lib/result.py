"""For the programs of tests/advice: what they compute, on standard output, so that two runs can be compared."""

import json

VALUES_MAX = 64  # of a tensor; a longer one is described by sums


def plain(value):
    """Tensors, numbers and containers of them as JSON has them."""
    import torch  # pylint: disable=import-outside-toplevel

    if isinstance(value, torch.Tensor):
        flat = value.detach().cpu().flatten()
        wide = flat if flat.dtype in (torch.int64, torch.bool, torch.complex64) else flat.double()
        sums = [] if flat.numel() <= VALUES_MAX else [wide.sum().item(), wide.abs().sum().item()]
        return {"shape": list(value.shape), "dtype": str(value.dtype), "requires_grad": value.requires_grad, "sums": sums, "values": [str(v) for v in wide[:VALUES_MAX].tolist()]}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value if isinstance(value, (str, int, bool, type(None))) else str(value)


def result(*values):
    """Prints one line RESULT with all values."""
    print("RESULT", json.dumps([plain(value) for value in values]), flush=True)
