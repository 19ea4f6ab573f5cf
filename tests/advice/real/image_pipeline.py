# A pipeline calls the compiled model in a loop over the steps of its scheduler. It is asked for more and more images.
# finding: recompile-size
# says: `UNet2DModel.forward` .*`sample`
# never-says: `kwargs\[|`wrapper`
# also: slow-guards
# tolerance: 1e-4
import torch
from diffusers import DDIMPipeline, DDIMScheduler, UNet2DModel
from result import result

torch.manual_seed(0)
unet = UNet2DModel(sample_size=16, in_channels=3, out_channels=3, layers_per_block=1, block_out_channels=(32, 64), norm_num_groups=8, down_block_types=("DownBlock2D", "AttnDownBlock2D"), up_block_types=("AttnUpBlock2D", "UpBlock2D")).eval()
pipeline = DDIMPipeline(unet=unet, scheduler=DDIMScheduler(num_train_timesteps=100))
pipeline.set_progress_bar_config(disable=True)
pipeline.unet = torch.compile(pipeline.unet, backend="eager")
for images in (2, 3, 4):
    made = pipeline(batch_size=images, generator=torch.Generator().manual_seed(images), num_inference_steps=4, output_type="np")  # HERE
    result(torch.from_numpy(made.images).sum())
