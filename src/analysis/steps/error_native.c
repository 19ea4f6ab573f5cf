#include "analysis/steps/error_native.h"

#include "analysis/known_errors/error_answers.h"
#include "analysis/steps/error_title.h"
#include "model/code_file.h"

/* Of a process of which the text has no stack, by the type of its end; the first step is for all others. */
#define WITHOUT_COMPILING "The text has the same command without compiling, and no such end of it. "
#define STACKS_OF_NATIVE                                                                                               \
    "The text does not show where it crashed. `python -X faulthandler CMD` (or `PYTHONFAULTHANDLER=1`) prints the "    \
    "stack of Python when it does. The stack of native code: `gdb -ex run -ex bt --args python CMD`"
static const struct {
    struct str type;
    const char *steps[ERROR_ANSWER_STEPS];
} shell_steps[] = {
    {STR_INIT("Bus error"),
     {"A bus error is most often memory that a file stands for, and that cannot be had: `/dev/shm` is full, or a file "
      "became shorter while it was in use (a cache on a network disk, a checkpoint). Look at `df -h /dev/shm`; in a "
      "container raise it (`--shm-size=8g`, or `--ipc=host`), and use fewer workers for loading data.",
      "If there is room: `python -X faulthandler CMD` prints the stack of Python when it crashes."}},
    {STR_INIT("Illegal instruction"),
     {"Most likely this CPU lacks an instruction of the code, which may have been compiled on another machine, and "
      "have come with a cache that both use, or with an image: remove Inductor's cache (`TORCHINDUCTOR_CACHE_DIR`, "
      "else `/tmp/torchinductor_$USER`), and give each kind of CPU its own.",
      "If it comes back, a library or the build of PyTorch itself may need a newer CPU: `python -X faulthandler CMD` "
      "shows which call, `lscpu` what the CPU has."}},
    {STR_INIT("Heap corruption"),
     {"Native code wrote past the end of a block of the process's own memory (not the GPU's) or freed it twice, most "
      "likely before this was noticed. Run the program without `torch.compile`, several times: if it ends so, too, an "
      "operator gets indices, pivots or sizes that are out of range, or an extension is at fault. Check what they get, "
      "and leave out one operator at a time.",
      "If only compiled code does it: `backend=\"eager\"`, then `\"aot_eager\"`, then `\"inductor\"`, each in a new "
      "process. `valgrind python CMD` names the write, `gdb -ex run -ex bt --args python CMD` where it was noticed."}},
    {STR_INIT("Kernel died"),
     {"Run the cells as a script, which shows how it ends: `jupyter nbconvert --to script NOTEBOOK.ipynb`, then "
      "`python -X faulthandler SCRIPT`. A crash in native code prints its stack; `Killed` means that the "
      "machine's memory was used up.",
      "Fewer compile workers need less memory: `TORCHINDUCTOR_COMPILE_THREADS=1`"}},
    {STR_INIT(""),
     {WITHOUT_COMPILING STACKS_OF_NATIVE,
      "Find the stage, each in a new process: `backend=\"eager\"`, then `\"aot_eager\"`, then `\"inductor\"`. If only "
      "the last crashes, it is most likely the code that Inductor generates, or the compiler that it calls.",
      "If it began with an update, install the version before it, and report the crash with the stack."}},
};

static void say_shell_steps(struct arena *a, const struct error *e, struct error_steps *out)
{
    enum { ROWS = sizeof shell_steps / sizeof *shell_steps };

    for (size_t i = 0; i < ROWS; i++)
        if (str_eq(e->failure->type, shell_steps[i].type) || shell_steps[i].type.n == 0) {
            error_step_say_each(a, out, shell_steps[i].steps);
            return;
        }
}

/* A native crash without a GPU needs a debugger; advice for GPUs has no effect there. */
bool error_native_is(const struct error *e)
{
    const struct failure *f = e->failure;

    return e->category == ERROR_RUNTIME_CRASH && !str_has(f->message, STR("CUDA")) &&
           (error_is_of_shell(f) || str_has(f->message, STR("Segmentation fault")) ||
            str_has(f->message, STR("SIGSEGV")) ||
            str_has(f->message, STR("Fatal Python error")) || str_has(f->message, STR("Windows fatal exception")) ||
            str_has(f->type, STR("Segmentation fault")) || str_eq(f->type, STR("Native assertion")));
}

/* Compiled code that the cache has may be of another machine's CPU. */
static bool is_of_another_cpu(const struct failure *f)
{
    return str_eq(f->type, STR("Illegal instruction")) && f->stack && code_file_is_inductors(f->stack->file);
}

void error_native_add_steps(struct arena *a, const struct error *e, struct error_steps *out)
{
    if (!error_native_is(e))
        return;
    if (!error_answer_of(e) &&
        ((error_is_of_shell(e->failure) && !e->stack) || is_of_another_cpu(e->failure)))
        say_shell_steps(a, e, out);
    else if (str_has(e->failure->message, STR("Windows fatal exception")))
        error_step_say(a, out,
                       STR("The innermost call shows whose native code it is: install that library and the driver "
                           "of the GPU in versions that belong to this PyTorch, or report it there with the stack."));
    else if (!(error_answer_of(e) && str_has(e->failure->message, STR("in `"))))
        error_step_say(
            a, out,
            STR("See whose native code it is: `gdb -ex run -ex bt --args python CMD`; report it with that stack. The "
                "process that crashed is one that the program starts, so let it leave its memory (`ulimit -c "
                "unlimited`), and see whose native code it is: `gdb python CORE`, then `bt`; report it with that "
                "stack."));
}
