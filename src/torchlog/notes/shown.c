#include "torchlog/notes/shown.h"

#include "text/code/shown_code.h"
#include "util/utf8.h"

enum { SHOWN_MAX = 80 };

/* --- constructs --------------------------------------------------------------------------------------------------- */

enum { FEW_PASSES = 20 };

static bool calls_backward(struct str bare)
{
    return str_has(bare, STR(".backward("));
}

/* "for t in range(T):" may be long; of modules there are few. */
static bool loops_long(struct str bare)
{
    uint64_t passes = shown_passes(bare);

    return str_starts(bare, STR("for ")) && str_has(bare, STR(" in range(")) && str_ends(bare, STR(":")) &&
           (passes == 0 || passes >= FEW_PASSES) && !str_has_any_line(bare, STR("layers\nblocks\nheads\ndepth"));
}

static bool reads_number(struct str bare)
{
    return str_has_any_line(bare, STR(".item()\n.tolist()\n.numpy()")) || str_starts(bare, STR("print("));
}

static bool stops_gradients(struct str bare)
{
    return str_starts(bare, STR("with torch.no_grad()")) || str_starts(bare, STR("with torch.inference_mode()"));
}

/* A row holds in a compiled function. */
static const struct construct {
    bool (*is)(struct str bare);
    enum complaint of;
    const char *lead;
} constructs[] = {
    {calls_backward, COMPLAINT_MEMORY, "the compiled function calls `backward()`"},
    {loops_long, COMPLAINT_COMPILING, "the compiled function has a loop"},
    {reads_number, COMPLAINT_SLOW, "the compiled function leaves the graph"},
    {stops_gradients, COMPLAINT_SLOW, "the compiled function switches gradients off itself"},
};

/* Comments are no code. */
static const struct construct *construct_in(struct str bare, enum complaint complaint)
{
    if (str_starts(bare, STR("#")))
        return NULL;
    for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++)
        if (constructs[i].of == complaint && constructs[i].is(bare))
            return &constructs[i];
    return NULL;
}

/* Whether any code can explain the complaint. */
static bool has_construct(enum complaint complaint)
{
    for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++)
        if (constructs[i].of == complaint)
            return true;
    return false;
}

static struct series_found found_in(struct arena *a, struct str body, enum complaint complaint)
{
    struct str line;

    while (str_next_line(&body, &line)) {
        const struct construct *c = construct_in(str_trim(line), complaint);

        if (c)
            return (struct series_found){
                .message =
                    arena_printf(a, "%s: %.*s", c->lead, STR_ARG(utf8_shorten(a, str_trim(line), SHOWN_MAX))),
                .line = line,
            };
    }
    return (struct series_found){.line = {0}};
}

/* --- methods of a module that is compiled ------------------------------------------------------------------------- */

/* Methods of torch.nn.Module that compute nothing. */
static bool is_of_module(struct str name)
{
    static const char names[] = "forward\neval\ntrain\nto\ncuda\ncpu\nhalf\nbfloat16\nfloat\nparameters\nstate_dict\n"
                                "load_state_dict\nbuffers\nmodules\nchildren\nrequires_grad_\nzero_grad\napply\n"
                                "named_parameters\nnamed_modules\nnamed_buffers\nnamed_children\ncompile";
    struct str rest = str_of(names), one;

    while (str_next_line(&rest, &one))
        if (str_eq(one, name))
            return true;
    return str_starts(name, STR("register_"));
}

/* "generate" of "out = m.generate(ids)"; `*called` if "m(" stands there. */
static struct str method_called(struct str line, struct str name, bool *called)
{
    struct str found = {0};

    for (ptrdiff_t at; (at = str_find(line, name)) >= 0; line = str_skip(line, (size_t)at + name.n)) {
        struct str behind = str_skip(line, (size_t)at + name.n), method;

        if (at > 0 && (str_is_word_char(line.p[at - 1]) || line.p[at - 1] == '.'))
            continue;
        *called |= str_starts(behind, STR("("));
        if (!str_consume(&behind, STR(".")))
            continue;
        method = str_word(behind);
        if (method.n && !is_of_module(method) &&
            str_starts(str_skip(behind, method.n), STR("(")))
            found = method;
    }
    return found;
}

/* A module's wrapper compiles calls of the module: its other methods are those of the module that it wraps. */
static struct series_found only_method(struct arena *a, struct str text, const struct shown_code *c)
{
    struct series_found found = {.line = {0}};
    bool called = false;
    struct str line;

    if (c->wrappers_n == 0 || str_has(text, STR(".forward = torch.compile(")))
        return found;
    while (str_next_line(&text, &line)) {
        struct str bare = str_trim(line), method = method_called(bare, c->wrappers[c->wrappers_n - 1], &called);

        if (method.n && found.line.n == 0 && !str_starts(bare, STR("#")) && !str_has(bare, STR("torch.compile(")))
            found = (struct series_found){
                .message = arena_printf(a, "most likely nothing is compiled: the text calls `%.*s`, and not the module",
                                        STR_ARG(method)),
                .line = line,
            };
    }
    return called ? (struct series_found){.line = {0}} : found;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

struct series_found shown_cause(struct arena *a, struct str text, enum complaint complaint)
{
    struct series_found found = {.line = {0}};
    struct shown_code code;

    if (!has_construct(complaint))
        return found;
    shown_code_read(text, &code);
    if (complaint == COMPLAINT_SLOW)
        found = only_method(a, text, &code);
    for (size_t i = 0; i < code.n && !found.line.n; i++)
        found = found_in(a, code.compiled[i].body, complaint);
    return found;
}
