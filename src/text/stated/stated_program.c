#include "text/stated/stated_program.h"

#include "text/code/shown_code.h"
#include "text/stated/prose.h"
#include "text/stated/stated_conditions.h"

/* "for block in model.blocks:" */
static bool goes_through_modules(struct str line)
{
    static const struct str lists[] = {STR_INIT("modules()"), STR_INIT("children()"), STR_INIT("layers"),
                                       STR_INIT("blocks")};

    return str_starts(line, STR("for ")) && STR_HAS_ANY(line, lists);
}

static bool compiles_parts(struct str text)
{
    enum { LINES_OF_LOOP = 4 };
    struct str line;
    size_t left = 0;

    while (str_next_line(&text, &line)) {
        if (goes_through_modules(str_trim(line)))
            left = LINES_OF_LOOP;
        else if (left && left-- && str_has(line, STR("compile(")))
            return true;
    }
    return false;
}

/* "pipe.net = torch.compile(pipe.net, mode=...)"; a `forward` is compiled in place. */
static bool wraps_module(struct str text)
{
    static const struct str call = STR_INIT(" = torch.compile(");
    struct str line;

    while (str_next_line(&text, &line)) {
        ptrdiff_t at = str_find(line, call);
        struct str name = str_trim(str_take(line, at < 0 ? 0 : (size_t)at)), rest;

        while (str_chr(name, ' ') >= 0)
            name = str_skip(name, (size_t)str_chr(name, ' ') + 1);
        if (name.n == 0 || str_ends(name, STR(".forward")))
            continue;
        rest = str_skip(line, (size_t)at + call.n);
        if (str_consume(&rest, name) && rest.n && (rest.p[0] == ',' || rest.p[0] == ')'))
            return true;
    }
    return false;
}

/* A text that compares backends names Inductor, or compiles without a backend, in another line. */
static bool compiles_without_inductor(struct str text)
{
    static const struct str before[] = {STR_INIT("\"eager\""), STR_INIT("'eager'"), STR_INIT("\"aot_eager\""),
                                        STR_INIT("'aot_eager'")};
    struct str line;
    bool found = false;

    while (str_next_line(&text, &line)) {
        if (!str_has(line, STR("torch.compile(")) || str_starts(str_trim(line), STR("#")))
            continue;
        if (!str_has(line, STR("backend=")) || !STR_HAS_ANY(line, before))
            return false;
        found = true;
    }
    return found;
}

static bool compiles_before_deepspeed(struct str text)
{
    ptrdiff_t engine = str_find(text, STR("deepspeed.initialize("));

    return engine > 0 && str_has(str_take(text, (size_t)engine), STR("torch.compile("));
}

/* PyTorch's own warning names the setting where it is off, and the table of the autotuner in each row. */
static bool uses_tf32(struct str line)
{
    static const char words[] = "matmul_precision('high\nmatmul_precision(\"high\nmatmul_precision('medium\n"
                                "matmul_precision(\"medium\nallow_tf32\nTF32\ntf32";
    static const char denies[] = "TensorFloat32 tensor cores\nonsider setting\nALLOW_TF32\nFalse\nhighest\nisabl\n"
                                 "n't \n not \nwithout TF32\nNo TF32\nno TF32";

    return str_has_any_line(line, str_of(words)) && !str_has_any_line(line, str_of(denies));
}

static bool states_tf32(struct str text)
{
    struct str line;

    while (str_next_line(&text, &line))
        if (uses_tf32(line))
            return true;
    return false;
}

/* Tensors are kept in 2.5 and 2.6, also without Inductor; not in 2.4, and not since 2.7. */
static bool disables_functions(struct str text)
{
    return str_has_any_line(text, STR("compiler.disable\ndynamo.disable"));
}

static bool records_graphs_of_sizes(struct str text)
{
    struct str line;

    while (str_next_line(&text, &line))
        if (str_has_any_line(line, STR("reduce-overhead\n\"max-autotune\"\n'max-autotune'")) &&
            str_has_any_line(line, STR("dynamic=True\ndynamic = True")))
            return true;
    return false;
}

