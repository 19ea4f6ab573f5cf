# Speech of one length, as Whisper takes it, in batches of several sizes; the decoder writes step by step.
# finding: recompile-size
# says: `WhisperForConditionalGeneration.forward` .*`decoder_input_ids`(.|\n)*batches of several sizes
# not: recompile-type
# never-says: `kwargs\[|`wrapper`
import torch
from transformers import WhisperConfig, WhisperForConditionalGeneration
from result import result

torch.manual_seed(0)
config = WhisperConfig(vocab_size=64, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, num_mel_bins=16, max_source_positions=40, max_target_positions=32, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=3, suppress_tokens=None, begin_suppress_tokens=None)
model = WhisperForConditionalGeneration(config).eval()
model.generation_config.eos_token_id = None
model.forward = torch.compile(model.forward, backend="eager")


def transcribe(speech):
    with torch.no_grad():
        return model.generate(speech, max_new_tokens=6, do_sample=False)  # HERE


for batch in (2, 3, 4):
    result(transcribe(torch.randn(batch, 16, 80)))
