"""Helpers that the compiled functions of graph_breaks.py call; some cannot be traced."""

import torch


def discounted(prices, threshold):
    """Breaks in the middle of a helper: the caller's graph ends here too."""
    total = prices * 0.9
    if total.sum() > threshold:
        total = total - 1
    return total


def rounded(prices):
    """Traces as it is."""
    return torch.round(prices, decimals=2)


def taxed(prices):
    """The break is one call deeper."""
    return discounted(prices, 5.0) * 1.2


@torch.compiler.disable
def receipt(prices):
    return prices.tolist()
