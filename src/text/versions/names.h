/*
 * names: which settings, functions, environment variables and other names each version of PyTorch has. Advice uses a
 * name only where the version of the trace has it.
 *
 * The facts are in names/by_version.txt, which tools/make-names writes from the wheels of PyTorch. A line has, with
 * tabs between them, a kind, a name, the first version with it, the last one (empty: the newest has it), and then
 *   of a setting: its defaults, each from a version on ("2.4=256"; an alias: "2.7@torch._dynamo.config.verbose"; left
 *   to the machine: "2.3?"), and the environment variables that set it ("$TORCH_COMPILE_DEBUG_DIR");
 *   of a function: its parameters ("fn"; since a version: "reason@2.8"; in some versions: "shapes_spec@2.13-2.13").
 * Lines are sorted by byte.
 *
 * Versions are given as PyTorch prints its own: "2.13.0+cpu", "2.8.0a0+git87f8139", "2.10.0.dev20251201". The first two
 * numbers count: patch releases have the same names, and a development build those of the release that follows it. Of
 * versions outside of the table, and of texts that are no version, nothing is known. Static data. Any thread.
 */
#pragma once

#include "util/str.h"

enum name_kind {
    NAME_API,      /* a function, class, module or constant: "torch.compiler.set_stance" */
    NAME_LIMIT,    /* how the warning "torch._dynamo hit config.NAME" calls a limit: "cache_size_limit" */
    NAME_LOG,      /* in TORCH_LOGS: "recompiles" */
    NAME_MODE,     /* torch.compile(mode=...): "max-autotune" */
    NAME_SETTING,  /* "torch._inductor.config.triton.cudagraphs" */
    NAME_STANCE,   /* torch.compiler.set_stance(...): "fail_on_recompile" */
    NAME_VARIABLE, /* an environment variable: "TORCH_COMPILE_DYNAMIC_SOURCES" */
};

enum name_known {
    NAME_UNKNOWN, /* the table has no such version, or in no version such a name */
    NAME_ABSENT,
    NAME_PRESENT,
};

enum name_known names_has(enum name_kind kind, struct str name, struct str version);

/* Whether the function takes a parameter of that name: ("torch.compile", "recompile_limit", "2.12.0"). */
enum name_known names_has_parameter(struct str function, struct str parameter, struct str version);

/* "2.7": the first version that has it. Empty where the oldest version of the table has it, too, or none has it. */
struct str names_since(enum name_kind kind, struct str name);
struct str names_parameter_since(struct str function, struct str parameter);

/*
 * The value that the setting has where nobody sets it, as Python prints it; of an alias the default of the setting
 * behind it. Of a version outside of the table: the value that it has in all versions of the table. False where it is
 * not known: the machine or the platform decides, the versions do not agree, or the version has no such setting.
 */
bool setting_default(struct str setting, struct str version, struct str *value);

/* The setting that this one is another name for in that version, or itself. */
struct str setting_real_name(struct str setting, struct str version);

/* Whether the environment variable sets it. */
bool setting_has_variable(struct str setting, struct str variable);

/*
 * What PyTorch itself sets while it compiles, though nobody asked for it: names/by_pytorch.txt, which
 * tools/make-patched writes from runs of programs that change nothing. A line is a kind ("setting", "variable"), a
 * name, the value as Python prints it, with * for what is another in each process, and the number of a set. Lines
 * without a number hold wherever they are met. Those of a set (what torch.export or AOTInductor change) hold where most
 * of the set is met together: one of them alone is the user's.
 */
struct name_patch {
    struct str name, value;
    bool variable; /* of the environment; else a setting */
    uint64_t set;  /* 0: none */
};

/* Takes the next line off a text that is names_by_pytorch at first; false at its end. */
bool names_next_patch(struct str *rest, struct name_patch *out);

/* Whether a value is the one of the line. */
bool names_patch_has(const struct name_patch *p, struct str value);

/* The newest version of the table: "2.13.0". */
struct str names_newest(void);

/* "2.8" for 2008, as pytorch_version has it; empty when the table has no such version. */
struct str names_version(unsigned version);

/* The tables: see tools/embed-texts. */
extern const struct str names_by_version, names_by_pytorch;
