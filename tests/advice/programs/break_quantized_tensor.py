# A tensor of eager-mode quantization is an argument: dequantized before the call, it is a tensor that is traced.
# finding: break-unsupported-module
# says: dequantize
import torch
from result import result


@torch.compile(backend="eager")
def weigh(x):
    x = x.dequantize().sin() * 2  # HERE
    return x.cos()


quantized = torch.quantize_per_tensor(torch.ones(4), 0.1, 0, torch.qint8)
result(weigh(quantized))
