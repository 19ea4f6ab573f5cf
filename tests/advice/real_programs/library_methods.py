# Two methods behind one decorator share the compiles of its wrapper: one for each is what it takes, and nothing is wrong.
# clean
# versions: 2.7+
# never-says: dimension|torch\.stack
import torch
from result import result
from shop import Codec

torch.manual_seed(0)
codec = Codec()
encode, decode = torch.compile(codec.encode, backend="eager"), torch.compile(codec.decode, backend="eager")
for seed in (1, 2):
    code = encode(torch.randn(4, 6, generator=torch.Generator().manual_seed(seed)))
    result(decode(code))
