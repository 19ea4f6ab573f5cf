#include "analysis/steps/error_compiler.h"

#include "text/messages/compiler_output.h"

static struct str who_ran(struct arena *a, const struct compiler_output *output)
{
    return output->version.n ? arena_printf(a, "MSVC (`cl`) %.*s", STR_ARG(output->version)) : STR("The C++ compiler");
}

bool error_compiler_say(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct compiler_output output;
    struct str who;

    if (!compiler_output_read(e->failure->message, &output) || output.has_error)
        return false;
    who = who_ran(a, &output);
    error_step_say(a, out,
                   arena_printf(a,
                                "%.*s was found and ran, and refused the code or an option. Why stands in its own "
                                "lines below `Output:`, %s: read them in the whole message, or run the command below "
                                "`Command:` again by itself, in the same prompt.%s",
                                STR_ARG(who),
                                !output.begins      ? "which this text does not have"
                                : output.line.n == 0 ? "and the text ends before them"
                                                     : "and the text has no error of them, or only its beginning",
                                output.foreign ? " `VSLANG=1033` makes it speak English, if Visual Studio's English "
                                                 "language pack is installed."
                                               : ""));
    error_step_say(a, out,
                   STR("Try a newer PyTorch, then report it with these lines. Until it is fixed, exclude the function "
                       "(`@torch.compiler.disable`); `backend=\"aot_eager\"` compiles without Inductor."));
    return true;
}
