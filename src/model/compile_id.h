/*
 * compile_id: the id that PyTorch gives a compile, printed as `N/M` (frame/compile of that frame), as `!A/N/M` under
 * compiled autograd, and as `!A` for the capture of a compiled autograd graph itself (torch/_guards.py, class
 * CompileId). A record may add the attempt: `N/M_a`. Ids are unique within one epoch of one process, never beyond. Any
 * thread.
 */
#pragma once

#include "util/arena.h"

enum { ID_NONE = -1 };

struct compile_id {
    int32_t autograd, frame, compile; /* ID_NONE if the form has none */
};

#define COMPILE_ID_NONE ((struct compile_id){ID_NONE, ID_NONE, ID_NONE})

static inline bool compile_id_is_none(struct compile_id id)
{
    return id.autograd == ID_NONE && id.frame == ID_NONE && id.compile == ID_NONE;
}

static inline bool compile_id_eq(struct compile_id a, struct compile_id b)
{
    return a.autograd == b.autograd && a.frame == b.frame && a.compile == b.compile;
}

/* "0/1", "!2/0/1", "!2"; "-" if there is none. */
struct str compile_id_print(struct arena *a, struct compile_id id);

/*
 * Takes any printed form off the start of s, with or without brackets: "[0/1_1]", "0/1", "!0/3/0". *attempt is 0 if
 * the form has none. False, with s unchanged, if it is not a compile id or a number exceeds LIMIT_COMPILE_NUMBER.
 */
bool compile_id_take(struct str *s, struct compile_id *id, int *attempt);
