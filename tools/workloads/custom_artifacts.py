"""Records that other programs write: artifacts of unknown names and kinds, a link, graph dumps, names like paths, vLLM's."""

import json

import torch
from torch._logging import trace_structured

RUN = {}


def artifact(name, encoding, payload):
    trace_structured("artifact", metadata_fn=lambda: {"name": name, "encoding": encoding}, payload_fn=lambda: payload)


def graph_dump(name, text):
    trace_structured("graph_dump", metadata_fn=lambda: {"name": name}, payload_fn=lambda: text)


def general(graph):
    artifact("shop_report", "json", {"graph nodes": len(graph.graph.nodes)})
    artifact("shop_report", "string", "the same name again")
    artifact("shop_note", "string", "")
    artifact("../../outside", "string", "a name that must not become a path")
    artifact("/etc/absolute", "string", "nor this one")
    artifact("a b/c:d?<e>|\u00e9", "string", "nor this one, but it is what it is called")
    artifact("n" * 300, "string", "a very long name")
    artifact("not_json", "json", "{broken")
    artifact("odd_encoding", "rot13", "uryyb")
    trace_structured("link", metadata_fn=lambda: {"name": "dashboard", "url": "https://example.org/run?id=1&x=<y>"})
    trace_structured("link", metadata_fn=lambda: {"name": "bad link", "url": "javascript:alert(1)"})
    trace_structured("shop_event", metadata_fn=lambda: {"kind": "of our own", "value": 3})
    trace_structured("shop_event_with_payload", metadata_fn=lambda: {}, payload_fn=lambda: "line 1\nline 2\n")
    graph_dump("shop_graph", graph.print_readable(print_output=False))


def vllm_like(graph):
    """The sequence of records, one call with two pieces, that vLLM writes around its compiles."""
    text = graph.print_readable(print_output=False)
    artifact("vllm_compile_event", "json", json.dumps({"type": "fresh_compile"}))
    artifact("vllm_compilation_config", "json", json.dumps({
        "model": "shop/tiny", "prefix": "", "mode": "VLLM_COMPILE", "backend": "inductor", "custom_ops": ["none"],
        "splitting_ops": ["shop::attention"], "cudagraph_mode": "NONE", "compile_sizes": [1],
        "compile_ranges_split_points": [], "use_inductor_graph_partition": False, "inductor_passes": {},
        "enabled_passes": ["FusePass"], "dynamic_shapes_type": "BACKED", "dynamic_shapes_evaluate_guards": False,
    }))
    graph_dump("vllm_piecewise_split_graph", text)
    for piece in range(2):
        artifact("vllm_piecewise_compile_start", "json", json.dumps({
            "piecewise_index": piece, "submod_name": f"submod_{piece}", "total": 2, "compile_range_start": 1,
            "compile_range_end": 64, "is_single_size": False, "is_cudagraph_capture_size": False,
        }))
        graph_dump(f"vllm_submod_{piece}", text)
        graph_dump("vllm_patterns.FusePass", "def pattern(x):\n    return x + 1\n")
        graph_dump("vllm_post_grad.0.FusePass", text)
    artifact("vllm_compile_event", "json", json.dumps({"type": "aot_cache_hit"}))


def backend(graph, inputs):
    general(graph)
    vllm_like(graph)
    return graph.forward


@torch.compile(backend=backend)
def served(x):
    return x.sin() + 1


served(torch.ones(3))
artifact("outside_any_compile", "string", "no compile id stands on this record")
