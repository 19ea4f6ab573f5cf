"""Names and strings that are hard to print: letters of other scripts, quotes, control characters, line separators."""

import torch

RUN = {}


@torch.compile(backend="eager")
def größe_变换(x, wörter):
    return x + len(wörter)


@torch.compile(backend="eager")
def quoted(x, text):
    return x * (2 if text == 'say "no"\\\t</script>' else 3)


tensor = torch.ones(2)
for wörter in ("λ→µ", "a\u2028b\u2029c", "\x1b[31mred\x1b[0m", "one\rtwo\x0cthree", "\U0001f40d", ""):
    größe_变换(tensor, wörter)
quoted(tensor, 'say "no"\\\t</script>')
quoted(tensor, "'; <b>&amp;")