static bool binds_cached_method(struct str text)
{
    return str_has(text, STR("failed to bind arguments")) &&
           str_has_any_line(text, STR("lru_cache\n@cache\ntools.cache"));
}

/* "outD.mean().backward()" and "outG.mean().backward()" of a function that has a graph break, as all with one have. */
static bool calls_two_backwards(struct str text)
{
    static const struct str call = STR_INIT(".backward()");
    struct str line, first = {0}, all = text;

    if (!str_has_any_line(all, STR("\x3Cgraph break in \ntorch_dynamo_resume_in_\n= torch.compile(train")) ||
        !str_has_any_line(all, STR(".detach()\n.step()\nnetD\niscriminator")))
        return false;
    while (str_next_line(&text, &line)) {
        ptrdiff_t at = str_find(line, call);
        struct str own = str_trim(str_take(line, at < 0 ? 0 : (size_t)at));

        if (own.n == 0 || str_chr(own, '`') >= 0)
            continue;
        if (first.n && !str_eq(own, first))
            return true;
        first = own;
    }
    return false;
}

/* Code behind a graph break makes the result, and the message offers to mark where a step begins. */
static bool overwrites_results_of_parts(struct str text)
{
    return str_has(text, STR("overwritten by a subsequent run")) && str_has(text, STR("torch_dynamo_resume_in_")) &&
           str_has(text, STR("cudagraph_mark_step_begin"));
}

/* "after 100 warm-up calls", "warmed up with 20": how often, or what for, and not how long that takes. */
static bool is_warmed_up(struct str text)
{
    static const char words[] = "warm-up\nwarmup\nwarm up\nwarmed up\nwarming up";
    static const char signs[] = "after \nexclud\ndiscard\nskip\nbefore \nfollowed by\nwarmed up\nfirst ";
    static const char denied[] = "no warm\nwithout warm\nwithout a warm\nn't warm\nnot warm\ntakes \ntook \nslow\n"
                                 "minutes\n long\nduring \n in the warm\n?\nfail\ncrash\nhang";
    enum { BEFORE = 24, BEHIND = 32 };
    char room[400];
    struct str line;

    while (str_next_line(&text, &line)) {
        struct str lower = str_lower(str_take(line, sizeof room), room, sizeof room), near;
        ptrdiff_t at = str_find(lower, STR("warm"));
        size_t begin = at > BEFORE ? (size_t)at - BEFORE : 0;

        for (size_t i = begin; at > 0 && i < (size_t)at; i++) /* of the same sentence */
            begin = strchr("?!;", lower.p[i]) ? i + 1 : begin;
        near = str_take(str_skip(lower, begin), BEFORE + BEHIND);
        if (at < 0 || !str_has_any_line(near, str_of(words)) || str_has_any_line(near, str_of(denied)))
            continue;
        if (str_has_any_line(near, str_of(signs)))
            return true;
        for (size_t i = begin; i < begin + near.n; i++) /* "10 warm-up iterations", "warm-up of 20" */
            if (str_is_digit(lower.p[i]) && i + 8 > (size_t)at)
                return true;
    }
    return false;
}

/* "MSELoss(" of "nn.MSELoss(", behind the parenthesis of a call that is not of such a module itself. */
static bool passes_module_of_torch(struct str line)
{
    struct str rest = line;

    for (ptrdiff_t at; (at = str_chr(rest, '(')) >= 0;) {
        struct str callee = str_take(rest, (size_t)at), first;
        ptrdiff_t blank = str_rchr(callee, ' ');

        callee = str_skip(callee, (size_t)(blank + 1));
        rest = str_skip(rest, (size_t)at + 1);
        first = rest;
        str_consume(&first, STR("torch."));
        if (callee.n && !str_has(callee, STR("nn.")) && !str_starts(str_trim(line), STR("class ")) &&
            str_consume(&first, STR("nn.")) && first.n && first.p[0] >= 'A' && first.p[0] <= 'Z' &&
            str_has(first, STR("(")))
            return true;
    }
    return false;
}

