#include "text/messages/cache_key.h"

#include "input/limits.h"

/* The JSON string at the beginning of *s, with its escapes; moves past it. */
static bool take_json_string(struct str *s, struct str *out)
{
    size_t from = 0, slashes;

    if (!str_consume(s, STR("\"")))
        return false;
    for (const char *quote; s->n > from && (quote = memchr(s->p + from, '"', s->n - from));) {
        size_t at = (size_t)(quote - s->p);

        for (slashes = 0; slashes < at && s->p[at - slashes - 1] == '\\'; slashes++)
            ;
        if (slashes % 2 == 0) {
            *out = str_take(*s, at);
            *s = str_skip(*s, at + 1);
            return true;
        }
        from = at + 1;
    }
    return false;
}

/* "[HASH] NAME: VALUE". A name contains no colon. */
static bool component_of(struct str line, struct key_component *out)
{
    ptrdiff_t end;

    if (!str_consume(&line, STR("[")))
        return false;
    end = str_chr(line, ']');
    if (end <= 0)
        return false;
    out->hash = str_take(line, (size_t)end);
    line = str_skip(line, (size_t)end + 1);
    end = str_chr(line, ':');
    if (end < 0)
        return false;
    out->name = str_trim(str_take(line, (size_t)end));
    out->value = str_take(str_trim(str_skip(line, (size_t)end + 1)), KEY_VALUE_MAX);
    return true;
}

void cache_key_parse(struct arena *a, struct str text, struct cache_key *out)
{
    ptrdiff_t at = str_find(text, STR("\"components\""));
    struct key_component component;
    struct str line;

    *out = (struct cache_key){0};
    if (at < 0)
        return;
    text = str_trim(str_skip(text, (size_t)at + strlen("\"components\"")));
    if (!str_consume(&text, STR(":")))
        return;
    text = str_trim(text);
    if (!str_consume(&text, STR("[")))
        return;
    for (text = str_trim(text); take_json_string(&text, &line); text = str_trim(text)) {
        if (out->components.n >= LIMIT_LIST)
            return;
        if (component_of(line, &component))
            vec_push(a, &out->components, component);
        text = str_trim(text);
        str_consume(&text, STR(","));
    }
}

const char *cache_key_words(struct str name)
{
    static const struct {
        const char *begins, *words;
    } known[] = {
        {"gm", "the graph"},
        {"example_inputs[", "an input: shape, strides, dtype, device or a symbol"},
        {"fx_kwargs[", "how the graph is compiled"},
        {"inputs_to_check", "which inputs are checked for alignment"},
        {"aot_config", "how AOTAutograd is set up"},
        {"inductor_config[", "a setting of Inductor"},
        {"torch_version", "the version of PyTorch"},
        {"system_info", "device, driver, Triton or CUDA"},
        {"cache_key_tag", "the tag that the program gives its caches"},
        {"deterministic_algorithms_settings", "torch.use_deterministic_algorithms"},
        {"cuda_matmul_settings", "precision of matrix products"},
        {"cpp_runtime_thread_count", "number of threads"},
        {"grad_enabled", "grad mode"},
        {"disable_amp", "autocast"},
        {"autograd_config", "settings of AOTAutograd"},
        {"user_defined_triton_source", "source of your Triton kernels"},
        {"triton_kernel_source_codes", "source of your Triton kernels"},
        {"saved_tensor_hooks", "hooks on saved tensors"},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_starts(name, str_of(known[i].begins)))
            return known[i].words;
    return NULL;
}
