# Images and texts, each with a tower of its own: the number of texts and their length vary.
# finding: recompile-size
# also: slow-guards
# says: `CLIPModel.forward` .*`input_ids`
# never-says: `kwargs\[|`wrapper`
import torch
from transformers import CLIPConfig, CLIPModel
from result import result

torch.manual_seed(0)
text = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "max_position_embeddings": 32, "eos_token_id": 63, "bos_token_id": 1, "pad_token_id": 0}
vision = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "image_size": 32, "patch_size": 16}
model = CLIPModel(CLIPConfig(text_config=text, vision_config=vision, projection_dim=16)).eval()
compiled = torch.compile(model, backend="eager")
images = torch.randn(2, 3, 32, 32)
with torch.no_grad():
    for texts, length in ((3, 7), (4, 9), (5, 12)):
        ids = torch.randint(3, 62, (texts, length))
        ids[:, -1] = 63
        result(compiled(input_ids=ids, pixel_values=images).logits_per_image)  # HERE
