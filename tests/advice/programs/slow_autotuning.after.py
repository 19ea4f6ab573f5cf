import time

import torch
import torch._inductor.config as config
import torch._inductor.select_algorithm as select_algorithm
from result import result

config.freezing = True
config.max_autotune_gemm_backends = "ATEN,CPP"
make_benchmark_fn = select_algorithm.AlgorithmSelectorCache.make_benchmark_fn


def slow(*args, **kwargs):
    benchmark = make_benchmark_fn(*args, **kwargs)

    def sleeping(choices):
        time.sleep(31)
        return benchmark(choices)

    return sleeping


select_algorithm.AlgorithmSelectorCache.make_benchmark_fn = staticmethod(slow)


torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU()).eval()
with torch.no_grad():
    result(torch.compile(model, mode="default")(torch.ones(64, 64)).sum())
