/*
 * shell_settings: environment variables within advice (`A=1 B=2`, `A=1 command`), as the reader's shell takes them, and
 * settings of Python as the program takes them that compiles. All advice passes through it (advice_fit.h), so answers
 * write `A=1`, and `torch._inductor.config.A = 1`. Any thread.
 */
#pragma once

#include "util/arena.h"
#include "util/str.h"

/* The same words with `set A=1` for the command line of Windows. In the arena, or the words themselves. */
struct str shell_settings_of_windows(struct arena *a, struct str words);

/* The same with `$env:A="1"` for PowerShell, whose `set` makes a variable that programs do not see. */
struct str shell_settings_of_powershell(struct arena *a, struct str words);

/*
 * The same with `torch._inductor.config.NAME = VALUE` as an option of vLLM's compilation, which sets it for each
 * compile. In the arena, or the words themselves.
 */
struct str shell_settings_of_vllm(struct arena *a, struct str words);

/* The same with `dynamic=False` as an option of the node of ComfyUI that compiles. In the arena, or the words. */
struct str shell_settings_of_node(struct arena *a, struct str words);

/* The same with `%env A=1` for a cell of a notebook, and when that helps. In the arena, or the words themselves. */
struct str shell_settings_of_notebook(struct arena *a, struct str words);
