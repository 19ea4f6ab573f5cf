#include "analysis/recompiles/recompile_version.h"

#include "analysis/answers/versions.h"

static struct str version_of(const struct recompile_cause *cause)
{
    return process_pytorch(cause->first->compile->process);
}

bool recompile_has(const struct recompile_cause *cause, enum name_kind kind, const char *name)
{
    return names_has(kind, str_of(name), version_of(cause)) == NAME_PRESENT;
}

bool recompile_may_have(const struct recompile_cause *cause, enum name_kind kind, const char *name)
{
    return version_of(cause).n == 0 || recompile_has(cause, kind, name);
}

bool recompile_has_parameter(const struct recompile_cause *cause, const char *parameter)
{
    return names_has_parameter(STR("torch.compile"), str_of(parameter), version_of(cause)) == NAME_PRESENT;
}

bool recompile_version_is_known(const struct recompile_cause *cause)
{
    return version_of(cause).n > 0;
}

bool recompile_version_is(const struct recompile_cause *cause, uint64_t major, uint64_t minor)
{
    struct str version = version_of(cause);
    uint64_t have_major, have_minor;

    return str_take_u64(&version, &have_major) && str_consume(&version, STR(".")) &&
           str_take_u64(&version, &have_minor) && (have_major > major || (have_major == major && have_minor >= minor));
}
