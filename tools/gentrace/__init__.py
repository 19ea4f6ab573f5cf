"""Parts of tools/gen-trace: a generator of TORCH_TRACE files.

The text is invented; the grammar is PyTorch 2.13's. From the bottom up:

    words      vocabulary, hashes, the process's configuration
    writer     records, md5, string table, clock, chromium events of one file
    graph      FX graphs: nodes, names, the ways PyTorch prints them
    model      what is being compiled: stages, their parameters and graphs
    guards     TREE_GUARD_MANAGER text
    stacks     user and framework stacks, tracebacks, graph-break messages, bytecode
    code       Inductor's output code, runnable repros, AOTAutograd's texts
    metrics    compilation_metrics with all 99 fields
    backend    what AOTAutograd and Inductor write in one compile
    compiling  the records of one compile, in PyTorch's order
    shapes     which compiles make up a trace
"""
