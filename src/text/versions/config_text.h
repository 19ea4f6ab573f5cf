/*
 * config_text: reads the settings that PyTorch writes at the top of fx_graph_runnable, the program that compiles one
 * graph: the environment variables that are set (2.7 and later), and configuration values. Up to 2.5 these are the
 * values that have changed since PyTorch was imported; from 2.6 on, all values that were assigned by anyone, even to
 * their default.
 *
 *   os.environ['TORCHINDUCTOR_CACHE_DIR'] = '/tmp/x'
 *   torch._functorch.config.functionalize_rng_ops = False
 *
 * Source: torch/_dynamo/repro/after_aot.py and torch/utils/_config_module.py (codegen_config). Views point into the
 * text. Any thread.
 */
#pragma once

#include "util/vec.h"

struct setting {
    struct str name;  /* "TORCHINDUCTOR_CACHE_DIR", "torch._functorch.config.functionalize_rng_ops" */
    struct str value; /* as Python source: 'x', False, 8 */
    bool environment; /* an environment variable */
};

struct settings {
    VEC(struct setting) list;
};

/* Reads the head of the program, up to the class that contains the graph. */
void settings_parse(struct arena *a, struct str text, struct settings *out);

/*
 * Facts about the machine in comments of the same head; empty if missing:
 *
 *   # torch version: 2.8.0a0+git87f8139
 *   # torch cuda version: 12.0
 *   # torch git version: 87f813999db2e55e9e1313ff4158c929340f4d9c
 *   # GPU Hardware Info:
 *   # NVIDIA H100 : 8
 */
struct build {
    struct str pytorch, cuda, commit, gpu;
};
void build_parse(struct str text, struct build *out);
