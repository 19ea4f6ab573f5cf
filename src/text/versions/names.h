/*
 * names: which settings, functions, environment variables and other names each version of PyTorch has. Advice uses a
 * name only if the version of the trace has it.
 *
 * The facts are in names/by_version.txt, which tools/make-names writes from the wheels of PyTorch. A line has, with
 * tabs between them, a kind, a name, the first version with it, the last one (empty: the newest has it), and then
 *   of a setting: its defaults, each from a version on ("2.4=256"; an alias: "2.7@torch._dynamo.config.verbose"; left
 *   to the machine: "2.3?"), and the environment variables that set it ("$TORCH_COMPILE_DEBUG_DIR");
 *   of a function: its parameters ("fn"; since a version: "reason@2.8"; in some versions: "shapes_spec@2.13-2.13").
 * Lines are sorted by byte.
 *
 * Versions are given as PyTorch prints its own: "2.13.0+cpu", "2.8.0a0+git87f8139", "2.10.0.dev20251201". Only the
 * first two numbers count: patch releases have the same names, and a development build has the names of the next
 * release. Nothing is known about versions outside the table, and about texts that are not versions. Static data. Any
 * thread.
 */
#pragma once

#include "util/str.h"

enum name_kind {
    NAME_API,      /* a function, class, module or constant: "torch.compiler.set_stance" */
    NAME_LIMIT,    /* the name of a limit in the warning "torch._dynamo hit config.NAME": "cache_size_limit" */
    NAME_LOG,      /* in TORCH_LOGS: "recompiles" */
    NAME_MODE,     /* torch.compile(mode=...): "max-autotune" */
    NAME_SETTING,  /* "torch._inductor.config.triton.cudagraphs" */
    NAME_STANCE,   /* torch.compiler.set_stance(...): "fail_on_recompile" */
    NAME_VARIABLE, /* an environment variable: "TORCH_COMPILE_DYNAMIC_SOURCES" */
};

enum name_known {
    NAME_UNKNOWN, /* the table does not have the version, or has the name in no version */
    NAME_ABSENT,
    NAME_PRESENT,
};

enum name_known names_has(enum name_kind kind, struct str name, struct str version);

/* Whether the function has a parameter of that name: ("torch.compile", "recompile_limit", "2.12.0"). */
enum name_known names_has_parameter(struct str function, struct str parameter, struct str version);

/* "2.7": the first version that has it. Empty if the oldest version of the table has it, or if no version has it. */
struct str names_since(enum name_kind kind, struct str name);
struct str names_parameter_since(struct str function, struct str parameter);

/*
 * The default of the setting as Python prints it; for an alias, the default of the real setting. For a version outside
 * the table, the default that all versions of the table agree on. False if it is unknown: the machine or the platform
 * decides, the versions do not agree, or the version has no such setting.
 */
bool setting_default(struct str setting, struct str version, struct str *value);

/* The real setting that this name is an alias of in that version, or the name itself. */
struct str setting_real_name(struct str setting, struct str version);

/*
 * The setting of any version whose last name is `option`, of the config of `module` if that has it: for
 * ("max_autotune", "torch._dynamo") "torch._inductor.config.max_autotune". False if there is none, or if it is a name
 * of `module`.
 */
bool names_setting_of(struct str option, struct str module, struct str *setting);

/* The environment variable of any version that a name is most likely a slip of, if it is none itself. */
bool names_variable_near(struct str name, struct str *variable);

/* Whether the environment variable sets it. */
bool setting_has_variable(struct str setting, struct str variable);

/*
 * What PyTorch itself sets while it compiles, although nobody asked for it: names/by_pytorch.txt, which
 * tools/make-patched writes from runs of programs that change nothing. A line has a kind ("setting", "variable"), a
 * name, the value as Python prints it, with * for a part that differs in each process, and the number of a set. A line
 * without a number always applies. Lines of a set (what torch.export or AOTInductor change) apply if most of the set
 * occurs together: one of them alone was set by the user.
 */
struct name_patch {
    struct str name, value;
    bool variable; /* an environment variable; else a setting */
    uint64_t set;  /* 0: none */
};

/* Takes the next line off a text, which starts as names_by_pytorch; false at its end. */
bool names_next_patch(struct str *rest, struct name_patch *out);

/* Whether a value matches the line's value. */
bool names_patch_has(const struct name_patch *p, struct str value);

/* The newest version of the table: "2.13.0". */
struct str names_newest(void);

/* "2.8" for 2008, the form of pytorch_version; empty if the table does not have the version. */
struct str names_version(unsigned version);

/* The tables: see tools/embed-texts. */
extern const struct str names_by_version, names_by_pytorch;
