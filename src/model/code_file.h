/*
 * code_file: decides by its path alone whose code a file is. Paths come from any machine: Linux, macOS and Windows,
 * packages and checkouts, full and shortened. Any thread.
 */
#pragma once

#include "util/str.h"

/*
 * Whether a file belongs to PyTorch, Triton or Python itself, not to the user: their packages, installed or checked
 * out, the standard library, code that Inductor or FX wrote, and the scripts that start programs (torchrun). Other
 * packages count as the user's. So do notebook cells and the text after `python -c`.
 */
bool is_framework_file(struct str file);

/*
 * Whether it belongs to a package other than PyTorch and Triton: an installed one, or one that is known by its paths
 * ("transformers/models/sam/modeling_sam.py"); so does what a package wrote.
 */
bool is_library_file(struct str file);

/* Whether it is neither: code of the program itself. */
bool is_program_file(struct str file);

/*
 * Whether it belongs to a checkout of a package that the script does not belong to: /x/helion/helion/runtime/kernel.py
 * or /x/helion/src/helion/kernel.py, where the script is no file below /x/helion/.
 */
bool is_other_checkout(struct str file, struct str script);

/* Whether the path contains a part, written with slashes whatever system the path comes from: "torch/_inductor/". */
bool code_file_has(struct str file, struct str part);
bool code_file_has_any(struct str file, const struct str *parts, size_t n);

/* The same, of an array. */
#define CODE_FILE_HAS_ANY(file, array) code_file_has_any((file), (array), sizeof(array) / sizeof *(array))

/*
 * Whether it belongs to Dynamo, AOTAutograd or Inductor. Calls of compiled code go through these files; what programs
 * call (packages of AOTInductor, torch/_inductor/__init__.py), and what calls programs, does not count.
 */
bool code_file_runs_compiled(struct str file);

/* Whether Inductor wrote it to a cache: its own, whatever the directory is named, or vLLM's. */
bool code_file_is_inductors(struct str file);

/* Whether a function is AOTAutograd's wrapper around a compiled graph, which calls it when the program runs. */
bool code_file_calls_compiled(struct str file, struct str function);

/*
 * Whether a library wrote it: Unsloth does so beside the program for each model, and again for each version;
 * torch_geometric writes temporary files.
 */
bool code_file_is_librarys(struct str file);

/*
 * Whether it belongs to the parts of PyTorch that run a program on tensors without data or record what it calls: fake
 * tensors, symbolic sizes, graphs of FX, functionalization. torch.compile, torch.export and programs call them.
 */
bool code_file_traces(struct str file);

/* Whether it belongs to torch.export, to the exporter to ONNX, or to the part of Dynamo that only exports call. */
bool code_file_exports(struct str file);

/* The path after the last site-packages or (Debian's) dist-packages directory; empty without one. A view of file. */
struct str code_file_package_path(struct str file);

/* "model.py" of "/home/u/model.py" and of "C:\work\model.py". A view of file. */
struct str code_file_name(struct str file);

/* The last n components of a path, n at least 1: "nn/model.py" for 2. A view of file. */
struct str code_file_tail(struct str file, unsigned n);

/*
 * The name of the module in an installed file: "logging" for ".../lib/python3.11/logging/__init__.py", "os" for
 * "<frozen os>", "torch.nn.functional", "einops.einops". Writes it to the buffer with a NUL byte and returns a view of
 * it. Empty for a file of the program itself, and for a name that does not fit.
 */
enum { CODE_MODULE_MAX = 256 };
struct str code_file_module(struct str file, char buffer[CODE_MODULE_MAX]);
