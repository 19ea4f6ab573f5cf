# A loss on spectrograms (complex numbers) of audio clips that are cut to several lengths.
# True cause: the length of `made` and `wanted`, which changes.
# versions: 2.13+
# long
# finding: recompile-size
# says: made.*wanted|wanted.*made
import torch
from result import result


def spectrum(wave, window):
    return torch.stft(wave, 64, hop_length=16, window=window, return_complex=True)


@torch.compile(backend="aot_eager")
def spectral_loss(made, wanted, window):
    a, b = spectrum(made, window), spectrum(wanted, window)
    size = (a.abs() - b.abs()).abs().mean()
    phase = (torch.view_as_real(a) - torch.view_as_real(b)).pow(2).mean()
    return size + 0.1 * phase


torch.manual_seed(0)
window = torch.hann_window(64)
for length in (640, 800, 480, 960):
    made, wanted = torch.randn(2, length, requires_grad=True), torch.randn(2, length)
    loss = spectral_loss(made, wanted, window)  # HERE
    loss.backward()
    result(loss, made.grad.abs().sum())
