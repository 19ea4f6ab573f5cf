"""A compiled training step of a small transformer on the GPU: what tools/gpu-check measures.

    train_step.py [--mode MODE] [--steps N] [--profile FILE] [--profile-later FILE] [--recompile] [--forever]

It prints the median time of a step, in ms, as its last line. --profile records every step but the first ones with
torch.profiler; --profile-later begins to do so in the middle. --recompile changes a size that is static. --forever goes on
until it is killed.
"""
import argparse
import statistics
import time

import torch


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.up, self.down = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


def make_step(mode):
    torch.manual_seed(0)
    model = torch.nn.Sequential(*(Block(512) for _ in range(4))).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
    compiled = torch.compile(model, mode=mode, dynamic=False)

    def step(x):
        optimizer.zero_grad(set_to_none=True)
        loss = compiled(x).square().mean()
        loss.backward()
        optimizer.step()
        return loss

    return step


def timed(step, x, n):
    times = []
    for _ in range(n):
        begin = time.perf_counter()
        step(x)
        torch.cuda.synchronize()
        times.append((time.perf_counter() - begin) * 1000)
    return times


def profiled(step, x, n, path):
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
        times = timed(step, x, n)
    profiler.export_chrome_trace(path)
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", default="default")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--profile")
    parser.add_argument("--profile-later")
    parser.add_argument("--recompile", action="store_true")
    parser.add_argument("--forever", action="store_true")
    args = parser.parse_args()
    step, x = make_step(args.mode), torch.randn(64, 128, 512, device="cuda")
    timed(step, x, 10)
    if args.recompile:
        timed(step, torch.randn(32, 128, 512, device="cuda"), 10)
    times = profiled(step, x, args.steps, args.profile) if args.profile else timed(step, x, args.steps)
    if args.profile_later:
        profiled(step, x, args.steps, args.profile_later)
    while args.forever:
        timed(step, x, 10)
    print(f"{statistics.median(times):.4f}")


if __name__ == "__main__":
    main()