static bool exports_module_of_torch(struct str text)
{
    struct str line;

    if (!str_has(text, STR("export(")))
        return false;
    while (str_next_line(&text, &line))
        if (passes_module_of_torch(line))
            return true;
    return false;
}

/* "with torch._dynamo.compiled_autograd.enable(f):", `_enable` in 2.6 and later. */
static bool turns_autograd_on_around(struct str text)
{
    static const struct str calls[] = {STR_INIT("compiled_autograd.enable("), STR_INIT("compiled_autograd._enable(")},
                            settings[] = {STR_INIT("config.compiled_autograd = True"),
                                          STR_INIT("config.compiled_autograd=True"),
                                          STR_INIT("\"compiled_autograd\": True")};
    struct str rest = text, line;

    if (!STR_HAS_ANY(text, calls) || STR_HAS_ANY(text, settings))
        return false;
    while (str_next_line(&rest, &line)) /* PyTorch's own message names the function, too */
        if (str_has(line, STR("with ")) && STR_HAS_ANY(line, calls))
            return true;
    return false;
}

static bool has_checkpointed_dropout(struct str text)
{
    return str_has_any_line(text, STR("radient_checkpointing\nradient checkpointing\nctivation checkpointing\n"
                                      "ctivation_checkpointing\nutils.checkpoint\ncheckpoint_wrapper")) &&
           str_has_any_line(text, STR("ropout\nbernoulli\nrand_like\nrandn_like"));
}

/* The message of multiprocessing shows the line as well, with "freeze_support()" below it. */
static bool has_main_guard(struct str text)
{
    struct str line;

    while (str_next_line(&text, &line)) {
        struct str rest = text, next;

        if (!str_starts(str_trim(line), STR("if __name__ ==")))
            continue;
        if (!str_next_line(&rest, &next) || !str_starts(str_trim(next), STR("freeze_support()")))
            return true;
    }
    return false;
}

/* "Without `@torch.compiler.disable` it stays at 131584." */
static bool grows_only_with_disable(struct str text)
{
    return disables_functions(text) &&
           prose_has_sentence(text,
                        "without `@torch.compiler.disable\nwithout @torch.compiler.disable\n"
                        "without torch.compiler.disable\nwithout `torch.compiler.disable\nwithout the disable\n"
                        "without disable\nwithout `disable\nwithout `@torch._dynamo.disable\n"
                        "without @torch._dynamo.disable\nwithout torch._dynamo.disable\nremove the disable\n"
                        "removing the disable\nremove `@torch.compiler.disable\nremoving `@torch.compiler.disable\n"
                        "remove @torch.compiler.disable\nremoving @torch.compiler.disable",
                        "stays\nflat\nconstant\nno growth\nno leak\nnot grow\nn't grow\nnot leak\nn't leak\n"
                        "goes away\ngone\nis fine\nfixes",
                        "still\n?\nnothing\nno difference");
}

/* `torch.compile(model, mode="max-autotune")` or "reduce-overhead"; a table or a sentence may name others. */
static bool compiles_in_mode(struct str text, struct str modes)
{
    struct str line;

    while (str_next_line(&text, &line))
        if (str_has(line, STR(".compile")) && str_has(line, STR("mode")) && str_has_any_line(line, modes) &&
            !str_starts(str_trim(line), STR("#")))
            return true;
    return false;
}

static bool compiles_with_autotune(struct str text)
{
    return compiles_in_mode(text, STR("\"max-autotune\"\n'max-autotune'")) &&
           !compiles_in_mode(text, STR("\"reduce-overhead\"\n'reduce-overhead'"));
}

static bool records_by_mode(struct str text)
{
    return compiles_in_mode(text, STR("\"max-autotune\"\n'max-autotune'\n\"reduce-overhead\"\n'reduce-overhead'")) &&
           !str_has_any_line(text, STR("cuda.graph(\nCUDAGraph(\nmake_graphed_callables\ncapture_begin(\n.capture(\n"
                                       "vllm\nvLLM\nsglang\nSGLang"));
}

