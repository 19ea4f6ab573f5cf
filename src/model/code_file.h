/*
 * code_file: whose code a file is, by its path alone. Paths come from any machine: Linux, macOS and Windows, packages
 * and checkouts, whole and shortened. Any thread.
 */
#pragma once

#include "util/str.h"

/*
 * Whether a file belongs to PyTorch, Triton or Python itself, and not to what the user wrote: their packages, wherever
 * they are installed or checked out, the standard library, code that Inductor or FX wrote, and the scripts that start
 * programs (torchrun). Other packages count as the user's. So do cells of notebooks and the text behind `python -c`.
 */
bool is_framework_file(struct str file);

/* Whether it is installed as a package, but not of PyTorch or Triton. */
bool is_library_file(struct str file);

/* Whether the path has a part, written with slashes, whichever system it is of: "torch/_inductor/". */
bool code_file_has(struct str file, struct str part);

/* "model.py" of "/home/u/model.py" and of "C:\work\model.py". A view of file. */
struct str code_file_name(struct str file);

/* The last n names of a path, n at least 1: "nn/model.py" for 2. A view of file. */
struct str code_file_tail(struct str file, unsigned n);

/*
 * The module that an installed file is: "logging" of ".../lib/python3.11/logging/__init__.py", "os" of "<frozen os>",
 * "torch.nn.functional", "einops.einops". Writes it to the buffer, which it ends with '\0', and returns a view of it;
 * empty for a file of the program itself, and for a name that does not fit.
 */
enum { CODE_MODULE_MAX = 256 };
struct str code_file_module(struct str file, char buffer[CODE_MODULE_MAX]);
