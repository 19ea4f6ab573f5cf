/*
 * guard_name: turns a guard's source into the name that the user wrote. A source is a Python expression that can be
 * evaluated in the frame; people want to read
 *
 *   L['x'] -> x                                   G['N'] -> N
 *   self._modules['lin']._parameters['weight'] -> self.lin.weight      self._modules['0'] -> self[0]
 *   k.__dict__['v'] -> k.v                        dict(type(k).__dict__)['v'] -> type(k).v
 *   G['__import_torch_dot_nn'].x -> torch.nn.x    G['__builtins_dict___1']['len'] -> len
 *   ___from_numpy(a) -> a                         list(dict.keys(d))[0] stays
 *
 * The result is in the arena, or a view of the source if nothing changes. Linear. Any thread.
 */
#pragma once

#include "util/arena.h"

struct str guard_name(struct arena *a, struct str source);

/*
 * What a guard is on, in words: "forward pre-hook 1 of `self.till`" for the source of anything in a hook, else the
 * name, cut where it is long, in backquotes.
 */
struct str guard_subject(struct arena *a, struct str source);