/* A line of the program; sentences and PyTorch's own messages advise it. */
static bool sets_fallback_random(struct str text)
{
    static const struct str begins[] = {STR_INIT("torch._inductor.config."), STR_INIT("inductor_config."),
                                        STR_INIT("config."), STR_INIT("fallback_random")};
    static const char on[] = "fallback_random = True\nfallback_random=True";
    static const char options[] = "\"fallback_random\": True\n'fallback_random': True";
    struct str line;

    while (str_next_line(&text, &line)) {
        line = str_trim(line);
        if ((STR_STARTS_ANY(line, begins) && str_has_any_line(line, str_of(on))) ||
            (str_has(line, STR("compile(")) && str_has_any_line(line, str_of(options))))
            return true;
    }
    return false;
}

/* "output max diff 0.0", "identical" */
static bool agrees(struct str line)
{
    return str_ends(line, STR(" 0")) || str_ends(line, STR(" 0.0")) || str_ends(line, STR(" 0.0000")) ||
           (str_has_any_line(line, STR("agree\nidentical\nequal\nmatch\nis the same\nno difference\nbitwise")) &&
            !str_has_any_line(line, STR("n't \n not \nmismatch\n?")));
}

/* With "aot_eager", or where nothing is drawn, the same program agrees. */
static bool agrees_before_inductor(struct str text)
{
    static const char without[] = "aot_eager\np=0.0\np=0 \np = 0.0\np=0:\nwithout dropout\nno dropout";
    struct str line;
    bool found = false;

    while (str_next_line(&text, &line)) {
        line = str_drop_any(str_trim(line), ".`");
        if (!str_has_any_line(line, str_of(without)))
            continue;
        if (!agrees(line))
            return false;
        found = true;
    }
    return found;
}

/* Calls that draw random numbers, in the code of a text. */
static size_t random_calls(struct str text)
{
    static const struct str calls[] = {STR_INIT("dropout("), STR_INIT("Dropout("), STR_INIT("rand_like("),
                                       STR_INIT("randn_like("), STR_INIT("bernoulli(")};
    size_t n = 0;

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct str rest = text;

        for (ptrdiff_t at; (at = str_find(rest, calls[i])) >= 0; rest = str_skip(rest, (size_t)at + calls[i].n))
            n++;
    }
    return n;
}

/* --- programs ----------------------------------------------------------------------------------------------------- */

/* Whether "2 * " stands before it, or " * 2" behind it: of a dimension, another one is computed. */
static bool is_factor(struct str before, struct str behind)
{
    before = str_trim(before);
    if (str_ends(before, STR("*"))) {
        before = str_trim(str_take(before, before.n - 1));
        if (before.n && str_is_digit(before.p[before.n - 1]))
            return true;
    }
    behind = str_trim(behind);
    return str_consume(&behind, STR("*")) && str_trim(behind).n && str_is_digit(str_trim(behind).p[0]);
}

/* Whether another dimension is computed from the one of that name, in any line. */
static bool is_multiplied(struct str text, struct str name)
{
    struct str line;

    while (str_next_line(&text, &line))
        for (ptrdiff_t at; (at = str_find(line, name)) >= 0; line = str_skip(line, (size_t)at + name.n)) {
            struct str before = str_take(line, (size_t)at), behind = str_skip(line, (size_t)at + name.n);

            if ((!before.n || !(str_is_word_char(before.p[before.n - 1]) || before.p[before.n - 1] == '.')) &&
                (!behind.n || !(str_is_word_char(behind.p[0]) || behind.p[0] == '.')) && is_factor(before, behind))
                return true;
        }
    return false;
}

/* `rows = Dim("rows")`, and `2 * rows` or `rows * 2` in another place. */
static bool derives_dimension(struct str text)
{
    static const struct str calls[] = {STR_INIT(" = torch.export.Dim("), STR_INIT(" = export.Dim("),
                                       STR_INIT(" = Dim(")};
    struct str line, rest = text;

    while (str_next_line(&rest, &line))
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
            ptrdiff_t at = str_find(line, calls[i]);
            struct str name = str_trim(str_take(line, at < 0 ? 0 : (size_t)at));

            if (name.n && str_chr(name, ' ') < 0 && str_chr(name, '#') < 0 && is_multiplied(text, name))
                return true;
        }
    return false;
}

