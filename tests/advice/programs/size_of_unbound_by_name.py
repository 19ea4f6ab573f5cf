# The same outside of the class: only names show which argument it is.
# finding: recompile-size
# paste-before (2.7+): # CALL
import torch
from result import result


class Encoder:
    def __init__(self):
        self.scale = torch.ones(3)

    def forward(self, tokens, mask):
        return tokens.sin() * self.scale + mask

    def encode(other, tokens, mask):
        y = compiled(other, tokens, mask)  # HERE  # CALL
        return y


compiled = torch.compile(Encoder.forward, backend="eager")
encoder = Encoder()
for n in (4, 5, 6, 7):
    result(encoder.encode(torch.arange(3 * n).reshape(n, 3) / 7, torch.ones(3)))
