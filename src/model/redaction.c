#include "model/redaction.h"

const char *redaction_mode_name(enum redaction_mode m)
{
    static const char *const names[] = {NULL, "redact", "skeleton"};

    return names[m];
}

const char *redaction_sort_prefix(enum redaction_sort s)
{
    static const char *const prefixes[REDACTION_SORTS] = {
        [REDACTION_NAME] = "name", [REDACTION_DIRECTORY] = "dir", [REDACTION_URL] = "url",
        [REDACTION_KEY] = "key",   [REDACTION_ADDRESS] = "host",  [REDACTION_NUMBER] = "n",
    };

    return prefixes[s];
}