static bool draws_in_other_order(struct str text)
{
    return sets_fallback_random(text) && random_calls(text) > 1 && agrees_before_inductor(text);
}

bool program_few_lines(struct str text)
{
    enum { FEW = 4 };
    struct shown_code code;
    struct str line;
    size_t n = 0;

    shown_code_read(text, &code);
    if (code.n != 1 || code.modules || str_has_any_line(text, STR("nn.Module\nfrom_pretrained")))
        return false;
    while (str_next_line(&code.compiled[0].body, &line))
        n += str_trim(line).n > 0;
    return n > 0 && n <= FEW;
}

/* "with accumulation_steps=4 it crashes": `.grad` of an earlier backward is there when the next one runs. */
static bool accumulates_gradients(struct str text)
{
    static const char words[] = "accumulat\ngrad_accum\nmicro_batch\nmicro-batch\nmicro batch\nmicrobatch";
    struct str frames = text;
    ptrdiff_t at = str_find(text, STR("that has been overwritten by a subsequent run"));

    if (at < 0 || !str_has_any_line(text, str_of(words)))
        return false;
    frames = str_take(text, (size_t)at);
    return str_has_any_line(frames, STR("torch/_tensor.py\ntorch\\_tensor.py")) && str_has(frames, STR(".backward("));
}

/*
 * "for argument 'w': the operator's schema shop::till(Tensor x, Tensor? w)": torch/_library/utils.py compares
 * "changed", which is None where no tensor is passed, with what the schema says.
 */
static bool names_optional_argument(struct str text)
{
    struct str name, schema, type, parameter;
    ptrdiff_t end;

    if (!str_has(text, STR("this seems to be empirically wrong")) ||
        !str_between(text, STR("for argument '"), STR("'"), &name) ||
        !str_between(text, STR("the operator's schema "), STR(" specified that"), &schema))
        return false;
    str_split(&schema, '(');
    if ((end = str_find(schema, STR(") ->"))) >= 0)
        schema = str_take(schema, (size_t)end);
    while (schema.n) {
        parameter = str_trim(str_split(&schema, ','));
        type = str_split(&parameter, ' ');
        parameter = str_trim(str_split(&parameter, '='));
        if (str_ends(type, STR("?")) && str_eq(parameter, name))
            return true;
    }
    return false;
}

/* "triton_.cubin.tmp.pid_93828_100098": processes of several machines may have one id, and write one file. */
static bool races_for_file(struct str text)
{
    static const char several[] = "--nnodes\nnnodes=\nnnodes:\n nodes\nSLURM_NNODES\nSLURM_JOB_NUM_NODES";

    return str_has(text, STR(".tmp.pid_")) && str_has(text, STR("No such file or directory")) &&
           str_has_any_line(text, str_of(several)) && !str_has_any_line(text, STR("single node only\n--nnodes 1 \n"
                                                                                 "--nnodes=1 \nnnodes=1 "));
}

/* "torch.randn(2, requires_grad=True)" in a function that is compiled, and not in a comment. */
static bool makes_leaf_within(struct str text)
{
    struct shown_code code;
    struct str line;

    shown_code_read(text, &code);
    for (size_t i = 0; i < code.n; i++)
        while (str_next_line(&code.compiled[i].body, &line)) {
            ptrdiff_t comment = str_chr(line, '#');

            line = str_take(line, comment < 0 ? line.n : (size_t)comment);
            if (str_has(line, STR("requires_grad=True")) &&
                str_has_any_line(line, STR("randn(\nrand(\nzeros(\nones(\nempty(\nfull(\ntorch.tensor(\narange(\n"
                                           "linspace(\n_like(")))
                return true;
        }
    return false;
}

