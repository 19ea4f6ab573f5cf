#include "model/compile_id.h"

#include "input/limits.h"

struct str compile_id_print(struct arena *a, struct compile_id id)
{
    if (compile_id_is_none(id))
        return STR("-");
    if (id.autograd == ID_NONE)
        return id.compile == ID_NONE ? arena_printf(a, "%d", id.frame) : arena_printf(a, "%d/%d", id.frame, id.compile);
    if (id.frame == ID_NONE)
        return arena_printf(a, "!%d", id.autograd);
    return arena_printf(a, "!%d/%d/%d", id.autograd, id.frame, id.compile);
}

static bool take_number(struct str *s, int32_t *out)
{
    uint64_t v;

    if (!str_take_u64(s, &v) || v > LIMIT_COMPILE_NUMBER)
        return false;
    *out = (int32_t)v;
    return true;
}

/* `!A` may be alone (the capture itself), but a frame's number never is. */
bool compile_id_take(struct str *s, struct compile_id *id, int *attempt)
{
    struct str t = *s;
    bool bracket = str_consume(&t, STR("[")), autograd = str_consume(&t, STR("!"));
    int32_t a = 0;

    *id = COMPILE_ID_NONE;
    if (autograd && !take_number(&t, &id->autograd))
        return false;
    if (!autograd || str_consume(&t, STR("/")))
        if (!take_number(&t, &id->frame) || !str_consume(&t, STR("/")) || !take_number(&t, &id->compile))
            return false;
    if (str_consume(&t, STR("_")) && !take_number(&t, &a))
        return false;
    if (bracket && !str_consume(&t, STR("]")))
        return false;
    *attempt = a;
    *s = t;
    return true;
}
