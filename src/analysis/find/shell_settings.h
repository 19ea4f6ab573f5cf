/*
 * shell_settings: environment variables within advice (`A=1 B=2`, `A=1 command`), as the reader's shell takes them. All
 * advice passes through it (advice_fit.h), so answers write `A=1`. Any thread.
 */
#pragma once

#include "util/arena.h"
#include "util/str.h"

/* The same words with `set A=1` for the command line of Windows. In the arena, or the words themselves. */
struct str shell_settings_of_windows(struct arena *a, struct str words);

/* The same with `$env:A="1"` for PowerShell, whose `set` makes a variable that programs do not see. */
struct str shell_settings_of_powershell(struct arena *a, struct str words);

/* The same with `%env A=1` for a cell of a notebook, and when that helps. In the arena, or the words themselves. */
struct str shell_settings_of_notebook(struct arena *a, struct str words);
