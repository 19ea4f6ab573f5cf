# The timestep is taken out of its tensor: a number, which is another one in each call.
# finding: recompile-int
# says: `UNet2DModel.forward` .*`t` was 84 and is now 72(.|\n)*timesteps
# also: slow-guards
import torch
from diffusers import DDIMScheduler, UNet2DModel
from result import result

torch.manual_seed(0)
unet = UNet2DModel(sample_size=16, in_channels=3, out_channels=3, layers_per_block=1, block_out_channels=(32, 64), norm_num_groups=8, down_block_types=("DownBlock2D", "AttnDownBlock2D"), up_block_types=("AttnUpBlock2D", "UpBlock2D")).eval()
scheduler = DDIMScheduler(num_train_timesteps=100)
scheduler.set_timesteps(8)
compiled = torch.compile(unet, backend="eager")


def sample(shape):
    x = torch.randn(shape)
    for t in scheduler.timesteps.tolist():
        with torch.no_grad():
            noise = compiled(x, t).sample  # HERE
        x = scheduler.step(noise, t, x).prev_sample
    return x


result(sample((2, 3, 16, 16)).sum())
result(sample((2, 3, 16, 16)).sum())
