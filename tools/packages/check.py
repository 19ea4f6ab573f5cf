"""Placeholder."""


def main(root, output):
    return 1
