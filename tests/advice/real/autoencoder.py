# encode and decode stand behind one decorator of the library, so that they share their compiles. The sizes of images vary.
# finding: recompile-size
# says: `AutoencoderKL` .*argument 1
# never-says: `args\[|`wrapper` recompiled
# also: slow-guards
import torch
from diffusers import AutoencoderKL
from result import result

torch.manual_seed(0)
vae = AutoencoderKL(in_channels=3, out_channels=3, latent_channels=4, block_out_channels=(32, 64), layers_per_block=1, norm_num_groups=8, down_block_types=("DownEncoderBlock2D",) * 2, up_block_types=("UpDecoderBlock2D",) * 2, sample_size=128).eval()
encode = torch.compile(vae.encode, backend="eager")
decode = torch.compile(vae.decode, backend="eager")
with torch.no_grad():
    for height, width in ((96, 96), (128, 96), (112, 120)):
        latents = encode(torch.randn(1, 3, height, width)).latent_dist.mode()  # HERE
        result(decode(latents).sample.sum())
