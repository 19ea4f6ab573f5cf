#include "util/fingerprint.h"

bool fingerprint_of(struct str text, struct fingerprint *out)
{
    (void)text;
    *out = (struct fingerprint){0};
    return false;
}
