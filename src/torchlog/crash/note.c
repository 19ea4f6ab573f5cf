#include "torchlog/crash/note.h"

/* A line must contain all words of `all`, and at least one of `any`; the first matching row counts. */
static const struct {
    const char *all, *any;
} rows[] = {
    /* key_averages().table() of torch.profiler: a compiled graph (2.2 and later), and AOTAutograd's function */
    {"Torch-Compiled Region: \t%\ts ", NULL},
    {"CompiledFxGraph \t%\ts ", NULL},
    {"CompiledFunction\t%\ts ", NULL},
    /* parameters of a compiled module have other names: transformers, safetensors, diffusers, Lightning */
    {"_orig_mod.", " not used\ninitialized\nnexpected\nissing"},
    /* what torch.export and Inductor make, printed */
    {"ExportedProgram:", NULL},
    {"async_compile = AsyncCompile()", NULL},
    /* vLLM */
    {"torch_compile_cache", "sing cache directory"},
    /* a node of ComfyUI */
    {"artial torch compile only", NULL},
    /* a logger's warning about what is ours */
    {"WARN", "torch.compile\ntorch compile\n_dynamo\ntorchdynamo\n_inductor\ncudagraph\nCUDA graph\nCUDAGraph"},
    {"[W", "torch.compile\ntorch compile"},
};

static bool has_all(struct str line, struct str words)
{
    while (words.n)
        if (!str_has(line, str_split(&words, '\t')))
            return false;
    return true;
}

static bool has_any(struct str line, struct str words)
{
    struct str word;

    while (str_next_line(&words, &word))
        if (str_has(line, word))
            return true;
    return false;
}

static bool fits(struct str line, size_t row)
{
    return has_all(line, str_of(rows[row].all)) && (!rows[row].any || has_any(line, str_of(rows[row].any)));
}

/* --- profiles ----------------------------------------------------------------------------------------------------- */

enum { PROFILES = 3, TABLES = 5, SHOWN = 3, TOTAL_SHARE = 3, TOTAL = 4 }; /* rows of profiles; columns of "CPU total" */

/* The cell of a row whose cells are two blanks or more apart. */
static struct str cell(struct str row, size_t column)
{
    row = str_trim(row);
    for (;; column--) {
        ptrdiff_t end = str_find(row, STR("  "));

        if (column == 0 || end < 0)
            return column == 0 ? str_take(row, end < 0 ? row.n : (size_t)end) : (struct str){0};
        row = str_trim(str_skip(row, (size_t)end));
    }
}

/* The first compiled graphs of the table, which is sorted by what the reader asked for. */
static struct str profile(struct arena *a, struct str text, size_t row)
{
    struct str line, out = {0};
    size_t n = 0;

    while (str_next_line(&text, &line)) {
        struct str share = cell(line, TOTAL_SHARE), time = cell(line, TOTAL);

        if (!fits(line, row) || !str_ends(share, STR("%")) || n++ >= SHOWN)
            continue;
        out = arena_printf(a, "%.*s%s%.*s %.*s of the CPU's time (%.*s)", STR_ARG(out), out.n ? ", " : "",
                           STR_ARG(cell(line, 0)), STR_ARG(share), STR_ARG(time));
    }
    if (n > SHOWN)
        out = arena_printf(a, "%.*s, and %zu more", STR_ARG(out), n - SHOWN);
    return out.n ? arena_printf(a, "a profile of torch.profiler: %.*s", STR_ARG(out)) : out;
}

/* Of a table: those up to blank ones, in both directions. */
static uint64_t lines_around(struct str text, uint64_t number)
{
    struct str line;
    uint64_t n = 0;

    for (uint64_t i = 1; str_next_line(&text, &line); i++) {
        if (str_trim(line).n == 0 && i > number)
            break;
        n = str_trim(line).n ? n + 1 : 0;
    }
    return n;
}

bool note_find(struct arena *a, struct str text, struct text_note *out)
{
    size_t best = sizeof rows / sizeof *rows;
    struct str rest = text, line;

    for (uint64_t n = 1; best > 0 && str_next_line(&rest, &line); n++)
        for (size_t i = 0; i < best; i++)
            if (fits(line, i)) {
                best = i;
                *out = (struct text_note){.message = str_trim(line), .number = n, .lines = 1};
            }
    if (best < TABLES)
        out->lines = lines_around(text, out->number);
    if (best < PROFILES)
        out->message = profile(a, text, best);
    return best < sizeof rows / sizeof *rows && out->message.n;
}