/* Inductor keeps a getitem of what an operator on lists returns, where that returns nothing. */
static bool has_complex_lists(struct str text)
{
    return str_has_any_line(text, STR("foreach\noptim.\nptimizer")) && str_has_any_line(text, STR("complex"));
}

/* "torch.compile(sell, dynamic=False)", and nothing else is compiled. */
static bool compiles_static_alone(struct str text)
{
    struct shown_code code;
    struct str line;
    size_t calls = 0, fixed = 0;

    shown_code_read(text, &code);
    while (str_next_line(&text, &line)) {
        bool call = str_has_any_line(line, STR("torch.compile(\n@torch.compile")) &&
                    !str_has(line, STR("torch.compiler"));

        if (str_starts(str_trim(line), STR("#")))
            continue;
        calls += call;
        fixed += call && str_has(line, STR("dynamic=False"));
    }
    return code.n == 1 && calls == 1 && fixed == 1;
}

/* "Till" of "Till(n))": a class, by its first letters. */
static bool makes_object(struct str code)
{
    struct str name = str_word(code);

    return name.n > 1 && name.p[0] >= 'A' && name.p[0] <= 'Z' && !(name.p[1] >= 'A' && name.p[1] <= 'Z') &&
           str_starts(str_skip(code, name.n), STR("("));
}

/* The lines around the one that is read, each indented deeper than the one before. */
struct heads {
    struct head_line {
        size_t indent;
        struct str bare;
    } v[64];
    size_t n;
};

/* Steps to a line that is not blank: its head is then the last line above that has less before it; or empty. */
static struct str heads_step(struct heads *h, struct str line)
{
    enum { MAX = sizeof h->v / sizeof *h->v };
    size_t indent = shown_indent(line);
    struct str head;

    while (h->n && h->v[h->n - 1].indent >= indent)
        h->n--;
    head = h->n ? h->v[h->n - 1].bare : (struct str){0};
    if (h->n < MAX)
        h->v[h->n++] = (struct head_line){indent, str_trim(line)};
    return head;
}

/* Names that were given objects of classes of the program, the newest last: "till = Till(n)". */
struct made_names {
    struct made {
        struct str name;
        size_t indent; /* the least of its line and of those below it */
    } v[16];
    size_t n;
};

static void made_drop(struct made_names *m, size_t at)
{
    m->n--;
    memmove(&m->v[at], &m->v[at + 1], (m->n - at) * sizeof *m->v);
}

static void made_step(struct made_names *m, struct str line)
{
    enum { MAX = sizeof m->v / sizeof *m->v };
    struct str bare = str_trim(line), name = str_word(bare), rest = str_skip(bare, name.n);
    size_t indent = shown_indent(line);
    bool assigned = name.n && str_consume(&rest, STR(" = "));

    for (size_t i = m->n; i-- > 0;) {
        m->v[i].indent = indent < m->v[i].indent ? indent : m->v[i].indent;
        if (assigned && str_eq(m->v[i].name, name))
            made_drop(m, i);
    }
    if (!assigned || !makes_object(rest))
        return;
    if (m->n == MAX)
        made_drop(m, 0);
    m->v[m->n++] = (struct made){name, indent};
}

/* Whether it was made in the lines that stand with one of this indent under the same head. */
static bool is_made_beside(const struct made_names *m, struct str name, size_t indent)
{
    for (size_t i = 0; i < m->n; i++)
        if (str_eq(m->v[i].name, name))
            return m->v[i].indent >= indent;
    return false;
}

static bool is_loop(struct str head)
{
    return str_starts(head, STR("for ")) || str_starts(head, STR("while "));
}

enum { DEFINED_MAX = 8 };

/* Whether a line of a loop calls one of the functions. */
static bool are_called_in_loop(struct str text, const struct str names[], size_t n)
{
    struct heads heads = {.n = 0};
    struct str line;

    while (n && str_next_line(&text, &line)) {
        struct str head = str_trim(line).n ? heads_step(&heads, line) : (struct str){0};

        for (size_t i = 0; i < n && is_loop(head); i++)
            if (shown_calls(line, names[i]))
                return true;
    }
    return false;
}

