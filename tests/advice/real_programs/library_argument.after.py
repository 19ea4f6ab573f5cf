import torch
from result import result
from shop import Reader

torch.manual_seed(0)
model = torch.compile(Reader(), backend="eager")
ids, mask = torch.randint(0, 50, (2, 5)), torch.ones(2, 5)
result(model(ids=ids, mask=mask))
logits = model(ids=ids, mask=mask)
result(torch.nn.functional.cross_entropy(logits, torch.tensor([0, 1])))
