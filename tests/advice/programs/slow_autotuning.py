# max-autotune tries kernels for a long time: here each benchmark sleeps.
# inductor
# versions: 2.6+
# long
# finding: slow-autotuning
# severity: info
# tolerance: 1e-4
# also: cache-bypass cache-bypass
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
        time.sleep(100)
        return benchmark(choices)

    return sleeping


select_algorithm.AlgorithmSelectorCache.make_benchmark_fn = staticmethod(slow)


torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU()).eval()
with torch.no_grad():
    result(torch.compile(model, mode="max-autotune")(torch.ones(64, 64)).sum())
