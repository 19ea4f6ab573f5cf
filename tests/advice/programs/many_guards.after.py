# Many modules with many attributes: thousands of guards.
# finding: slow-guards
# long
import torch
from result import result

torch.manual_seed(0)
model = torch.nn.Sequential(*[torch.nn.Linear(4, 4) for _ in range(500)])
compiled = torch.compile(model, backend="eager", options={"guard_filter_fn": torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe})
result(compiled(torch.ones(2, 4)))  # HERE
