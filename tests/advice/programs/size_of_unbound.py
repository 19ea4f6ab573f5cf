# The method of the class is compiled: its object is an argument of the call, and the size is of the next one.
# finding: recompile-size
# paste-before (2.7+): # CALL
import torch
from result import result


class Encoder:
    def __init__(self):
        self.scale = torch.ones(3)

    def forward(self, tokens, mask):
        return tokens.sin() * self.scale + mask

    def encode(self, batch, mask):
        y = compiled(self, batch, mask)  # HERE  # CALL
        return y


compiled = torch.compile(Encoder.forward, backend="eager")
encoder = Encoder()
for n in (4, 5, 6, 7):
    result(encoder.encode(torch.arange(3 * n).reshape(n, 3) / 7, torch.ones(3)))
