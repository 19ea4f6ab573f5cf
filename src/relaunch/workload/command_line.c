#include "relaunch/workload/command_line.h"

bool command_is_python(struct str word)
{
    struct str name = str_file_name(word);

    return str_starts(name, STR("python")) && !str_ends(name, STR(".py"));
}

static bool is_torchrun(struct str word)
{
    return str_eq(str_file_name(word), STR("torchrun"));
}

/* "-m torch.distributed.run" or "-m torch.distributed.launch" among Python's own options. */
static bool runs_torchrun(const struct str *words, size_t n)
{
    for (size_t i = 1; i + 1 < n && str_starts(words[i], STR("-")); i++)
        if (str_eq(words[i], STR("-m")))
            return str_starts(words[i + 1], STR("torch.distributed."));
    return false;
}

static void push(struct arena *a, struct command_line *c, struct str word)
{
    vec_push(a, &c->words, arena_str(a, word));
}

/* "python train.py", "python -m train": torchrun can start the interpreter itself, but not if Python has options. */
static bool is_script(const struct workload *w)
{
    return command_is_python(w->command.v[0]) && w->command.n > 1 &&
           (!str_starts(w->command.v[1], STR("-")) || str_eq(w->command.v[1], STR("-m")));
}

/* The launcher and its options; true if it starts the interpreter itself. */
static bool push_launcher(struct arena *a, struct command_line *c, const struct workload *w, struct str python)
{
    struct str ranks = arena_printf(a, "%lld", (long long)(w->ranks ? w->ranks : 1));

    switch (w->launcher) {
    case LAUNCHER_TORCHRUN:
        c->torchrun = true;
        push(a, c, python.n ? python : command_is_python(w->command.v[0]) ? w->command.v[0] : STR("python3"));
        push(a, c, STR("-m"));
        push(a, c, STR("torch.distributed.run"));
        push(a, c, STR("--standalone"));
        push(a, c, arena_printf(a, "--nproc-per-node=%.*s", STR_ARG(ranks)));
        if (!is_script(w))
            push(a, c, STR("--no-python"));
        return is_script(w);
    case LAUNCHER_MPIRUN:
    case LAUNCHER_SRUN:
        push(a, c, str_of(launcher_name(w->launcher)));
        push(a, c, STR("-n"));
        push(a, c, ranks);
        c->rank_at = c->words.n;
        return false;
    default:
        return false;
    }
}

struct command_line command_line_make(struct arena *a, const struct workload *w, struct str python)
{
    struct command_line c = {0};
    struct str first = w->command.v[0];
    bool starts_python = push_launcher(a, &c, w, python);

    if (starts_python) {
        /* torchrun starts programs with the interpreter that it runs under. */
    } else if (python.n && command_is_python(first)) {
        push(a, &c, python);
    } else if (python.n && is_torchrun(first)) {
        push(a, &c, python);
        push(a, &c, STR("-m"));
        push(a, &c, STR("torch.distributed.run"));
    } else {
        push(a, &c, first);
    }
    for (size_t i = 1; i < w->command.n; i++)
        push(a, &c, w->command.v[i]);
    c.torchrun |= is_torchrun(first) || (command_is_python(first) && runs_torchrun(w->command.v, w->command.n));
    return c;
}

void command_line_insert(struct arena *a, struct command_line *c, size_t at, const struct str *words, size_t n)
{
    const struct command_line old = *c;

    c->words.v = NULL;
    c->words.n = c->words.cap = 0;
    for (size_t i = 0; i <= old.words.n; i++) {
        for (size_t k = 0; i == at && k < n; k++)
            vec_push(a, &c->words, words[k]);
        if (i < old.words.n)
            vec_push(a, &c->words, old.words.v[i]);
    }
    if (old.rank_at && at < old.rank_at)
        c->rank_at += n;
}

const char *const *command_line_argv(struct arena *a, const struct command_line *c)
{
    const char **argv = ARENA_ARRAY(a, const char *, c->words.n + 1);

    for (size_t i = 0; i < c->words.n; i++)
        argv[i] = c->words.v[i].p;
    return argv;
}
