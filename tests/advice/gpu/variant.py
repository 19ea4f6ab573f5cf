"""Which variant of a program runs, and what it computes: the programs of this folder import it."""
import os

FIX = os.environ.get("PT2TRACE_FIX") or None  # a name of a line "# fix NAME: ...", or None for the program with its problem


def result(tensor):
    print(f"result: {float(tensor):.6g}", flush=True)
