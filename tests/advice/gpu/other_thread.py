"""A function that was compiled with CUDA graphs is called by another thread."""
# fails: _is_key_in_tls
# fix one: from one thread only
# fix default: compile without CUDA graphs
import threading

import torch
from variant import FIX, result


@torch.compile(mode="default" if FIX == "default" else "reduce-overhead")
def scale(x):
    return x * 2 + 1


x, out, errors = torch.ones(64, device="cuda"), [], []


def work():
    try:
        with torch.no_grad():
            for _ in range(3):
                out.append(scale(x).clone())
    except BaseException as error:
        errors.append(error)


if FIX != "one":
    work()
thread = threading.Thread(target=work)
thread.start()
thread.join()
if errors:
    raise errors[0]
result(out[-1].sum())
