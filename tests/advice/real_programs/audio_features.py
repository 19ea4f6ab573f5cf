# Waveforms of different length; a running mean of the loudness is kept in a Python float.
# True causes: `.item()` in the compiled code, and the length of `wave`; the size of the spectrum follows from that.
# versions: 2.13+
# long
# tolerance: 1e-6
# finding: break-item
# also: recompile-size
import torch
from result import result
from torch import nn


class Features(nn.Module):
    def __init__(self, n_fft=64, mels=10):
        super().__init__()
        self.n_fft = n_fft
        self.register_buffer("window", torch.hann_window(n_fft))
        self.register_buffer("fb", torch.rand(n_fft // 2 + 1, mels))
        self.conv = nn.Conv1d(mels, 8, 3, padding=1)
        self.loudness = 1.0

    def forward(self, wave):
        spec = torch.stft(wave / self.loudness, self.n_fft, 32, window=self.window, return_complex=True).abs()
        self.loudness = 0.9 * self.loudness + 0.1 * wave.abs().mean().item()
        return self.conv((spec.transpose(1, 2) @ self.fb).transpose(1, 2).log1p())


torch.manual_seed(0)
features = torch.compile(Features().eval(), backend="eager")
with torch.no_grad():
    for n in (400, 480, 640):
        result(features(torch.randn(1, n)).mean())
