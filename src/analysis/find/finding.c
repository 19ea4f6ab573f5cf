#include "analysis/find/finding.h"

const char *finding_severity_name(enum finding_severity s)
{
    static const char *const names[FINDING_SEVERITIES] = {"critical", "high", "medium", "low", "info"};

    return names[s];
}

const char *paste_kind_name(enum paste_kind k)
{
    static const char *const names[PASTE_KINDS] = {NULL, "statement", "setting", "environment", "command", "pattern"};

    return names[k];
}
