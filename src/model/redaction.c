#include "model/redaction.h"

static const struct {
    const char *prefix, *name;
} sorts[REDACTION_SORTS] = {
    [REDACTION_NAME] = {"name", "names"},        [REDACTION_DIRECTORY] = {"dir", "directories"},
    [REDACTION_URL] = {"url", "urls"},           [REDACTION_KEY] = {"key", "keys"},
    [REDACTION_ADDRESS] = {"host", "addresses"}, [REDACTION_NUMBER] = {"n", "numbers"},
};

const char *redaction_mode_name(enum redaction_mode m)
{
    static const char *const names[] = {NULL, "redact", "skeleton"};

    return names[m];
}

const char *redaction_sort_name(enum redaction_sort s)
{
    return sorts[s].name;
}

const char *redaction_sort_prefix(enum redaction_sort s)
{
    return sorts[s].prefix;
}
