#include "analysis/recompiles/recompile_library.h"

#include "analysis/find/guard_facts.h"

/* --- conditions --------------------------------------------------------------------------------------------------- */

/* The source goes through an argument of that name: L['past_key_values'], L['kwargs']['past_key_values'].layers[0]. */
static bool is_of_argument(struct str source, const char *name)
{
    ptrdiff_t at = str_find(source, str_of(name));

    return at >= 2 && str_ends(str_take(source, (size_t)at), STR("['")) &&
           str_starts(str_skip(source, (size_t)at + strlen(name)), STR("']"));
}

static bool has_input_of(const struct recompile_cause *cause, const char *name)
{
    vec_each(const struct input_change, x, &cause->inputs.list) if (is_of_argument(x->source, name)) return true;
    return false;
}

static struct str sample_source(struct finder *f, const struct recompile_cause *cause)
{
    return cause->sample ? recompile_full_source(f->arena, cause->sample->source) : (struct str){0};
}

static bool is_of_cache(struct finder *f, const struct recompile_cause *cause)
{
    return is_of_argument(sample_source(f, cause), "past_key_values");
}

/* "transformers.cache_utils.StaticCache" */
static struct str cache_type(struct finder *f, const struct recompile_cause *cause)
{
    const struct guard_facts *facts = guard_facts_of(f, cause->first->compile);
    struct str type = guard_facts_type(facts, STR("L['kwargs']['past_key_values']"));

    return type.n ? type : guard_facts_type(facts, STR("L['past_key_values']"));
}

/* Not the batch size, which is dimension 0. */
static bool is_step(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    vec_each(const struct input_change, x, &cause->inputs.list) if (x->dim < 1) return false;
    return cause->change == CHANGE_SMALL_SIZE && cause->inputs.list.n > 0 && cause->list.n <= 2;
}

static bool is_first_step(struct finder *f, const struct recompile_cause *cause)
{
    switch (cause->change) {
    case CHANGE_ARGUMENTS:
        return cause->list.n <= 2;
    case CHANGE_CONSTANT:
    case CHANGE_NONE:
    case CHANGE_TYPE:
    case CHANGE_LENGTH:
        return cause->list.n <= 2 && is_of_cache(f, cause);
    default:
        return false;
    }
}

static bool is_growing_cache(struct finder *f, const struct recompile_cause *cause)
{
    return cause->change == CHANGE_SIZE && has_input_of(cause, "past_key_values") &&
           str_ends(cache_type(f, cause), STR(".DynamicCache"));
}

/* Only the first dimension of the inputs changed: the number of prompts. */
static bool is_batch(struct finder *f, const struct recompile_cause *cause)
{
    const struct guard_reason *g = cause->sample;

    (void)f;
    return cause->change == CHANGE_SIZE && g && g->class == GUARD_SIZE && g->index == 0;
}

static bool is_prompt(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->change == CHANGE_SIZE || (cause->change == CHANGE_INT && is_of_cache(f, cause));
}

static bool is_size(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->change == CHANGE_SIZE;
}

static bool is_timestep(struct finder *f, const struct recompile_cause *cause)
{
    return (cause->change == CHANGE_INT || cause->change == CHANGE_FLOAT) &&
           is_of_argument(sample_source(f, cause), "timestep") &&
           code_file_has(cause->first->compile->frame->file, STR("diffusers/"));
}

static bool is_adapter(struct finder *f, const struct recompile_cause *cause)
{
    struct str source = sample_source(f, cause);

    return str_has(source, STR("['lora_A']")) || str_has(source, STR("['lora_B']")) ||
           str_has(source, STR("._active_adapter"));
}

static bool is_problem_type(struct finder *f, const struct recompile_cause *cause)
{
    return str_ends(sample_source(f, cause), STR(".config.problem_type"));
}

bool recompile_is_without_tensors(struct str file)
{
    static const struct str packages[] = {STR_INIT("matplotlib/"), STR_INIT("PIL/"),     STR_INIT("wandb/"),
                                          STR_INIT("tensorboard"), STR_INIT("tqdm/"),    STR_INIT("rich/"),
                                          STR_INIT("pandas/"),     STR_INIT("loguru/"),  STR_INIT("yaml/"),
                                          STR_INIT("requests/"),   STR_INIT("urllib3/"), STR_INIT("huggingface_hub/")};
    struct str package = code_file_package_path(file);

    return STR_STARTS_ANY(package, packages);
}

static bool is_without_tensors(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return recompile_is_without_tensors(cause->first->compile->frame->file);
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

#define GENERATE "transformers/generation/utils.py", "generate"

static const struct library_rule rules[] = {
    {GENERATE, is_step,
     "This is how `generate` works: it reads the prompt in one call, and then makes one token in each call. Two "
     "compiles, one for each, are expected.",
     NULL, true},
    {GENERATE, is_first_step,
     "This is how `generate` works: the call that reads the prompt and the first one after it do more than the others, "
     "and get other arguments. One compile for each is expected.",
     NULL, true},
    {GENERATE, is_growing_cache,
     "The key-value cache grows with each token. `cache_implementation=\"static\"` in `generate` gives it one size; "
     "pad prompts to a few lengths (`pad_to_multiple_of` of the tokenizer): then the prompt and the tokens are two "
     "compiles, which is what `generate` needs.",
     "Or keep the cache as it is, and let these sizes vary.", false},
    {GENERATE, is_batch,
     "`generate` is called with batches of several sizes. Pad batches to one size, or leave an incomplete last one "
     "out.",
     "Or let these sizes vary.", false},
    {GENERATE, is_prompt,
     "Prompts have several lengths, and the cache gets a size that goes by them. Pad prompts to a few lengths "
     "(`pad_to_multiple_of` of the tokenizer).",
     "Or let these sizes vary.", false},
    {"transformers/trainer.py", "train", is_size,
     "The Trainer pads each batch to its longest row: `pad_to_multiple_of` of the data collator leaves few lengths. "
     "The "
     "last batch may be smaller: `dataloader_drop_last=True` of TrainingArguments leaves it out.",
     "Or let these sizes vary.", false},
    {NULL, NULL, is_without_tensors,
     "The function belongs to a library that computes no tensors: keep it out of the compiler. Compile the model "
     "alone, or put the call that leads there into a function with `@torch.compiler.disable`.",
     NULL, false},
    {NULL, NULL, is_timestep,
     "A scheduler's `timesteps` are a tensor. Pass its items as they are, without `.item()`, `.tolist()` or `int()`: "
     "then each step is the same.",
     "Or let the number vary.", false},
    {NULL, NULL, is_problem_type,
     "The model writes `problem_type` into its configuration in its first call with labels, so that the second one is "
     "compiled again. Set it beforehand: `problem_type=\"single_label_classification\"` (or what the first call makes "
     "of "
     "it) in the configuration.",
     NULL, false},
    {NULL, NULL, is_adapter,
     "Another adapter is other code: PEFT compiles once for each. To change the weights of one adapter without "
     "compiling again, load them with `peft.utils.hotswap.hotswap_adapter`.",
     NULL, false},
};

static bool is_called_by(const struct compile *c, const struct library_rule *rule)
{
    const struct call *call = c->stack;

    if (!rule->file)
        return true;
    while (call && !(code_file_has(call->file, str_of(rule->file)) && str_eq(call->function, str_of(rule->function))))
        call = call->parent;
    return call != NULL;
}

const struct library_rule *recompile_library_rule(struct finder *f, const struct recompile_cause *cause)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (is_called_by(cause->first->compile, &rules[i]) && rules[i].fits(f, cause))
            return &rules[i];
    return NULL;
}