static bool compiles_new_modules(struct str text)
{
    static const struct str call = STR_INIT("torch.compile(");
    struct str rest = text, line, defined[DEFINED_MAX], name;
    struct heads heads = {.n = 0};
    struct made_names names = {.n = 0};
    size_t n = 0;

    while (n < DEFINED_MAX && str_next_line(&rest, &line)) {
        ptrdiff_t at = str_find(line, call);
        struct str made = str_skip(line, at < 0 ? line.n : (size_t)at + call.n), head;

        if (str_trim(line).n == 0)
            continue;
        head = heads_step(&heads, line);
        if (at >= 0 && shown_indent(line) > 0 && !str_starts(str_trim(line), STR("#")) &&
            (makes_object(made) || is_made_beside(&names, str_word(made), shown_indent(line)))) {
            if (is_loop(head))
                return true;
            name = shown_defined(head);
            if (name.n && !(n && str_eq(defined[n - 1], name)))
                defined[n++] = name;
        }
        made_step(&names, line);
    }
    return are_called_in_loop(text, defined, n);
}

static const struct stated_condition conditions[] = {
    {.fact = STATED_COMPILES_NEW, .states = compiles_new_modules},
    {.fact = STATED_RACES, .states = races_for_file},
    {.fact = STATED_ACCUMULATES, .states = accumulates_gradients},
    {.fact = STATED_OPTIONAL_ARGUMENT, .states = names_optional_argument},
    {.fact = STATED_TF32, .states = states_tf32},
    {.fact = STATED_COMPILED_FIRST, .states = compiles_before_deepspeed},
    {.fact = STATED_PARTS, .states = compiles_parts},
    {.fact = STATED_WRAPPED, .states = wraps_module},
    {.fact = STATED_DISABLE_LEAKS, .states = disables_functions, .versions = "2.5.\n2.6.", .or_unknown = true},
    {.fact = STATED_NOT_INDUCTOR, .states = compiles_without_inductor},
    {.fact = STATED_GRAPHS_OF_SIZES, .states = records_graphs_of_sizes},
    {.fact = STATED_CACHED_METHOD, .states = binds_cached_method},
    {.fact = STATED_WARMED_UP, .states = is_warmed_up},
    {.fact = STATED_TWO_BACKWARDS, .states = calls_two_backwards},
    {.fact = STATED_GRAPHS_OF_PARTS, .states = overwrites_results_of_parts},
    {.fact = STATED_AUTOGRAD_AROUND, .states = turns_autograd_on_around},
    {.fact = STATED_EXPORTS_TORCH,
     .states = exports_module_of_torch,
     .versions = "2.1.\n2.2.\n2.3.\n2.4.",
     .or_unknown = true},
    {.fact = STATED_CHECKPOINTED_RANDOM, .states = has_checkpointed_dropout},
    {.fact = STATED_MAIN_GUARD, .states = has_main_guard},
    {.fact = STATED_DISABLE_PROVEN, .states = grows_only_with_disable, .versions = "2.5.\n2.6.", .or_unknown = true},
    {.fact = STATED_MODE_AUTOTUNE, .states = compiles_with_autotune},
    {.fact = STATED_MODE_RECORDS, .states = records_by_mode},
    {.fact = STATED_FALLBACK_RANDOM, .states = sets_fallback_random},
    {.fact = STATED_RANDOM_ORDER, .states = draws_in_other_order},
    {.fact = STATED_DERIVED_DIM, .states = derives_dimension},
    {.fact = STATED_SMALL_PROGRAM, .states = program_few_lines},
    {.fact = STATED_COMPLEX_LISTS, .states = has_complex_lists},
    {.fact = STATED_STATIC_CALL, .states = compiles_static_alone},
    {.fact = STATED_LEAF_WITHIN,
     .states = makes_leaf_within,
     .versions = "2.0.\n2.1.\n2.2.\n2.3.\n2.4.",
     .or_unknown = true},
};

void program_find(struct str text, struct stated *out)
{
    conditions_add(conditions, sizeof conditions / sizeof *conditions, text, out);
}
