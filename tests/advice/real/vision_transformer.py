# The position embedding is resampled with sizes that must be numbers.
# finding: recompile-specialized
# says: `VisionTransformer.forward`(.|\n)*A line of a library, patch_embed.py
import timm
import torch
from result import result

torch.manual_seed(0)
model = timm.create_model("vit_tiny_patch16_224", pretrained=False, num_classes=10, img_size=64, depth=3, drop_path_rate=0.2, dynamic_img_size=True).eval()
model = torch.compile(model, backend="eager")
with torch.no_grad():
    for size in (64, 96, 128):
        result(model(torch.randn(2, 3, size, size)))  # HERE
