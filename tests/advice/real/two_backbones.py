# finding: recompile-size
# says: `(EfficientNet|MobileNetV3).forward` and 1 more
# also: slow-guards
import timm
import torch
from result import result

torch.manual_seed(0)
models = [timm.create_model(name, pretrained=False, num_classes=4).eval() for name in ("efficientnet_b0", "mobilenetv3_small_050")]
with torch.no_grad():
    for model in models:
        compiled = torch.compile(model, backend="eager")
        for batch in (2, 3, 5):
            result(compiled(torch.randn(batch, 3, 64, 64)).sum())  # HERE
